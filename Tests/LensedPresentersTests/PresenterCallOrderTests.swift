import Lensed
import LensedPresenters
import LensedTestSupport
import Testing

@Suite("Presenter: onStart, then its props, then onStop", .timeLimit(.minutes(30)))
@MainActor
struct PresenterCallOrderTests {
  private let log = Recorder<String>()

  /// Presents a store, and calls `body` within the first `onStart`.
  private func present(
    _ store: Store<Desk>, _ presenter: inout DeskPresenter,
    within body: @escaping @MainActor @Sendable (Presentation) -> Void
  ) -> Presentation {
    let (own, calls) = (WeakReference<Presentation>(), Counter())
    presenter.started = { _, _ in
      if calls.increment() > 0 { return }
      MainActor.assumeIsolated { if let presentation = own.object { body(presentation) } }
    }
    let presentation = store.present(presenter) { [log] in log.append("props \($0.count)") }
    own.refer(to: presentation)
    return presentation
  }

  @Test func `stop within onStart stops after it, without props`() throws {
    let store = try Desk.makeStore()
    var presenter = DeskPresenter()
    let presentation = present(store, &presenter) { $0.stop() }
    presentation.start()
    #expect(presenter.starts == ["start 0", "stop 0"])
    #expect(log.values == [])
  }

  @Test func `stopped and started again within onStart, it is called for each, in order`() throws {
    let store = try Desk.makeStore()
    var presenter = DeskPresenter()
    let presentation = present(store, &presenter) { presentation in
      for _ in 0..<2 {
        presentation.stop()
        presentation.start()
      }
    }
    presentation.start()
    #expect(presenter.starts == ["start 0", "stop 0", "start 0", "stop 0", "start 0"])
    #expect(log.values == ["props 0"])
    presentation.stop()
    #expect(presenter.starts.last == "stop 0")
  }

  @Test func `paused and resumed within onStart, props are of the newest state`() async throws {
    var presenter = DeskPresenter()
    let store = try Desk.makeStore()
    let presentation = present(store, &presenter) { presentation in
      presentation.pause()
      store.dispatch(CountAction.add(1))
      presentation.resume()
      store.dispatch(CountAction.add(1))
    }
    presentation.start()
    #expect(await log.waitForCount(2) == ["props 1", "props 2"])
    #expect(presenter.starts == ["start 0"])
    presentation.stop()
  }
}
