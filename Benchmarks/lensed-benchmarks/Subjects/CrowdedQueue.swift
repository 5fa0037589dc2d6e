import Lensed
import Synchronization

/// A store with effects that go on until the benchmark ends, whatever cancels them.
final class CrowdedQueue: Sendable {
  let store: Store<CounterApp>
  private let effects: Mutex<[StoreSubscription]>
  private let waiting: Waiting

  /// The runs that wait for the end.
  private final class Waiting: Sendable {
    private let all = Mutex<[CheckedContinuation<Void, Never>]>([])

    var count: Int { all.withLock { $0.count } }

    func wait() async {
      await withCheckedContinuation { run in all.withLock { $0.append(run) } }
    }

    func end() {
      let runs = all.withLock { all in
        defer { all = [] }
        return all
      }
      for run in runs { run.resume() }
    }
  }

  private struct Open: Action { let children: Int }
  struct Join: Action {}
  private struct Child: Action {}
  private struct Await: Action {}

  /// Creates a store with so many runs under way of one `.latest` effect.
  init(deafRuns count: Int) async throws {
    let waiting = Waiting()
    self.waiting = waiting
    store = try CounterApp.store()
    effects = Mutex([
      store.install(Effect<CounterApp>(on: Join.self, .latest) { _, _ in await waiting.wait() })
    ])
    for begun in 1...count {
      store.dispatch(Join())
      // A run that is superseded before it begins never does.
      while waiting.count < begun { await Task.yield() }
    }
  }

  /// Creates a store with a serial queue whose occupant has so many children under way, and an effect that awaits
  /// another dispatch.
  init(children count: Int) async throws {
    let waiting = Waiting()
    self.waiting = waiting
    store = try CounterApp.store()
    effects = Mutex([
      store.install(Effect<CounterApp>(on: Child.self) { _, _ in await waiting.wait() }),
      store.install(
        Effect<CounterApp>(on: Open.self, .serial) { open, context in
          for _ in 0..<open.children { context.dispatch(Child()) }
          await waiting.wait()
        }),
      store.install(
        Effect<CounterApp>(on: Await.self) { _, context in
          try await context.dispatch(Child()).finish()
        }),
    ])
    store.dispatch(Open(children: count))
    store.dispatch(Await())
    while waiting.count < count + 2 { await Task.yield() }
    // It awaits a run that waits, unless it is just about to.
    for _ in 0..<1_000 { await Task.yield() }
  }

  /// Supersedes the run that came last.
  func supersede() { store.dispatch(Join()) }

  /// Joins the serial queue.
  func join() { store.dispatch(Open(children: 0)) }

  /// Removes the effects and lets their runs end.
  func end() {
    effects.withLock { $0 = [] }
    waiting.end()
  }
}
