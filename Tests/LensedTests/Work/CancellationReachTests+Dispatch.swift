import Lensed
import LensedTestSupport
import Testing

extension CancellationReachTests {
  /// The ways to cancel a dispatch explicitly.
  enum Call: CaseIterable, Sendable {
    case cancel, cancelledFinish
  }

  private func cancel(_ task: DispatchTask, by call: Call) async {
    switch call {
    case .cancel:
      task.cancel()
    case .cancelledFinish:
      let waiting = Task { try await task.finish() }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
    #expect(task.isCancelled)
  }

  @Test(arguments: Call.allCases)
  func `cancelling a dispatch ends the effects of actions in its whole tree`(
    call: Call
  ) async throws {
    let clock = ManualClock()
    let store = try store {
      parent()
      child
      Effect<Desk>(on: NoteAction.self) { _, context in context.dispatch(CountAction.add(10)) }
        .debounced(for: .seconds(1), clock: clock)
      Effect<Desk>(on: NoteAction.self) { _, context in context.dispatch(ClearAction()) }
      Effect<Desk>(on: ClearAction.self) { [childGate, ended] _, context in
        do { try await childGate.wait() } catch { ended.append("grandchild") }
        context.dispatch(CountAction.add(100))
      }
    }
    let task = store.dispatch(TitleAction.rename("run"))
    await gate.waitForWaiters()
    await childGate.waitForWaiters(2)
    await clock.waitForSleepers()
    await cancel(task, by: call)
    #expect(Set(await ended.soon(3)) == ["parent", "child", "grandchild"])
    clock.move(by: .seconds(2))
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(store.count == 0)
    #expect(store.notes == [1])
  }

  @Test(arguments: Call.allCases)
  func `cancelling a dispatch ends the effects that an ended run has caused`(
    call: Call
  ) async throws {
    let store = try store { child }
    let task = await endRun(.cancelledOn, in: store) { await childGate.waitForWaiters() }
    await cancel(task, by: call)
    #expect(await ended.soon(2) == ["parent", "child"])
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(store.count == 0)
  }

  @Test(arguments: Call.allCases)
  func `cancelling a dispatch leaves a whenChanged effect running`(call: Call) async throws {
    let store = try store {
      Effect<Desk>(whenChanged: \.notes) { [childGate, ended] _, context in
        do { try await childGate.wait() } catch { ended.append("watcher") }
        context.dispatch(CountAction.add(1))
        try await context.dispatch(
          AsyncActions(
            AsyncStream<CountAction> { stream in
              stream.yield(.add(10))
              stream.finish()
            })
        ).finish()
      }
    }
    let task = store.dispatch(NoteAction.append(1))
    await childGate.waitForWaiters()
    await cancel(task, by: call)
    childGate.open()
    await #expect(throws: CancellationError.self) { try await task.finish() }
    await Threads.apart { Threads.wait { store.count == 11 } }
    #expect(store.count == 11)
    #expect(ended.values == [])
  }

  @Test(arguments: Call.allCases)
  func `cancelling a dispatch leaves whenChanged effects pending, debounced or queued`(
    call: Call
  ) async throws {
    let clock = ManualClock()
    let store = try store {
      Effect<Desk>(whenChanged: \.notes) { _, context in context.dispatch(CountAction.add(10)) }
        .debounced(for: .seconds(1), clock: clock)
      Effect<Desk>(whenChanged: \.notes, .serial) { [childGate] _, context in
        try await childGate.wait()
        context.dispatch(CountAction.add(1))
      }
    }
    let first = store.dispatch(NoteAction.append(1))
    await childGate.waitForWaiters()
    await clock.waitForSleeps(1)
    let second = store.dispatch(NoteAction.append(2))
    await clock.waitForSleeps(2)
    await cancel(second, by: call)
    await cancel(first, by: call)
    childGate.open()
    clock.move(by: .seconds(1))
    await Threads.apart { Threads.wait { store.count == 12 } }
    #expect(store.count == 12)
  }

  @Test func `finish waits for whenChanged effects, debounced ones included`() async throws {
    let clock = ManualClock()
    let store = try store {
      Effect<Desk>(whenChanged: \.notes) { _, context in context.dispatch(CountAction.add(10)) }
        .debounced(for: .seconds(1), clock: clock)
      Effect<Desk>(whenChanged: \.notes) { [childGate] _, context in
        try await childGate.wait()
        context.dispatch(CountAction.add(1))
      }
    }
    let task = store.dispatch(NoteAction.append(1))
    await clock.waitForSleepers()
    await childGate.waitForWaiters()
    let counts = Recorder<Int>()
    let waiting = Task {
      try await task.finish()
      counts.append(store.count)
    }
    childGate.open()
    await Threads.apart { Threads.wait { store.count == 1 } }
    #expect(counts.values == [])
    clock.move(by: .seconds(1))
    try await waiting.value
    #expect(counts.values == [11])
  }

  @Test func `finish waits for the effect that an ended run has caused`() async throws {
    let store = try store { child }
    let task = await endRun(.tie, in: store) { await childGate.waitForWaiters() }
    let counts = Recorder<Int>()
    let waiting = Task {
      try await task.finish()
      counts.append(store.count)
    }
    for _ in 0..<20 { await Task.yield() }
    #expect(counts.values == [])
    childGate.open()
    try await waiting.value
    #expect(counts.values == [1])
  }
}
