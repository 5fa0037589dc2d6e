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
    case until, untilWithin, next, nextWithin, changes, changesFromRun, finish, finishThrowing
    case request, sequence, states, event
  }

  @Test(arguments: Await.allCases)
  func `its error handler hears of nothing, and the wait ends`(awaited: Await) async throws {
    let errors = Recorder<String>()
    var random = SeededGenerator(seed: 7)
    for _ in 0..<(150 * VerificationLength.factor) {
      let (begun, ended) = (Counter(), Counter())
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
          defer { ended.increment() }
          try await Self.wait(awaited, context)
        }
        .keepingChanges()
      }
      _ = store?.dispatch(Begin())
      let hasBegun = Bool.random(using: &random)
      if hasBegun { await begun.wait(for: 1) }
      for _ in 0..<Int.random(in: 0..<3, using: &random) { store?.dispatch(Bump()) }
      for _ in 0..<Int.random(in: 0..<4, using: &random) { await Task.yield() }
      store = nil
      if hasBegun { await ended.wait(for: 1) }
    }
    for _ in 0..<20 { await Task.yield() }
    #expect(errors.values == [])
  }

  @Test func `whoever waits outside of it ends, and is told of no error of an effect`() async throws
  {
    let errors = Recorder<String>()
    var random = SeededGenerator(seed: 8)
    for _ in 0..<(100 * VerificationLength.factor) {
      var store: Store<App>? = try Store(
        initialState: App(), coverage: .partial,
        onEffectError: { errors.append("\($0.underlying)") }, onWarning: { _ in }
      ) {
        Mutator(\App.count) { (count: inout Int, _: Bump) in count += 1 }
        Effect<App>(on: Begin.self) { _, _ in try await Gate().wait() }
        Effect<App>(on: Begin.self) { _, _ in }.debounced(for: .seconds(1_000))
      }
      // Nobody but these waits keeps the core: a caller of the store's own methods would keep the store.
      let core = try #require(store).view.core
      let scope = try #require(store).asScope
      let task = store?.dispatch(Begin())
      let site = CallSite()
      let waits: [@Sendable () async throws -> Void] = [
        { try await core.settle(from: site) }, { try await core.flush(from: site) },
        { _ = try await scope.request(Begin(), answeredBy: Never.self) },
        { try await task?.finish(throwing: .effects) },
      ]
      try await withThrowingTaskGroup(of: Void.self) { group in
        // How it ends is its own matter, as long as it does.
        for wait in waits { group.addTask { try? await wait() } }
        for _ in 0..<Int.random(in: 0..<6, using: &random) { await Task.yield() }
        store = nil
        try await group.waitForAll()
      }
    }
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
    case .changesFromRun: for await _ in context.changes(from: .run) {}
    case .finishThrowing: try await context.dispatch(Never()).finish(throwing: .effects)
    case .request: _ = try await context.request(Never(), answeredBy: Bump.self)
    case .finish, .event: try await context.dispatch(Never()).finish()
    case .sequence:
      let ticks = AsyncStream<Bump> { _ in }
      try await context.dispatch(AsyncActions(ticks)).finish()
    case .states: for await _ in context.states(\.count) {}
    }
  }
}
