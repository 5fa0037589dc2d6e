/// Somebody who is called back, and looks whether what it hears can be true.
final class StormWitness: Sendable {
  private struct Memory: Sendable {
    var calls = 0
    var progress = -1
    var beat = -1
    var digest: UInt64 = 0
  }

  private let memory = Fenced(Memory())
  private let inside = Guard()
  private let name: String
  private let flaws: StormFlaws
  private let load: StormLoad?

  init(_ name: String, _ flaws: StormFlaws, _ load: StormLoad? = nil) {
    (self.name, self.flaws, self.load) = (name, flaws, load)
  }

  /// How often it was called.
  var calls: Int { memory.withLock(\.calls) }

  /// What it heard, in which order, as one number.
  var digest: UInt64 { memory.withLock(\.digest) }

  /// Hears of the whole state.
  func hear(_ state: StormState) {
    alone {
      flaws.note("\(name) saw the middle of an array", unless: state.marks.left == 0)
      flaws.note(
        "\(name) saw a state between two reducers", unless: state.marks.beats == state.beat)
      let progress = state.marks.total + state.beat + state.guest
      memory.withLock { memory in
        flaws.note(
          "\(name) heard \(progress) after \(memory.progress)", unless: progress > memory.progress)
        memory.progress = progress
        memory.calls += 1
        memory.digest = memory.digest &* 31 &+ UInt64(state.marks.total) &* 7 &+ UInt64(state.beat)
      }
    }
  }

  /// Hears of the beats alone, each of which it must hear.
  func hear(beat: Int) {
    alone {
      memory.withLock { memory in
        flaws.note(
          "\(name) heard beat \(beat) after \(memory.beat)",
          unless: memory.calls == 0 || beat == memory.beat + 1)
        memory.beat = beat
        memory.calls += 1
      }
    }
  }

  private func alone(_ body: () -> Void) {
    load?.note()
    flaws.note("two calls of \(name) overlapped", unless: inside.enter())
    body()
    inside.leave()
  }
}
