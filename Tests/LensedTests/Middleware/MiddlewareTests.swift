import Lensed
import LensedTestSupport
import Testing

/// Middleware that notes what it sees, and judges as it is told.
private final class Probe: Middleware {
  let name: String
  let log: Recorder<String>
  let judge: @Sendable (any Action, MiddlewareContext<Desk>) -> Verdict
  let stores = Recorder<ScopedStore<Desk>>()

  init(
    _ name: String, _ log: Recorder<String>,
    judge: @escaping @Sendable (any Action, MiddlewareContext<Desk>) -> Verdict = { _, _ in .proceed
    }
  ) {
    (self.name, self.log, self.judge) = (name, log, judge)
  }

  func willReduce(_ action: any Action, _ context: MiddlewareContext<Desk>) -> Verdict {
    log.append("\(name)? \(action) at \(context.state.count)")
    return judge(action, context)
  }

  func didReduce(_ change: Change<Desk>) {
    log.append("\(name)! \(change.state.count)")
  }

  func attached(to store: ScopedStore<Desk>) { stores.append(store) }
}

@Suite("Middleware", .timeLimit(.minutes(30)))
struct MiddlewareTests {
  private let log = Recorder<String>()

  private func store(_ middleware: [any Middleware<Desk>]) -> Store<Desk> {
    let store = Store(initialState: Desk(), coverage: .partial, middleware: middleware)
    try? store.register(
      Feature {
        Mutator(\Desk.count) { (count: inout Int, action: CountAction) in
          if case .add(let amount) = action { count += amount }
        }
        Mutator(\Desk.title) { (title: inout String, action: TitleAction) in
          if case .rename(let text) = action { title = text }
        }
      })
    return store
  }

