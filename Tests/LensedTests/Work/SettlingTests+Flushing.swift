import LensedTestSupport
import Testing

@testable import Lensed

extension SettlingTests {
  @Test func `a debounced trigger is waited for, and flush() starts it at once`() async throws {
    let store = try makeStore {
      Effect(on: CountAction.self) { [order] _, context in
        order.append("saved \(context.state.count)")
      }
      .debounced(for: .seconds(1), clock: clock)
    }
    store.dispatch(CountAction.add(1))
    let wait = await settling(store)
    await clock.waitForSleepers()
    clock.move(by: .seconds(1))
    try await wait.value
    store.dispatch(CountAction.add(1))
    store.dispatch(CountAction.add(1))
    try await store.flush()
    #expect(order.values == ["saved 1", "settled", "saved 3"])
    #expect(clock.sleeperCount == 0)
  }

  @Test func `flush() starts the debounced trigger of a commit that another thread delivers`()
    async throws
  {
    let (inside, leave) = (ThreadGate(), ThreadGate())
    let store = try makeStore {
      Effect(on: NoteAction.self) { [order] _, _ in order.append("saved") }
        .debounced(for: .seconds(1), clock: clock)
    }
    let blocking = store.states(\.count).subscribe { count in
      if count == 1 {
        inside.open()
        leave.wait()
      }
    }
    let other = Threads.start { store.dispatch(CountAction.add(1)) }
    inside.wait()
    store.dispatch(NoteAction.append(1))
    let flush = Task { try await store.flush() }
    leave.open()
    try await flush.value
    other.wait()
    #expect(order.values == ["saved"])
    blocking.cancel()
  }

  @Test func `flush() runs a flushed trigger uncancelled, with its dispatches applied`()
    async throws
  {
    let store = try makeStore {
      Effect(on: CountAction.self, .serial) { [order] _, context in
        order.append("\(Task.isCancelled)")
        try await context.dispatch(NoteAction.append(context.state.count)).finish()
      }
      .debounced(for: .seconds(1), clock: clock)
    }
    let task = store.dispatch(CountAction.add(7))
    try await store.flush()
    try await task.finish()
    #expect(order.values == ["false"])
    #expect(store.notes == [7])
  }
}
