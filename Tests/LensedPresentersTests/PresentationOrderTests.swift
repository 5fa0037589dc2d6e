import Lensed
import LensedPresenters
import LensedTestSupport
import Testing

@Suite("Presentation: what comes, where, and in which order", .timeLimit(.minutes(30)))
@MainActor
struct PresentationOrderTests {
  typealias Props = DeskPresenter.Props

  @Test func `every commit is presented, in commit order, from any thread`() async throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let presentation = store.present(DeskPresenter()) { heard.append($0.count) }
    presentation.start()
    await Task.detached {
      Threads.run(4) { _ in
        for _ in 0..<250 { store.dispatch(CountAction.add(1)) }
      }
    }.value
    #expect(await heard.waitForCount(1001) == Array(0...1000))
    presentation.stop()
  }

  @Test func `none, props, command and route take their turns in commit order`() async throws {
    let store = try Desk.makeStore()
    let heard = Recorder<String>()
    var presenter = DeskPresenter()
    presenter.react = { change in
      let count = change.state.count
      return switch count % 4 {
      case 0: .none
      case 1: .command(Command { heard.append("command \(count)") })
      case 2: .route(Command { heard.append("route \(count)") })
      default: .props
      }
    }
    let presentation = store.present(presenter) { heard.append("props \($0.count)") }
    presentation.start()
    for _ in 0..<8 { store.dispatch(CountAction.add(1)) }
    store.dispatch([CountAction.add(1), .add(2)])
    #expect(
      await heard.waitForCount(8) == [
        "props 0", "command 1", "route 2", "props 3", "command 5", "route 6", "props 7", "props 11",
      ])
    presentation.stop()
  }

  @Test func `a route runs on the main actor, before anything that follows`() async throws {
    let store = try Desk.makeStore()
    let heard = Recorder<String>()
    var presenter = DeskPresenter()
    presenter.react = { change in
      change.state.count == 1
        ? .route(Command(onMain: { heard.append("route") }))
        : change.state.count == 2
          ? .route(
            Command {
              MainActor.assertIsolated()
              heard.append("route too")
            }) : .props
    }
    let presentation = store.present(presenter) { heard.append("props \($0.count)") }
    presentation.start()
    for _ in 0..<3 { store.dispatch(CountAction.add(1)) }
    #expect(await heard.waitForCount(4) == ["props 0", "route", "route too", "props 3"])
    presentation.stop()
  }

  @Test func `a command runs off the main actor, and what follows waits for it`() async throws {
    let store = try Desk.makeStore()
    let (heard, entered, mayLeave) = (Recorder<Int>(), Gate(), ThreadGate())
    var presenter = DeskPresenter()
    presenter.react = { change in
      if change.state.count > 1 { return .props }
      return .command(
        Command {
          entered.open()
          mayLeave.wait()
        })
    }
    let presentation = store.present(presenter) { heard.append($0.count) }
    presentation.start()
    store.dispatch(CountAction.add(1))
    store.dispatch(CountAction.add(1))
    try await entered.wait()
    // The main actor goes on meanwhile.
    #expect(heard.values == [0])
    mayLeave.open()
    #expect(await heard.waitForCount(2) == [0, 2])
    presentation.stop()
  }

  @Test func `the first props are there when start returns, and those of resume`() throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let presentation = store.present(DeskPresenter()) { heard.append($0.count) }
    presentation.start()
    #expect(heard.values == [0])
    presentation.pause()
    store.dispatch(CountAction.add(1))
    presentation.resume()
    #expect(heard.values == [0, 1])
    presentation.stop()
  }

  @Test(.warnsOnPurpose)
  func `a presenter sees the state before, and didChange compares with it from the first change`()
    async throws
  {
    let store = try Desk.makeStore(Desk(count: 1, title: "t"))
    let seen = Recorder<String>()
    var presenter = DeskPresenter()
    presenter.react = { change in
      seen.append(
        "\(change.previous?.count ?? -1)→\(change.state.count) "
          + "count \(change.didChange(\.count)) title \(change.didChange(\.title)) "
          + "ran \(change.touches(\.count)) #\(change.revision)")
      return .none
    }
    let presentation = store.present(presenter) { _ in }
    store.dispatch(CountAction.add(1))
    presentation.start()
    store.dispatch(CountAction.add(1))
    store.dispatch(CountAction.keep)
    store.dispatch(StrayAction())
    store.replaceState(Desk(count: 3, title: "u"))
    #expect(
      await seen.waitForCount(4) == [
        "2→3 count true title false ran true #2",
        "3→3 count false title false ran true #3",
        "3→3 count false title false ran false #4",
        "3→3 count false title true ran true #5",
      ])
    presentation.stop()
  }

  @Test func `two presentations of one presenter are independent`() async throws {
    let store = try Desk.makeStore()
    let (left, right) = (Recorder<Int>(), Recorder<Int>())
    let presenter = DeskPresenter()
    let presentations = [
      store.present(presenter) { left.append($0.count) },
      store.present(presenter) { right.append($0.count) },
    ]
    for presentation in presentations { presentation.start() }
    await left.waitForCount(1)
    await right.waitForCount(1)
    presentations[0].stop()
    store.dispatch(CountAction.add(1))
    #expect(await right.waitForCount(2) == [0, 1])
    #expect(left.values == [0])
    presentations[1].stop()
  }

  @Test func `while nothing is presented a dispatch keeps no state and copies nothing`()
    async throws
  {
    final class Held: Sendable {}
    struct Album: Sendable { var held: Held? }
    struct AlbumPresenter: Presenter {
      func props(for state: Album, dispatch: Dispatcher) -> Int { 0 }
    }
    let seen = WeakReference<Held>()
    func makeHeld() -> Held {
      let held = Held()
      seen.refer(to: held)
      return held
    }
    let heard = Recorder<Int>()
    let store = Store(initialState: Album(), coverage: .partial)
    let presentation = store.present(AlbumPresenter()) { heard.append($0) }
    store.replaceState(Album(held: makeHeld()))
    store.replaceState(Album())
    #expect(seen.object == nil, "not started")
    presentation.start()
    presentation.pause()
    // The run gives its reader up in the next job.
    for _ in 0..<3 { await Task.yield() }
    store.replaceState(Album(held: makeHeld()))
    store.replaceState(Album())
    #expect(seen.object == nil, "paused")
    presentation.stop()
  }
}
