import Lensed
import LensedPresenters
import LensedTestSupport
import LensedTesting
import Testing

/// From wherever a presentation is stopped, paused, started and resumed: from outside, or from what its presenter and
/// its receiver are called for.
@Suite("Presentation: controlled from within its own calls", .timeLimit(.minutes(30)))
@MainActor
struct RestlessPresenterTests {
  private enum Call: CaseIterable { case reaction, props }
  private enum Control: CaseIterable {
    case start, stop, pause, resume

    @MainActor
    func act(on presentation: Presentation) {
      switch self {
      case .start: presentation.start()
      case .stop: presentation.stop()
      case .pause: presentation.pause()
      case .resume: presentation.resume()
      }
    }
  }

  /// A presenter that hands each of its calls to a closure.
  private struct Restless: Presenter {
    let call: @MainActor @Sendable (_ call: String) -> Void

    func reaction(to change: Change<Desk>) -> Reaction {
      MainActor.assumeIsolated { call("reaction") }
      return .props
    }

    func props(for state: Desk, dispatch: Dispatcher) -> Int {
      MainActor.assumeIsolated { call("props") }
      return state.count
    }

    func onStart(_ state: Desk, dispatch: Dispatcher) {
      MainActor.assumeIsolated { call("start") }
    }

    func onStop(_ state: Desk, dispatch: Dispatcher) {
      MainActor.assumeIsolated { call("stop") }
    }
  }

  @Test(arguments: Call.allCases, [Control.stop, .pause])
  private func `once it is over, what the presenter was asked for is not delivered`(
    call: Call, control: Control
  ) async throws {
    let store = try Desk.makeStore()
    let (own, asked, received) = (WeakReference<Presentation>(), Counter(), Recorder<Int>())
    let presenter = Restless { name in
      // Of the first change, and not of the first props.
      guard name == "\(call)", asked.increment() == (call == .props ? 1 : 0) else { return }
      own.object.map { control.act(on: $0) }
    }
    let presentation = store.present(presenter) { received.append($0) }
    own.refer(to: presentation)
    presentation.start()
    store.dispatch(CountAction.add(1))
    await asked.wait(for: call == .props ? 2 : 1)
    presentation.stop()
    presentation.start()
    #expect(received.values == [0, 1])
    presentation.stop()
  }

  /// A random walk: it controls a presentation from outside and from within its calls.
  @MainActor
  private final class Walk {
    let store: Store<Desk>
    let own = WeakReference<Presentation>()
    private var random: SeededGenerator
    private var depth = 0
    private(set) var log: [String] = []
    private(set) var isStarted = false
    /// The least count that may be delivered.
    private var newest = 0
    private let seed: UInt64

    init(_ store: Store<Desk>, seed: UInt64) {
      (self.store, self.seed) = (store, seed)
      random = SeededGenerator(seed: seed)
    }

    func act() {
      (depth, log) = (depth + 1, log.suffix(30))
      defer { depth -= 1 }
      let control = Control.allCases.randomElement(using: &random)
      if let control, let presentation = own.object, Bool.random(using: &random) {
        log.append("\(control)")
        control.act(on: presentation)
        // What the next run shows first is no older.
        if control == .stop || control == .pause { newest = store.count }
      } else {
        log.append("add")
        store.dispatch(CountAction.add(1))
      }
    }

    func note(_ call: String) {
      log.append(call)
      if call == "start" || call == "stop" {
        #expect(isStarted == (call == "stop"), "seed \(seed): \(log)")
        isStarted = call == "start"
      }
      if depth < 5 && Int.random(in: 0..<8, using: &random) == 0 { act() }
    }

    func receive(_ count: Int) {
      #expect(count >= newest, "seed \(seed): \(log)")
      newest = count
      note("receive \(count)")
    }

    func pause() async { if Bool.random(using: &random) { await Task.yield() } }
  }

  @Test(arguments: 1...UInt64(60 * VerificationLength.factor))
  func `whatever it calls, nothing old is delivered, and nothing after its end`(
    seed: UInt64
  ) async throws {
    let walk = Walk(try Desk.makeStore(), seed: seed)
    let presentation = walk.store.present(Restless { walk.note($0) }) { walk.receive($0) }
    walk.own.refer(to: presentation)
    for _ in 0..<60 {
      walk.act()
      await walk.pause()
    }
    presentation.stop()
    // What a call of `onStop` began anew.
    while walk.isStarted { presentation.stop() }
    let calls = walk.log
    walk.store.dispatch(CountAction.add(1))
    for _ in 0..<10 { await Task.yield() }
    #expect(walk.log == calls, "seed \(seed)")
  }
}
