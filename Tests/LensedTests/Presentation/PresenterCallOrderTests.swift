import Lensed
import LensedTestSupport
import Testing

@Suite("Presenter: onStart, then its props, then onStop", .timeLimit(.minutes(30)))
struct PresenterCallOrderTests {
  /// Notes each call, and stays in `onStart` until it may go on.
  private struct SlowPresenter: Presenter {
    let log: Recorder<String>
    let entered = Gate()
    let mayLeave = ThreadGate()

    func props(for state: Desk, dispatch: Dispatcher) -> Int { state.count }

    func onStart(_ state: Desk, dispatch: Dispatcher) {
      log.append("onStart begins")
      entered.open()
      mayLeave.wait()
      log.append("onStart ends")
    }

    func onStop(_ state: Desk, dispatch: Dispatcher) { log.append("onStop") }
  }

  private let log = Recorder<String>()

  @Test func `onStop waits for onStart, and does not make stop wait`() async throws {
    let store = try Desk.makeStore()
    let presenter = SlowPresenter(log: log)
    let presentation = store.present(presenter) { [log] in log.append("props \($0)") }
    let starter = Threads.start { presentation.start() }
    try await presenter.entered.wait()
    let stopper = Threads.start { presentation.stop() }
    stopper.wait()
    #expect(log.values == ["onStart begins"])
    presenter.mayLeave.open()
    starter.wait()
    #expect(log.values == ["onStart begins", "onStart ends", "onStop"])
  }

  @Test func `props wait for onStart, when it was paused and resumed meanwhile`() async throws {
    let store = try Desk.makeStore()
    let presenter = SlowPresenter(log: log)
    let presentation = store.present(presenter) { [log] in log.append("props \($0)") }
    let starter = Threads.start { presentation.start() }
    try await presenter.entered.wait()
    Threads.start {
      presentation.pause()
      store.dispatch(CountAction.add(1))
      presentation.resume()
      store.dispatch(CountAction.add(1))
    }.wait()
    // Another presentation is told in the meantime, so that props would have come.
    let other = Recorder<Int>()
    let witness = store.present(DeskPresenter()) { other.append($0.count) }
    witness.start()
    await other.waitForCount(1)
    #expect(log.values == ["onStart begins"])
    presenter.mayLeave.open()
    starter.wait()
    await log.waitForCount(4)
    #expect(log.values == ["onStart begins", "onStart ends", "props 1", "props 2"])
    witness.stop()
    presentation.stop()
  }

  @Test func `stopped and started again during onStart, it is called for each, in order`()
    async throws
  {
    let store = try Desk.makeStore()
    let presenter = SlowPresenter(log: log)
    let presentation = store.present(presenter) { [log] in log.append("props \($0)") }
    let starter = Threads.start { presentation.start() }
    try await presenter.entered.wait()
    Threads.start {
      presentation.stop()
      presentation.start()
      presentation.stop()
      presentation.start()
    }.wait()
    presenter.mayLeave.open()
    starter.wait()
    await log.waitForCount(9)
    let call = ["onStart begins", "onStart ends"]
    #expect(log.values == call + ["onStop"] + call + ["onStop"] + call + ["props 0"])
    presentation.stop()
    #expect(log.values.last == "onStop")
  }

  @Test func `stop within onStart stops after it, without props`() async throws {
    let store = try Desk.makeStore()
    let own = WeakReference<Presentation>()
    var presenter = DeskPresenter()
    presenter.started = { _, _ in own.object?.stop() }
    let presentation = store.present(presenter) { [log] in log.append("props \($0.count)") }
    own.refer(to: presentation)
    presentation.start()
    #expect(presenter.starts == ["start 0", "stop 0"])
    #expect(log.values == [])
  }

  @Test func `threads that start and stop see the calls take turns`() throws {
    let store = try Desk.makeStore()
    let presenter = DeskPresenter()
    let presentation = store.present(presenter) { _ in }
    Threads.run(4) { thread in
      for _ in 0..<200 {
        switch thread {
        case 0, 1: presentation.start()
        case 2: presentation.stop()
        default:
          presentation.pause()
          presentation.resume()
        }
      }
    }
    presentation.stop()
    let calls = presenter.starts
    let expected = (0..<calls.count).map { $0.isMultiple(of: 2) ? "start 0" : "stop 0" }
    #expect(calls == expected)
    #expect(calls.count.isMultiple(of: 2))
  }
}
