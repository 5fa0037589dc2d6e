import Lensed
import LensedTestSupport
import Testing

@Suite("Dispatches and reads are linearizable", .timeLimit(.minutes(30)))
struct LinearizabilityTests {
  private struct Model: Hashable {
    var count = 0
    var notes: [Int] = []
  }

  private enum Operation: Sendable {
    case add(Int)
    case addAndSee(Int)
    case addAndNote(Int)
    case addTwiceMixed(Int)
    case replace(Int)
    case seeCount, seeAll, seeScope
  }

  private enum Outcome: Sendable, Hashable {
    case done
    case count(Int)
    case all(Int, [Int])
  }

  private typealias Step = Recorded<Operation, Outcome>

  /// One thread's view of what an operation does.
  private static func perform(_ model: inout Model, _ operation: Operation) -> Outcome {
    switch operation {
    case .add(let amount):
      model.count += amount
      return .done
    case .addAndSee(let amount):
      model.count += amount
      return .count(model.count)
    case .addAndNote(let amount):
      model.count += amount
      model.notes.append(amount)
      return .done
    case .addTwiceMixed(let amount):
      model.count += 2 * amount
      return .done
    case .replace(let count):
      model = Model(count: count)
      return .done
    case .seeCount, .seeScope:
      return .count(model.count)
    case .seeAll:
      return .all(model.count, model.notes)
    }
  }

  private static func perform(_ store: Store<Desk>, _ operation: Operation) -> Outcome {
    switch operation {
    case .add(let amount):
      store.dispatch(CountAction.add(amount))
    case .addAndSee(let amount):
      return .count(store.dispatch(CountAction.add(amount), focusingOn: \.count))
    case .addAndNote(let amount):
      store.dispatch([CountAction.add(amount), NoteAction.append(amount)])
    case .addTwiceMixed(let amount):
      store.dispatch([CountAction.add(amount), .add(amount)])
    case .replace(let count):
      store.replaceState(Desk(count: count))
    case .seeCount:
      return .count(store.count)
    case .seeScope:
      return .count(store.scope(\.count).state)
    case .seeAll:
      let state = store.state
      return .all(state.count, state.notes)
    }
    return .done
  }

  private static func operation(
    _ amount: Int, using random: inout SeededGenerator
  ) -> Operation {
    switch Int.random(in: 0..<16, using: &random) {
    case 0..<2: .add(amount)
    case 2..<5: .addAndSee(amount)
    case 5..<7: .addAndNote(amount)
    case 7: .addTwiceMixed(amount)
    case 8: .replace(amount)
    case 9..<12: .seeCount
    case 12: .seeScope
    default: .seeAll
    }
  }

  /// Has threads do what a seed says, and writes down what they saw.
  private static func record(seed: UInt64, threads: Int, steps: Int) throws -> [Step] {
    let store = try Desk.makeStore()
    let (time, history) = (Counter(), Recorder<Step>())
    Threads.run(threads) { thread in
      var random = SeededGenerator(seed: seed &* 31 &+ UInt64(thread))
      for step in 0..<steps {
        // No two amounts are alike, so that an outcome tells which operations are in it.
        let amount = 1 << (thread * steps + step)
        let operation = operation(amount, using: &random)
        let called = time.increment()
        let outcome = perform(store, operation)
        let returned = time.increment()
        history.append(
          Recorded(operation: operation, outcome: outcome, called: called, returned: returned))
      }
    }
    return history.values
  }

  private static func isLinearizable(_ history: [Step]) -> Bool {
    var check = LinearizabilityCheck<Model, Operation, Outcome>(history) { perform(&$0, $1) }
    return check.holds(from: Model())
  }

  @Test(arguments: [3_000, 4_000] as [UInt64])
  func `what threads do at once could have been done one after another`(seed: UInt64) throws {
    var (overlaps, round) = (0, 0)
    // On a busy machine threads seldom meet.
    while round < 300 || overlaps <= 100 && round < 10_000 {
      round += 1
      let history = try Self.record(seed: seed + UInt64(round), threads: 4, steps: 12)
      let place: Comment = "seed \(seed + UInt64(round)): \(history)"
      try #require(Self.isLinearizable(history), place)
      overlaps += history.count { $0.returned > $0.called + 1 }
    }
    #expect(overlaps > 100, "threads have met")
  }

  // The check itself must be able to say no.

  private func step(_ operation: Operation, _ outcome: Outcome, _ called: Int, _ returned: Int)
    -> Step
  {
    Recorded(operation: operation, outcome: outcome, called: called, returned: returned)
  }

  @Test func `a read that misses what had returned before it is refused`() {
    #expect(
      !Self.isLinearizable([step(.add(1), .done, 0, 1), step(.seeCount, .count(0), 2, 3)]))
    #expect(Self.isLinearizable([step(.add(1), .done, 0, 2), step(.seeCount, .count(0), 1, 3)]))
  }

  @Test func `a lost update is refused, in whatever order`() {
    let both = [
      step(.addAndSee(1), .count(1), 0, 2), step(.addAndSee(2), .count(2), 1, 3),
    ]
    #expect(!Self.isLinearizable(both))
  }

  @Test func `the middle of an array is refused`() {
    #expect(
      !Self.isLinearizable([
        step(.addAndNote(1), .done, 0, 3), step(.seeAll, .all(1, []), 1, 2),
      ]))
  }

  @Test func `two readers that disagree about the order are refused`() {
    #expect(
      !Self.isLinearizable([
        step(.add(1), .done, 0, 9), step(.add(2), .done, 1, 10),
        step(.seeCount, .count(1), 2, 3), step(.seeCount, .count(2), 4, 5),
      ]))
  }
}
