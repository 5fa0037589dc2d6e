import Lensed
import LensedTestSupport
import Testing

private typealias AppState = Contract.AppState
private typealias AppAction = Contract.AppAction
private typealias OtherAction = Contract.OtherAction

@Suite("The action logger and the action throttle", .timeLimit(.minutes(30)))
struct ShippedMiddlewareContractTests {
  private struct Secret: Action, NotLogged {}

  @Test(.warnsOnPurpose) func `ActionLogger: what changed, field by field, and what is left out`()
    throws
  {
    let log = Recorder<String>()
    let logger = ActionLogger<AppState>(excluding: [OtherAction.self], to: { log.append($0) })
    let store = try Contract.makeStore(middleware: [logger])
    store.dispatch([AppAction.increase(3), .line(1)], fileID: "App/View.swift", line: 9)
    store.dispatch(OtherAction.logIn("a"))
    store.dispatch(Secret())
    #expect(log.count == 1)
    let text = log.last?.replacing(#/ in .*/#, with: "")
    #expect(
      text == """
        #1 AppAction.increase(3) at App/View.swift:9
        #1 AppAction.line(1) at App/View.swift:9
          counter.value: 0 → 3
          counter.log: [] → [1]
        """)
  }

  @Test func `ActionThrottle: leading edge, per value of a Hashable action`() {
    let clock = ManualClock()
    let throttle = ActionThrottle<Desk>(for: .milliseconds(300), clock: clock)
    let store = Store(initialState: Desk(), coverage: .partial, middleware: [throttle])
    try? store.register(Desk.countMutator)
    for _ in 1...2 { store.dispatch(CountAction.add(1)) }
    store.dispatch(CountAction.add(10))
    #expect(store.count == 11)
    clock.move(by: .milliseconds(299))
    store.dispatch(CountAction.add(1))
    #expect(store.count == 11)
    clock.move(by: .milliseconds(1))
    store.dispatch(CountAction.add(1))
    #expect(store.count == 12)
  }

  @Test func `History is one too`() throws {
    let history = History<AppState>(limit: 10)
    let middleware: [any Middleware<AppState>] = [history]
    try Contract.makeStore(middleware: middleware).dispatch(AppAction.increase(1))
    #expect(history.entries.count == 2)
  }
}
