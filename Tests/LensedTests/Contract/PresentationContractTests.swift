import Lensed
import LensedPresenters
import LensedTestSupport
import Testing

private typealias AppState = Contract.AppState
private typealias AppAction = Contract.AppAction
private typealias OtherAction = Contract.OtherAction

/// A presenter with every member, as the contract spells them.
private struct CounterPresenter: Presenter {
  typealias State = AppState

  struct Props: Equatable {
    let text: String
    let increase: Command
  }

  let calls = Recorder<String>()

  func reaction(to change: Change<AppState>) -> Reaction {
    switch change.action {
    case AppAction.clear?: .command(Command("clear") { [calls] in calls.append("command") })
    case AppAction.stop?: .route(Command("stop") { [calls] in calls.append("route") })
    default: change.didChange(\.counter.value) ? .props : .none
    }
  }

  func props(for state: AppState, dispatch: Dispatcher) -> Props {
    Props(
      text: "\(state.counter.value)",
      increase: Command("increase") { dispatch(AppAction.increase(1)) })
  }

  func onStart(_ state: AppState, dispatch: Dispatcher) { calls.append("start") }
  func onStop(_ state: AppState, dispatch: Dispatcher) { calls.append("stop") }
}

/// A presenter with what has no default alone.
private struct PlainPresenter: Presenter {
  func props(for state: AppState, dispatch: Dispatcher) -> Int { state.counter.value }
}

/// Attacked in depth by the suites of `LensedPresentersTests`.
@Suite("Presenters render props, run commands, pause and resume", .timeLimit(.minutes(30)))
@MainActor
struct PresentationContractTests {
  private let store: Store<AppState>
  private let shown = Recorder<CounterPresenter.Props>()
  private let presenter = CounterPresenter()

  private var texts: [String] { shown.values.map(\.text) }

  init() throws {
    store = try Contract.makeStore()
  }

  private func present(skippingEqualProps: Bool = false) -> Presentation {
    store.present(presenter, skippingEqualProps: skippingEqualProps) { @MainActor [shown] props in
      MainActor.assertIsolated()
      shown.append(props)
    }
  }

  @Test func `start, stop: the first delivery after each start is props, whatever reaction says`()
    async
  {
    let presentation: Presentation = present()
    for count in 1...2 {
      presentation.start()
      await shown.waitForCount(count)
      presentation.stop()
      store.dispatch(AppAction.increase(1))
    }
    #expect(texts == ["0", "1"])
    #expect(presenter.calls.values == ["start", "stop", "start", "stop"])
  }

  @Test func `props, none, command and route`() async {
    let presentation = present()
    presentation.start()
    await shown.waitForCount(1)
    for action in [AppAction.line(1), .clear, .stop, .increase(1)] { store.dispatch(action) }
    await shown.waitForCount(2)
    #expect(texts == ["0", "1"])
    #expect(presenter.calls.values == ["start", "command", "route"])
    presentation.stop()
  }

  @Test func `paused it drops changes, and recomputes on resume`() async {
    let presentation = present()
    presentation.start()
    await shown.waitForCount(1)
    presentation.pause()
    for action in [AppAction.increase(1), .increase(2), .stop] { store.dispatch(action) }
    presentation.resume()
    await shown.waitForCount(2)
    #expect(texts == ["0", "3"])
    #expect(presenter.calls.values == ["start"])
    presentation.stop()
  }

  @Test func `equal props are skipped on request`() async {
    let presentation = present(skippingEqualProps: true)
    presentation.start()
    await shown.waitForCount(1)
    presentation.pause()
    presentation.resume()
    store.dispatch(AppAction.increase(1))
    await shown.waitForCount(2)
    #expect(texts == ["0", "1"])
    presentation.stop()
  }

  @Test(.warnsOnPurpose) func `reaction, onStart and onStop have defaults: props for every commit`()
    async
  {
    let counts = Recorder<Int>()
    let presentation = store.present(PlainPresenter()) { counts.append($0) }
    presentation.start()
    store.dispatch(AppAction.line(1))
    store.dispatch(StrayAction())
    store.dispatch(AppAction.increase(1))
    #expect(await counts.waitForCount(4) == [0, 0, 0, 1])
    presentation.stop()
  }

  @Test func `a command compares by id and is called like a function; without one it has its own`()
  {
    let calls = Counter()
    let command = Command("count") { calls.increment() }
    command()
    #expect(calls.value == 1)
    #expect(command == Command("count") {})
    #expect(command != Command("other") {})
    #expect(Command {} != Command {})
    let props = presenter.props(for: store.state, dispatch: Dispatcher(store))
    #expect(props == presenter.props(for: store.state, dispatch: Dispatcher(store)))
    props.increase()
    #expect(store.counter.value == 1)
  }

  @Test(.warnsOnPurpose) func `a scope can be presented too`() async {
    struct Names: Presenter {
      func props(for user: Contract.UserState, dispatch: Dispatcher) -> String { user.name ?? "-" }
    }
    let names = Recorder<String>()
    let presentation = store.scope(\.user).present(Names()) { names.append($0) }
    presentation.start()
    store.dispatch(StrayAction())
    store.dispatch(OtherAction.logIn("a"))
    #expect(await names.waitForCount(2) == ["-", "a"])
    presentation.stop()
  }
}
