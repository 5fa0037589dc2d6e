import Lensed
import LensedTestSupport
import Testing

@Suite(
  "A scope commits nothing once its child has gone, though it went while the scope dispatched",
  .timeLimit(.minutes(30)))
struct DepartingChildTests {
  private struct Sheet: Sendable, Equatable {
    var number = 0
  }

  private struct App: Sendable {
    var sheet: Sheet? = Sheet()
    /// Counts the actions that were committed without a sheet.
    var strays = 0
  }

  private struct Increase: Action {}
  private enum Show: Action { case nothing }

  /// Closes the sheet while an action for it is on its way: the dispatch has begun, the commit has not.
  private final class Closing: Middleware {
    private let store = Recorder<ScopedStore<App>>()

    func attached(to store: ScopedStore<App>) { self.store.append(store) }

    func willReduce(_ action: any Action, _ context: MiddlewareContext<App>) -> Verdict {
      if !(action is Show) { store.last?.dispatch(Show.nothing) }
      return .proceed
    }
  }

  private static func increases() -> AsyncStream<Increase> {
    AsyncStream { continuation in
      for _ in 0..<3 { continuation.yield(Increase()) }
      continuation.finish()
    }
  }

  private typealias Dispatching = @Sendable (ScopedStore<Sheet>) async throws -> Void

  private static let forms: [(name: String, dispatch: Dispatching)] = [
    ("an action", { $0.dispatch(Increase()) }),
    ("an action with its result", { _ = $0.dispatch(Increase(), focusingOn: \.number) }),
    ("an array", { $0.dispatch([Increase(), Increase()]) }),
    ("a list", { $0.dispatch([Increase(), [Increase()]] as [any Action]) }),
    ("a sequence", { try await $0.dispatch(increases()).finish() }),
    (
      "a list with a sequence",
      {
        let list: [any Action] = [Increase(), AsyncActions(increases()), Increase()]
        try await $0.dispatch(list).finish()
      }
    ),
  ]

  private func makeStore(
    _ middleware: [any Middleware<App>], _ warnings: Recorder<StoreWarning>
  ) throws -> Store<App> {
    let increase = Reducer { (sheet: inout Sheet, _: Increase) in sheet.number += 1 }
    let stray = Mutator(lens: Lens(\App.strays)) { (app: App, _: Increase) in
      app.strays + (app.sheet == nil ? 1 : 0)
    }
    return try Store(
      initialState: App(), coverage: .partial, middleware: middleware,
      onWarning: { warnings.append($0) }
    ) {
      Mutator(\.sheet, increase.optional()).on(Show.self) { sheet, _ in sheet = nil }
      stray
    }
  }

  @Test func `a child that goes before the commit of an action is not there for any form of it`()
    async throws
  {
    for (name, dispatch) in Self.forms {
      let warnings = Recorder<StoreWarning>()
      let store = try makeStore([Closing()], warnings)
      let sheet = try #require(store.scope(\.sheet))
      try await dispatch(sheet)
      #expect((store.sheet, store.strays) == (nil, 0), "\(name)")
      #expect(Set(warnings.values.map(\.kind)) == [.departedScope], "\(name)")
    }
  }

  @Test func `a sequence writes nothing while the child is not there, with a warning`() async throws
  {
    let warnings = Recorder<StoreWarning>()
    let store = try makeStore([], warnings)
    let sheet = try #require(store.scope(\.sheet))
    let (actions, continuation) = AsyncStream<Increase>.makeStream()
    let task = sheet.dispatch(actions)
    let numbers = Recorder<Int?>()
    let subscription = store.states.map(\.sheet?.number).subscribe { numbers.append($0) }
    continuation.yield(Increase())
    #expect(await numbers.waitForCount(2) == [0, 1])
    store.dispatch(Show.nothing)
    continuation.yield(Increase())
    continuation.finish()
    try await task.finish()
    #expect((store.sheet, store.strays) == (nil, 0))
    #expect(warnings.values.map(\.kind) == [.departedScope])
    #expect(warnings.last?.action is Increase)
    subscription.cancel()
  }

  @Test func `a middleware is not asked about an action whose child has gone`() throws {
    let (warnings, asked) = (Recorder<StoreWarning>(), Recorder<String>())
    struct Asked: Middleware {
      let names: Recorder<String>
      func willReduce(_ action: any Action, _ context: MiddlewareContext<App>) -> Verdict {
        names.append("\(type(of: action))")
        return .proceed
      }
    }
    let store = try makeStore([Asked(names: asked)], warnings)
    let sheet = try #require(store.scope(\.sheet))
    store.dispatch(Show.nothing)
    sheet.dispatch([Increase(), Increase()])
    #expect(asked.values == ["Show"])
    #expect(warnings.values.map(\.kind) == [.departedScope])
    #expect(warnings.last?.action is [Increase])
  }
}
