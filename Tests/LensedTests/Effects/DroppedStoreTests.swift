import LensedTestSupport
import LensedTesting
import Testing

@testable import Lensed

/// Every await that an effect may make, while its store goes at a random moment.
@Suite("The end of a store is no error of what waits in it", .timeLimit(.minutes(30)))
struct DroppedStoreTests {
  private struct Begin: Action {}
  private struct Bump: Action {}
  private struct Never: Action {}
  private struct App: Sendable, Equatable {
    var count = 0
    var page = 0
  }

  enum Await: CaseIterable, Sendable {
    case until, untilWithin, next, nextWithin, changes, finish, sequence, states, event
  }

  @Test(arguments: Await.allCases)
  func `its error handler hears of nothing`(awaited: Await) async throws {
    let errors = Recorder<String>()
    var random = SeededGenerator(seed: 7)
    for _ in 0..<(150 * VerificationLength.factor) {
      let begun = Counter()
      var store: Store<App>? = try Store(
        initialState: App(), coverage: .partial,
        onEffectError: { errors.append("\($0.underlying)") }, onWarning: { _ in }
      ) {
        Mutator(\App.count) { (count: inout Int, _: Bump) in count += 1 }
        AsyncMutator(\App.page) { (page: Int, _: Never) -> AsyncResult<Int> in
          AsyncResult {
            try await Gate().wait()
            return page
          }
        }
        Effect<App>(on: Begin.self) { _, context in
          begun.increment()
          try await Self.wait(awaited, context)
        }
        .keepingChanges()
      }
      _ = store?.dispatch(Begin())
      if Bool.random(using: &random) { await begun.wait(for: 1) }
      for _ in 0..<Int.random(in: 0..<3, using: &random) { store?.dispatch(Bump()) }
      for _ in 0..<Int.random(in: 0..<4, using: &random) { await Task.yield() }
      store = nil
    }
    for _ in 0..<20 { await Task.yield() }
    #expect(errors.values == [])
  }

  private static func wait(_ awaited: Await, _ context: EffectContext<App>) async throws {
    switch awaited {
    case .until: try await context.until { $0.count > 9 }
    case .untilWithin:
      try await context.until(within: .seconds(1_000)) { $0.count > 9 }
    case .next: _ = try await context.next(Never.self)
    case .nextWithin: _ = try await context.next(Never.self, within: .seconds(1_000))
    case .changes: for await _ in context.changes() {}
    case .finish, .event: try await context.dispatch(Never()).finish()
    case .sequence:
      let ticks = AsyncStream<Bump> { _ in }
      try await context.dispatch(AsyncActions(ticks)).finish()
    case .states: for await _ in context.states(\.count) {}
    }
  }
}
