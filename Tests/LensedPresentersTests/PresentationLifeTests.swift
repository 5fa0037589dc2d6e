import Lensed
import LensedPresenters
import LensedTestSupport
import Testing

@Suite("Presentation: start, stop, pause, resume", .timeLimit(.minutes(30)))
@MainActor
struct PresentationLifeTests {
  typealias Props = DeskPresenter.Props

  private let store: Store<Desk>
  private let presenter = DeskPresenter()
  private let heard = Recorder<Props>()

  init() throws { store = try Desk.makeStore() }

  private func present(skippingEqualProps: Bool = false) -> Presentation {
    let heard = heard
    return store.present(presenter, skippingEqualProps: skippingEqualProps) { props in
      MainActor.assertIsolated()
      heard.append(props)
    }
  }

  /// Returns when whatever was committed before has been presented by others too.
  private func settle() async {
    let seen = Recorder<Int>()
    let other = store.present(DeskPresenter()) { seen.append($0.count) }
    other.start()
    await seen.waitForCount(1)
    store.dispatch(CountAction.keep)
    await seen.waitForCount(2)
    other.stop()
  }

  @Test func `nothing is delivered before the start`() async {
    let presentation = present()
    store.dispatch(CountAction.add(1))
    await settle()
    #expect(heard.values == [])
    presentation.start()
    #expect(await heard.waitForCount(1) == [Props(1)])
    #expect(presenter.calls.values == ["start 1"])
  }

  @Test func `the first delivery after each start is props, whatever reaction says`() async {
    var presenter = presenter
    presenter.react = { _ in .none }
    let presentation = store.present(presenter, skippingEqualProps: true) { [heard] in
      heard.append($0)
    }
    presentation.start()
    await heard.waitForCount(1)
    presentation.stop()
    presentation.start()
    #expect(await heard.waitForCount(2) == [Props(0), Props(0)])
    #expect(presenter.starts == ["start 0", "stop 0", "start 0"])
  }

  @Test func `start returns after onStart, and what that dispatches is presented after the first`()
    async
  {
    var presenter = presenter
    presenter.started = { _, dispatch in dispatch(CountAction.add(5)) }
    let presentation = store.present(presenter) { [heard] in heard.append($0) }
    presentation.start()
    #expect(store.count == 5)
    #expect(await heard.waitForCount(2) == [Props(0), Props(5)])
  }

  private struct Album: Sendable {
    final class Photo: Sendable {}
    var photo: Photo?
    var count = 0
  }

  private struct AlbumPresenter: Presenter {
    func props(for state: Album, dispatch: Dispatcher) -> Int { state.count }
  }

  @Test func `the first state is let go once it is presented and a commit has come`() async {
    let heard = Recorder<Int>()
    let seen = WeakReference<Album.Photo>()
    func makeStore() -> Store<Album> {
      let photo = Album.Photo()
      seen.refer(to: photo)
      return Store(initialState: Album(photo: photo), coverage: .partial)
    }
    let album = makeStore()
    let presentation = album.present(AlbumPresenter()) { heard.append($0) }
    presentation.start()
    await heard.waitForCount(1)
    // The state before a commit is kept until the commit is presented.
    for count in 1...2 {
      album.replaceState(Album(count: count))
      await heard.waitForCount(1 + count)
    }
    #expect(seen.object == nil)
    presentation.stop()
  }

  @Test func `starting twice is starting once, stopping twice is stopping once`() async {
    let presentation = present()
    presentation.start()
    presentation.start()
    await heard.waitForCount(1)
    presentation.stop()
    presentation.stop()
    await settle()
    #expect(heard.values == [Props(0)])
    #expect(presenter.starts == ["start 0", "stop 0"])
  }

  @Test(arguments: [true, false])
  func `after a stop or a pause nothing is delivered, not even what was under way`(
    isStopped: Bool
  ) async {
    let presentation = present()
    presentation.start()
    store.dispatch(CountAction.add(1))
    if isStopped { presentation.stop() } else { presentation.pause() }
    await settle()
    #expect(heard.values == [Props(0)])
  }

  @Test func `paused it drops changes, and resumed it recomputes`() async {
    let presentation = present()
    presentation.start()
    await heard.waitForCount(1)
    presentation.pause()
    store.dispatch(CountAction.add(1))
    store.dispatch(CountAction.add(1))
    await settle()
    #expect(heard.values == [Props(0)])
    presentation.resume()
    #expect(await heard.waitForCount(2) == [Props(0), Props(2)])
    store.dispatch(CountAction.add(1))
    #expect(await heard.waitForCount(3).last == Props(3))
    #expect(presenter.starts == ["start 0"])
  }

  @Test func `what the pause dropped was not asked about`() async {
    let presentation = present()
    presentation.start()
    await heard.waitForCount(1)
    presentation.pause()
    store.dispatch(CountAction.add(1))
    presentation.resume()
    await heard.waitForCount(2)
    #expect(presenter.calls.values == ["start 0"])
  }

