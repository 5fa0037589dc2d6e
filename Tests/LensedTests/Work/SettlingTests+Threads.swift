import LensedTestSupport
import Testing

@testable import Lensed

extension SettlingTests {
  /// Whatever a task had dispatched has ended when its `settled()` returns, however many others dispatch.
  @Test func `settled() on many threads misses no effect of what was dispatched before it`()
    async throws
  {
    let rounds = 150 * VerificationLength.factor
    let ended = Ended()
    let store = try makeStore {
      Effect(on: CountAction.self) { action, context in
        guard case .add(let id) = action else { return }
        for _ in 0..<id % 3 { await Task.yield() }
        if id.isMultiple(of: 2) { context.dispatch(NoteAction.append(id)) }
        ended.insert(id)
      }
      Effect(on: NoteAction.self, .serial) { action, _ in
        guard case .append(let id) = action else { return }
        await Task.yield()
        ended.insert(-id)
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for worker in 1...4 {
        group.addTask {
          for round in 1...rounds {
            let ids = [worker * 1_000_000 + round * 2, worker * 1_000_000 + round * 2 + 1]
            for id in ids { store.dispatch(CountAction.add(id)) }
            try? await store.settled()
            for id in ids {
              #expect(ended.contains(id), "round \(round) of worker \(worker)")
              if id.isMultiple(of: 2) {
                #expect(ended.contains(-id), "round \(round) of worker \(worker)")
              }
            }
          }
        }
      }
    }
    #expect(store.core.rootWorks.isEmpty)
    let count = store.core.workCount.beginAwait()
    #expect(count == 0)
  }
}

private final class Ended: Sendable {
  private let ids = Locked<Set<Int>>([])

  func insert(_ id: Int) { ids.withLock { _ = $0.insert(id) } }
  func contains(_ id: Int) -> Bool { ids.withLock { $0.contains(id) } }
}
