import Lensed
import LensedPresenters
import LensedTestSupport
import Testing

@Suite("Presentation: of a scope", .timeLimit(.minutes(30)))
@MainActor
struct PresentationScopeTests {
  private enum Left {}

  private struct App: Sendable, Equatable {
    var left = Desk()
    var right = Desk()
  }

  private let store: Store<App>

  init() throws {
    store = try Store(initialState: App(), coverage: .partial) {
      Desk.countMutator.lifted(Lens(\App.left)).tagged(Left.self)
      Desk.titleMutator.lifted(Lens(\App.left)).tagged(Left.self)
      Desk.countMutator.lifted(Lens(\App.right))
    }
  }

  @Test(.warnsOnPurpose) func `it is asked about the commits that touch its part, and no others`()
    async
  {
    let left = store.scope(\.left, actions: .tagged(Left.self))
    let heard = Recorder<DeskPresenter.Props>()
    let presenter = DeskPresenter()
    let presentation = left.present(presenter) { heard.append($0) }
    presentation.start()
    store.dispatch(CountAction.add(7))
    left.dispatch(StrayAction())
    left.dispatch(CountAction.add(1))
    store.dispatch(CountAction.add(7))
    left.dispatch(TitleAction.rename("L"))
    #expect(await heard.waitForCount(3) == [.init(0), .init(1), .init(1, "L")])
    #expect(presenter.calls.values == ["start 0", "reaction 1", "reaction 1"])
    presentation.stop()
  }

  @Test func `changes are of its part: state, previous, didChange and touches`() async {
    let left = store.scope(\.left, actions: .tagged(Left.self))
    let seen = Recorder<String>()
    var presenter = DeskPresenter()
    presenter.react = { change in
      seen.append(
        "\(change.previous?.count ?? -1)→\(change.state.count) "
          + "\(change.didChange(\.count)) \(change.didChange(\.title)) "
          + "\(change.touches(\.count)) \(change.touches(Lens(\.title)))")
      return .none
    }
    let presentation = left.present(presenter) { _ in }
    presentation.start()
    left.dispatch(CountAction.add(1))
    left.dispatch(TitleAction.rename("L"))
    store.replaceState(App(left: Desk(count: 5)))
    #expect(
      await seen.waitForCount(3) == [
        "0→1 true false true false", "1→1 false true false true", "1→5 true true true true",
      ])
    presentation.stop()
  }

  @Test func `the action is the feature's own, without its tag`() async {
    let left = store.scope(\.left, actions: .tagged(Left.self))
    let seen = Recorder<String>()
    var presenter = DeskPresenter()
    presenter.react = { change in
      switch change.action {
      case let action as CountAction: seen.append("\(action)")
      case let actions as [CountAction]: seen.append("\(actions.count) counts")
      case let list as ActionList: seen.append("list of \(list.actions.count)")
      default: seen.append("\(change.action.map { "\($0)" } ?? "none")")
      }
      return .none
    }
    let presentation = left.present(presenter) { _ in }
    presentation.start()
    left.dispatch(CountAction.add(1))
    left.dispatch([CountAction.add(1), .add(2)])
    left.dispatch([CountAction.add(1), TitleAction.rename("L")])
    store.replaceState(App())
    #expect(await seen.waitForCount(4) == ["add(1)", "2 counts", "list of 2", "none"])
    presentation.stop()
  }

  @Test func `what it dispatches is tagged`() async {
    let left = store.scope(\.left, actions: .tagged(Left.self))
    let heard = Recorder<DeskPresenter.Props>()
    var presenter = DeskPresenter()
    presenter.started = { _, dispatch in dispatch(CountAction.add(3)) }
    let presentation = left.present(presenter) { heard.append($0) }
    presentation.start()
    #expect(store.state == App(left: Desk(count: 3)))
    #expect(await heard.waitForCount(2) == [.init(0), .init(3)])
    presentation.stop()
  }

  @Test func `a holder and an object receive from a scope too`() async {
    let left = store.scope(\.left, actions: .tagged(Left.self))
    let holder = PropsHolder<DeskPresenter.Props>()
    let heard = Recorder<Int>()
    let presentations = [
      left.present(DeskPresenter(), to: holder),
      left.present(DeskPresenter(), to: heard) { heard, props in heard.append(props.count) },
    ]
    for presentation in presentations { presentation.start() }
    left.dispatch(CountAction.add(1))
    #expect(await heard.waitForCount(2) == [0, 1])
    let rendered = Recorder<Int>()
    holder.attach { rendered.append($0.count) }
    left.dispatch(CountAction.add(1))
    await heard.waitForCount(3)
    while rendered.last != 2 { await Task.yield() }
    for presentation in presentations { presentation.stop() }
  }
}
