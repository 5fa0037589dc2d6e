import Lensed
import LensedTestSupport
import Testing

@Suite("A thousand operators stand behind each other", .timeLimit(.minutes(30)))
struct DeepStreamTests {
  private enum Operators: String, CaseIterable, Codable, Sendable {
    case maps, filters, removals, pairs, selections

    /// How many of them count as a thousand.
    var most: Int { self == .selections ? 500 : 1_000 }

    func appended(_ count: Int, to start: StateStream<Int>) -> StateStream<Int> {
      var stream = start
      for _ in 0..<count {
        switch self {
        case .maps: stream = stream.map { $0 + 1 }
        case .filters: stream = stream.filter { $0 >= 0 }
        case .removals: stream = stream.removeDuplicates { _, _ in false }
        case .pairs: stream = stream.combineLatest(start) { first, _ in first }
        case .selections: stream = stream.select(\.self)
        }
      }
      return stream
    }
  }

  /// The calls of a build with a sanitizer need twice as much.
  private static var smallStack: Int {
    #if TSAN || ASAN
      2 * SmallStack.size
    #else
      SmallStack.size
    #endif
  }

  @Test(arguments: [1_000, 400], Operators.allCases)
  private func `they hold, and 400 on a small stack`(count: Int, operators: Operators) async {
    await #expect(processExitsWith: .success) { [count, operators = operators as Operators] in
      let store = try Desk.makeStore()
      let heard = Recorder<Int>()
      Threads.start(stackSize: count == 1_000 ? 8 << 20 : Self.smallStack) {
        let start = store.states(\.count)
        let stream = operators.appended(count * operators.most / 1_000, to: start)
        let subscription = stream.subscribe { heard.append($0) }
        store.dispatch(CountAction.add(1))
        subscription.cancel()
      }.wait()
      try #require(heard.count == 2)
    }
  }

  @Test(arguments: Operators.allCases)
  private func `one more traps with a sentence`(operators: Operators) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [operators = operators as Operators] in
      let store = try Desk.makeStore()
      let start = store.states(\.count)
      let most = operators.appended(operators.most, to: start)
      _ = operators.appended(1, to: most)
    }
    for part in ["more than 1,000 operators stand behind each other in a stream of `Int`", "`map`"]
    {
      #expect(result.message.contains(part), "\(result.message)")
    }
  }
}
