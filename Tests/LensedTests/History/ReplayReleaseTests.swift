import Lensed
import LensedTestSupport
import Testing

/// An effect that reads the state before a commit has that state kept.
///
/// A replay does not start the effect,
/// and releases the kept state without the lock, as any commit does.
@Suite("A replay: what is let go", .timeLimit(.minutes(30)))
struct ReplayReleaseTests {
  private final class Lamp: Sendable {
    let onRelease: @Sendable () -> Void

    init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
    deinit { onRelease() }
  }

  private struct Room: Sendable {
    var lamp: Lamp?
    var switches = 0
  }

  private enum Switch: Action { case on, off }

  private static func makeStore(
    _ middleware: [any Middleware<Room>], onRelease: @escaping @Sendable () -> Void
  ) throws -> Store<Room> {
    try Store(initialState: Room(), middleware: middleware) {
      Mutator(\.lamp) { (lamp: inout Lamp?, action: Switch) in
        lamp = action == .on ? Lamp(onRelease: onRelease) : nil
      }
      Mutator(\.switches) { (switches: inout Int, _: Switch) in switches += 1 }
      Effect<Room>(whenChanged: \.switches, when: { _, change in change.previous?.lamp != nil }) {
        _, _ -> Void in
      }
    }
  }

  @Test func `the state before it is released without the lock`() throws {
    let recorder = SessionRecorder<Room>()
    let original = try Self.makeStore([recorder], onRelease: {})
    original.dispatch(Switch.on)
    original.dispatch(Switch.off)
    let own = WeakReference<Store<Room>>()
    let seen = Recorder<Int>()
    let store = try Self.makeStore([]) {
      // Reading would trap, if it were inside.
      if let store = own.object { seen.append(store.switches) }
    }
    own.refer(to: store)
    store.replay(try #require(recorder.session))
    #expect(seen.values == [2])
  }
}