  @Test func `paused, it can be stopped and started, and start does not resume`() async {
    let presentation = present()
    presentation.start()
    await heard.waitForCount(1)
    presentation.pause()
    presentation.start()
    await settle()
    #expect(heard.count == 1)
    presentation.stop()
    presentation.resume()
    await settle()
    #expect(heard.count == 1)
    presentation.start()
    await heard.waitForCount(2)
    #expect(presenter.starts == ["start 0", "stop 0", "start 0"])
  }

  @Test func `equal props are skipped on request, also over a pause`() async {
    let presentation = present(skippingEqualProps: true)
    presentation.start()
    await heard.waitForCount(1)
    store.dispatch(NoteAction.append(1))
    store.dispatch(CountAction.add(1))
    #expect(await heard.waitForCount(2) == [Props(0), Props(1)])
    presentation.pause()
    presentation.resume()
    store.dispatch(NoteAction.append(2))
    store.dispatch(CountAction.add(1))
    #expect(await heard.waitForCount(3) == [Props(0), Props(1), Props(2)])
  }

  @Test func `without the request they are not`() async {
    let presentation = present()
    presentation.start()
    await heard.waitForCount(1)
    store.dispatch(NoteAction.append(1))
    #expect(await heard.waitForCount(2) == [Props(0), Props(0)])
  }

  @Test func `releasing it stops it`() async {
    var presentation: Presentation? = present()
    presentation?.start()
    await heard.waitForCount(1)
    store.dispatch(CountAction.add(1))
    presentation = nil
    await settle()
    #expect(presenter.starts == ["start 0", "stop 1"])
    #expect(heard.values == [Props(0)])
  }
}

@Suite("Presentation: lifetimes", .timeLimit(.minutes(30)))
@MainActor
struct PresentationLifetimeTests {
  typealias Props = DeskPresenter.Props

  @Test func `it does not keep the store alive, and ends with it, after the last props`()
    async throws
  {
    var store: Store<Desk>? = try Desk.makeStore()
    let reference = WeakReference(store)
    let presenter = DeskPresenter()
    let heard = Recorder<Props>()
    let presentation = try #require(store).present(presenter) { heard.append($0) }
    presentation.start()
    await heard.waitForCount(1)
    store?.dispatch(CountAction.add(1))
    store = nil
    #expect(reference.object == nil)
    #expect(await heard.waitForCount(2) == [Props(0), Props(1)])
    #expect(await presenter.calls.waitForCount(3) == ["start 0", "reaction 1", "stop 1"])
    presentation.stop()
    presentation.start()
    #expect(presenter.calls.count == 3)
  }

  @Test func `commands in its props do not keep the store alive`() throws {
    var store: Store<Desk>? = try Desk.makeStore()
    let reference = WeakReference(store)
    let scope = try #require(store).scope(Lens.identity)
    let seen = Recorder<Dispatcher>()
    var presenter = DeskPresenter()
    presenter.started = { seen.append($1) }
    let presentation = scope.present(presenter) { _ in }
    presentation.start()
    let dispatch = try #require(seen.last)
    dispatch(CountAction.add(1))
    #expect(store?.count == 1)
    store = nil
    #expect(reference.object == nil)
    dispatch(CountAction.add(1))
    #expect(scope.count == 1)
  }

  private final class View: Sendable {
    let heard = Recorder<Props>()
  }

  @Test func `a receiver that is gone ends its presenter`() async throws {
    let store = try Desk.makeStore()
    let presenter = DeskPresenter()
    var view: View? = View()
    let reference = WeakReference(view)
    let heard = try #require(view).heard
    let presentation = store.present(presenter, to: try #require(view)) { view, props in
      view.heard.append(props)
    }
    presentation.start()
    store.dispatch(CountAction.add(1))
    #expect(await heard.waitForCount(2) == [Props(0), Props(1)])
    view = nil
    #expect(reference.object == nil)
    store.dispatch(CountAction.add(1))
    #expect(await presenter.calls.waitForCount(3) == ["start 0", "reaction 1", "stop 2"])
    presentation.stop()
    #expect(presenter.calls.count == 3, "it had stopped already")
    #expect(heard.count == 2)
  }

  @Test func `a presentation that ended by itself leaves nothing behind`() async throws {
    let store = try Desk.makeStore()
    let left = Gate()
    func present() -> Presentation {
      let bell = Bell { left.open() }
      var presenter = DeskPresenter()
      presenter.react = { _ in withExtendedLifetime(bell) { .props } }
      return store.present(presenter) { _ in }
    }
    var presentation: Presentation? = present()
    presentation?.start()
    presentation?.stop()
    presentation = nil
    try await left.wait()
  }
}
