internal import Lensed

/// What a storm rages over.
struct StormState: Sendable {
  /// Which steps were taken.
  struct Marks: Sendable {
    /// The number of each dispatcher's last step.
    var last: [Int]
    /// How many steps there were.
    var total = 0
    /// How many members of the array that is being applied are still to come.
    var left = 0
    /// How many beats there were, as the reducer of `marks` sees them.
    var beats = 0
  }

  var marks: Marks
  /// How many beats there were, as the reducer of `beat` sees them.
  var beat = 0
  /// Comes and goes with its reducer.
  var guest = 0
  var token: LiveCount.Token?
}

/// A dispatcher's next step.
struct StormStep: Action {
  let dispatcher: Int
  let number: Int
  /// How many follow it in its array.
  let left: Int
}

/// Answered by two reducers.
struct StormBeat: Action {
  /// Whether it comes from a sequence.
  var isStreamed = false
  var token: LiveCount.Token?
}

/// Answered by whoever is registered just now.
struct StormVisit: Action {}

/// Writes down what must not happen.
final class StormFlaws: Sendable {
  private let list = StormList<String>()

  var sentences: [String] { list.values }

  func note(_ sentence: @autoclosure () -> String, unless isFine: Bool) {
    // A storm that has gone wrong once goes wrong again and again.
    if !isFine && list.count < 20 { list.append(sentence()) }
  }
}

extension StormState {
  /// A store whose reducers look after order themselves, and count the streamed beats.
  static func makeStore(
    dispatchers: Int, flaws: StormFlaws, streamed: Counter, alive: LiveCount
  ) throws -> Store<StormState> {
    let token = alive.token()
    let marks = Marks(last: [Int](repeating: 0, count: dispatchers))
    let state = StormState(marks: marks, token: alive.token())
    return try Store(initialState: state, coverage: .partial) {
      Mutator(\.marks) { [token] (marks: inout Marks, step: StormStep) in
        withExtendedLifetime(token) {}
        flaws.note(
          "step \(step.number) of dispatcher \(step.dispatcher) came after "
            + "\(marks.last[step.dispatcher])",
          unless: marks.last[step.dispatcher] == step.number - 1)
        flaws.note(
          "a step of dispatcher \(step.dispatcher) came between the members of an array",
          unless: marks.left == 0 || marks.left == step.left + 1)
        marks.last[step.dispatcher] = step.number
        marks.total += 1
        marks.left = step.left
      }
      .on(StormBeat.self) { marks, _ in
        flaws.note("a beat came between the members of an array", unless: marks.left == 0)
        marks.beats += 1
      }
      Mutator(\.beat) { (beat: inout Int, action: StormBeat) in
        beat += 1
        if action.isStreamed { streamed.increment() }
      }
      Constant(\.token)
    }
  }
}
