import LensedTestSupport
import Testing

@testable import Lensed

@Suite("Presentation: from one run to the next", .timeLimit(.minutes(30)))
@MainActor
struct PresentationHandoverTests {
  /// Its first props take until the gate opens.
  private final class SlowPresenter: Presenter {
    let asked = ThreadGate()
    let gate = ThreadGate()
    let overlaps = Counter()
    private let calls = Locked((all: 0, running: 0))

    func props(for state: Desk, dispatch: Dispatcher) -> Int {
      let (all, running) = calls.withLock { calls in
        calls = (calls.all + 1, calls.running + 1)
        return calls
      }
      if running > 1 { overlaps.increment() }
      if all == 1 {
        asked.open()
        gate.wait()
      }
      calls.withLock { $0.running -= 1 }
      return state.count
    }
  }

  private let executor = HandExecutor()
  private let store: Store<Desk>

  init() throws {
    store = try StoreProbe.$current.withValue(StoreProbe(executor: executor)) {
      try Desk.makeStore()
    }
  }

  /// Lets the tasks of the store and the main actor take turns until a condition holds.
  private func run(until isDone: () -> Bool) async {
    repeat {
      executor.run()
      await Task.yield()
    } while !isDone()
  }

  /// Lets all tasks run until they wait, or have ended.
  private func rest() async {
    for _ in 0..<10 { await run { true } }
  }

  /// Stops a presentation and lets its tasks end: jobs that are never run would leak.
  private func finish(_ presentation: Presentation) async {
    presentation.stop()
    await rest()
  }

  nonisolated private static let handovers: [[@Sendable (Presentation) -> () -> Void]] = [
    [Presentation.stop, Presentation.start],
    [Presentation.pause, Presentation.resume],
    [Presentation.pause, Presentation.stop, Presentation.start],
    [Presentation.stop, Presentation.start, Presentation.pause, Presentation.resume],
  ]

  @Test(arguments: handovers.indices)
  func `props of a run are computed after the last ones of the run before`(_ number: Int) async {
    let presenter = SlowPresenter()
    let heard = Recorder<Int>()
    let presentation = store.present(presenter) { heard.append($0) }
    presentation.start()
    let first = executor.start()
    presenter.asked.wait()
    for control in Self.handovers[number] { control(presentation)() }
    store.dispatch(CountAction.add(1))
    executor.run()
    #expect(presenter.overlaps.value == 0)
    presenter.gate.open()
    first.wait()
    await run { heard.last == 1 }
    store.dispatch(CountAction.add(1))
    await run { heard.last == 2 }
    #expect(presenter.overlaps.value == 0)
    await finish(presentation)
  }

  @Test(arguments: [true, false], [true, false])
  func `no command or route begins on the main actor after stop or pause has returned there`(
    _ isRoute: Bool, _ isMadeForMain: Bool
  ) async {
    for end in [Presentation.stop, Presentation.pause] {
      let (ran, heard) = (Counter(), Recorder<Int>())
      let command =
        isMadeForMain ? Command(onMain: { ran.increment() }) : Command { ran.increment() }
      var presenter = DeskPresenter()
      presenter.react = { _ in isRoute ? .route(command) : .command(command) }
      let presentation = store.present(presenter) { heard.append($0.count) }
      presentation.start()
      await run { heard.count == 1 }
      store.dispatch(CountAction.add(1))
      executor.run()
      end(presentation)()
      let count = ran.value
      // Only a command that is not for the main actor could run while that was busy.
      #expect(count == (isRoute || isMadeForMain ? 0 : 1))
      await rest()
      #expect(ran.value == count)
      await finish(presentation)
    }
  }

  @Test func `what is presented later waits for a command on the main actor`() async {
    let heard = Recorder<String>()
    var presenter = DeskPresenter()
    presenter.react = { change in
      heard.append("reaction \(change.state.count)")
      return change.state.count == 1
        ? .command(Command(onMain: { heard.append("command") })) : .props
    }
    let presentation = store.present(presenter) { heard.append("props \($0.count)") }
    presentation.start()
    await run { heard.count == 1 }
    for _ in 0..<2 { store.dispatch(CountAction.add(1)) }
    executor.run()
    await run { heard.count == 5 }
    #expect(heard.values == ["props 0", "reaction 1", "command", "reaction 2", "props 2"])
    await finish(presentation)
  }

  @Test func `paused while the store is released, it stops when it is resumed`() async throws {
    let presenter = DeskPresenter()
    let heard = Recorder<Int>()
    var store: Store<Desk>? = try Desk.makeStore()
    let presentation = try #require(store).present(presenter) { heard.append($0.count) }
    presentation.start()
    await heard.waitForCount(1)
    presentation.pause()
    store = nil
    #expect(presenter.starts == ["start 0"])
    presentation.resume()
    #expect(presenter.starts == ["start 0", "stop 0"])
    presentation.resume()
    presentation.stop()
    #expect(presenter.starts == ["start 0", "stop 0"])
  }
}
