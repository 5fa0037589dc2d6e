import LensedTestSupport
import Testing

@testable import Lensed

/// Derived values that are asked for while commits are made and the store goes: in every order.
@Suite("Every interleaving of computations, commits and a close", .timeLimit(.minutes(30)))
struct DerivedScheduleTests {
  /// What a thread was given, and which commits there were before and after it asked.
  private struct Reading: Sendable {
    let before: Int
    let value: Scene.Sized
    let after: Int

    /// It is of one commit, not older than when it was asked for, and not newer than when it came.
    var isRight: Bool {
      value.count == value.size && (before...after).contains(value.size)
    }
  }

  /// A store of which each commit adds one to the count and to the notes, and what derives from both.
  private final class Scene: Sendable {
    struct Sized: Sendable, Equatable {
      let count: Int
      let size: Int
    }

    let store = Locked<Store<Desk>?>(nil)
    let scope: ScopedStore<Desk>
    let readings = Recorder<Reading>()
    let computations = Counter()
    let sized: Derived<Desk, Sized>

    init() throws {
      let store = try Desk.makeStore()
      scope = store.scope(\.self)
      self.store.withLock { $0 = store }
      let computations = computations
      let size = Derived(\Desk.notes) { notes in
        computations.increment()
        SteppedThread.stop()
        return notes.count
      }
      sized = Derived(size, \Desk.count) { size, count in
        computations.increment()
        SteppedThread.stop()
        return Sized(count: count, size: size)
      }
    }

    func read() {
      let before = scope.state.count
      let value = scope[sized]
      readings.append(Reading(before: before, value: value, after: scope.state.count))
    }

    func commit() {
      scope.dispatch([CountAction.add(1), NoteAction.append(0)])
    }

    func close() {
      _ = store.withLock { store -> Store<Desk>? in
        defer { store = nil }
        return store
      }
    }

    /// What is wrong when all are done.
    var flaw: String? {
      if let wrong = readings.values.first(where: { !$0.isRight }) { return "\(wrong)" }
      read()
      guard let last = readings.last, last.isRight else { return "at the end \(readings.values)" }
      let computed = computations.value
      read()
      // While the store lives, it keeps what was computed last.
      if store.withLock({ $0 != nil }), computations.value != computed { return "computed again" }
      return nil
    }
  }

  private func explore(
    atLeast count: Int, _ actors: (Scene) -> [any ScheduledActor]
  ) throws {
    var explorer = ScheduleExplorer()
    var fault: (any Error)?
    let failure = explorer.explore {
      do {
        let scene = try Scene()
        return .init(actors: actors(scene)) { scene.flaw }
      } catch {
        fault = error
        return .init(actors: []) { "\(error)" }
      }
    }
    if let fault { throw fault }
    #expect(failure == nil)
    #expect(failure != nil || explorer.schedules >= count, "\(explorer.schedules) schedules")
  }

  private func reader(_ scene: Scene) -> SteppedThread {
    SteppedThread { scene.read() }
  }

  private func writer(_ scene: Scene, commits: Int) -> SteppedThread {
    SteppedThread {
      for commit in 1...commits {
        scene.commit()
        if commit < commits { SteppedThread.stop() }
      }
    }
  }

  @Test func `two that ask, and two commits`() throws {
    try explore(atLeast: 300) { scene in
      [reader(scene), reader(scene), writer(scene, commits: 2)]
    }
  }

  @Test func `one that asks twice, two commits, and the store goes`() throws {
    try explore(atLeast: 100) { scene in
      [
        SteppedThread {
          scene.read()
          SteppedThread.stop()
          scene.read()
        },
        writer(scene, commits: 2),
        SteppedThread { scene.close() },
      ]
    }
  }

  @Test func `two that ask, a commit, and the store goes`() throws {
    try explore(atLeast: 300) { scene in
      [
        reader(scene), reader(scene), writer(scene, commits: 1),
        SteppedThread { scene.close() },
      ]
    }
  }
}