  @Test func `several are asked and told in order, with the state of the moment`() {
    let store = store([Probe("a", log), Probe("b", log)])
    store.dispatch(CountAction.add(2))
    store.dispatch(CountAction.add(3))
    #expect(
      log.values == [
        "a? add(2) at 0", "b? add(2) at 0", "a! 2", "b! 2",
        "a? add(3) at 2", "b? add(3) at 2", "a! 5", "b! 5",
      ])
  }

  @Test func `a replacement is seen by those after it alone`() {
    let double = Probe("b", log) { action, _ in
      if case CountAction.add(let amount) = action {
        .replace(with: CountAction.add(amount * 2))
      } else {
        .proceed
      }
    }
    let store = store([Probe("a", log), double, Probe("c", log)])
    store.dispatch(CountAction.add(2))
    #expect(store.count == 4)
    #expect(
      log.values.prefix(3) == ["a? add(2) at 0", "b? add(2) at 0", "c? add(4) at 0"])
  }

  @Test func `what is dropped makes no commit, and nobody after hears of it`() {
    let store = store([Probe("a", log) { _, _ in .drop }, Probe("b", log)])
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { heard.append($0) }
    store.dispatch(CountAction.add(2))
    #expect(log.values == ["a? add(2) at 0"])
    #expect(heard.values == [0])
    subscription.cancel()
  }

  @Test func `a list is offered member by member, and what is left is one commit`() {
    let odd = Probe("a", log) { action, _ in
      if case CountAction.add(let amount) = action, amount.isMultiple(of: 2) {
        .drop
      } else {
        .proceed
      }
    }
    let store = store([odd])
    store.dispatch([CountAction.add(1), .add(2), .add(3)])
    store.dispatch([CountAction.add(2), TitleAction.rename("x")])
    #expect(
      log.values == [
        "a? add(1) at 0", "a? add(2) at 0", "a? add(3) at 0", "a! 4",
        "a? add(2) at 4", "a? rename(\"x\") at 4", "a! 4",
      ])
    #expect(store.title == "x")
  }

  @Test func `one action may become a list, or a sequence over time`() async throws {
    let spread = Probe("a", log) { action, _ in
      guard case CountAction.add(let amount) = action, amount >= 10 else { return .proceed }
      if amount == 10 { return .replace(with: [CountAction.add(1), .add(2)]) }
      return .replace(
        with: AsyncActions(
          AsyncStream<CountAction> { stream in
            for _ in 0..<3 { stream.yield(.add(1)) }
            stream.finish()
          }))
    }
    let store = store([spread])
    store.dispatch(CountAction.add(10))
    #expect(store.count == 3)
    try await store.dispatch(CountAction.add(11)).finish()
    #expect(store.count == 6)
  }

  @Test func `what a sequence yields is offered as it comes`() async throws {
    let store = store([Probe("a", log)])
    let actions = AsyncStream<CountAction> { stream in
      stream.yield(.add(1))
      stream.yield(.add(2))
      stream.finish()
    }
    try await store.dispatch(actions).finish()
    #expect(log.values == ["a? add(1) at 0", "a! 1", "a? add(2) at 1", "a! 3"])
  }

  @Test func `it sees where the action was dispatched`() {
    let sites = Recorder<String>()
    let store = store([
      Probe("a", log) { _, context in
        sites.append("\(context.fileID) \(context.function) \(context.line)")
        return .proceed
      }
    ])
    store.dispatch(CountAction.add(1), fileID: "Shop/Cart.swift", function: "buy()", line: 7)
    #expect(sites.values == ["Shop/Cart.swift buy() 7"])
  }

  @Test func `it may dispatch from both, which is heard after the present commit`() {
    let probe = Probe("a", log)
    let echo = Probe("b", log) { action, _ in
      if case CountAction.add(1) = action { probe.stores.last?.dispatch(CountAction.add(10)) }
      return .proceed
    }
    let store = store([probe, echo])
    store.dispatch(CountAction.add(1))
    #expect(store.count == 11)
    #expect(log.values.filter { $0.contains("!") } == ["a! 10", "b! 10", "a! 11", "b! 11"])
  }

  @Test func `a focused dispatch that was dropped gives the state as it is`() {
    let store = store([Probe("a", log) { _, _ in .drop }])
    #expect(store.dispatch(CountAction.add(1), focusingOn: \.count) == 0)
  }

  @Test func `didReduce follows commit order, from several threads too`() async {
    let revisions = Recorder<UInt64>()
    final class Order: Middleware {
      let revisions: Recorder<UInt64>
      init(_ revisions: Recorder<UInt64>) { self.revisions = revisions }
      func didReduce(_ change: Change<Desk>) { revisions.append(change.revision) }
    }
    let store = store([Order(revisions)])
    Threads.run(4) { _ in
      for _ in 0..<500 { store.dispatch(CountAction.add(1)) }
    }
    #expect(store.count == 2_000)
    await revisions.waitForCount(2_000)
    #expect(revisions.values == Array(1...2_000))
  }

  @Test func `nothing keeps a store, or its middleware, once both are let go`() {
    var probe: Probe? = Probe("a", log)
    let watched = WeakReference(probe)
    var store: Store<Desk>? = probe.map { self.store([$0]) }
    let core = WeakReference(store)
    let scope = probe?.stores.last
    probe = nil
    store?.dispatch(CountAction.add(1))
    store = nil
    #expect(core.object == nil)
    #expect(watched.object == nil)
    #expect(scope?.dispatchTarget.isOpen == false)
    scope?.dispatch(CountAction.add(1))
    #expect(scope?.count == 1)
  }

  @Test func `one instance in two stores traps`() async {
    await #expect(processExitsWith: .failure) {
      let probe = Probe("a", Recorder())
      let first = Store(initialState: Desk(), coverage: .partial, middleware: [probe])
      let second = Store(initialState: Desk(), coverage: .partial, middleware: [probe])
      _ = (first, second)
    }
  }

  @Test func `one instance twice in one store traps, and the message has this case`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let probe = Probe("a", Recorder())
      _ = Store(initialState: Desk(), coverage: .partial, middleware: [probe, probe])
    }
    #expect(result.message.contains("to one store twice"))
  }

  @Test func `focusingOn blames middleware for a sequence that middleware put there`() async throws
  {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let probe = Probe("a", Recorder()) { _, _ in
        .replace(with: AsyncActions(AsyncStream<CountAction> { $0.finish() }))
      }
      let store = Store(initialState: Desk(), coverage: .partial, middleware: [probe])
      store.dispatch(TitleAction.rename("a"), focusingOn: \.title)
    }
    #expect(result.message.contains("`TitleAction` was dispatched with focusingOn:"))
    #expect(result.message.contains("middleware put in its place an asynchronous sequence"))
  }

  @Test func `an instance may go on to another store once its first has gone`() {
    let probe = Probe("a", log)
    for _ in 0..<2 {
      let store = store([probe])
      store.dispatch(CountAction.add(1))
    }
    #expect(log.values.filter { $0 == "a! 1" }.count == 2)
  }
}
