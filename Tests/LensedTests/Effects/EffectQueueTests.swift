import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite("Policies of queues: how long they may be, and how fast they go", .timeLimit(.minutes(30)))
struct EffectQueueTests {
  private struct Send: Action, Hashable { var id = 0 }
  private struct Ended: Action { let text: String }
  private struct Ask: Action { let id: Int }
  private struct Dismissed: Action, Equatable { let id: Int }

  private let gate = Gate()
  private let begun = Recorder<Int>()

  private func store(
    _ policy: EffectPolicy, _ change: (Effect<[String]>) -> Effect<[String]> = { $0 }
  ) throws -> Store<[String]> {
    let (gate, begun) = (gate, begun)
    let effect = Effect<[String]>(on: Send.self, policy) { send, _ in
      begun.append(send.id)
      try await gate.wait()
    }
    .ended { end, _ in Ended(text: "\(end)") }
    return try Store(initialState: []) {
      Mutator(\.self) { (log: inout [String], ended: Ended) in log.append(ended.text) }
      change(effect)
    }
  }

  @Test func `the newest ones wait, and the oldest of them gives way`() async throws {
    let store = try store(.serial.keepingNewest(2))
    store.dispatch(Send(id: 1))
    await begun.waitForCount(1)
    store.dispatch(Send(id: 2))
    store.dispatch([Send(id: 3), Send(id: 4), Send(id: 5)])
    #expect(store.state == ["superseded", "superseded"])
    gate.open()
    try await store.settled()
    #expect(begun.values == [1, 4, 5])
    #expect(store.state == ["superseded", "superseded", "finished", "finished", "finished"])
  }

  @Test func `beyond a number that wait, further ones are ignored`() async throws {
    let store = try store(.limited(2).dropping(beyond: 1))
    store.dispatch((1...5).map { Send(id: $0) })
    await begun.waitForCount(2)
    #expect(store.state == [])
    gate.open()
    try await store.settled()
    #expect(begun.values.sorted() == [1, 2, 3])
    #expect(store.state == ["finished", "finished", "finished"])
  }

  @Test func `with no room to wait, what comes beside a run is ignored`() async throws {
    let store = try store(.serial.dropping(beyond: 0))
    store.dispatch([Send(id: 1), Send(id: 2)])
    gate.open()
    try await store.settled()
    #expect(begun.values == [1])
  }

  @Test func `one that was cancelled makes room`() async throws {
    let store = try store(.serial.dropping(beyond: 1))
    store.dispatch(Send(id: 1))
    await begun.waitForCount(1)
    let second = store.dispatch(Send(id: 2))
    store.dispatch(Send(id: 3))
    second.cancel()
    store.dispatch(Send(id: 4))
    gate.open()
    try await store.settled()
    #expect(begun.values == [1, 4])
  }

  @Test func `a pause lies between two runs, also where none waits`() async throws {
    let clock = ManualClock()
    let store = try store(.serial.pausing(for: .seconds(10), clock: clock))
    gate.open()
    try await store.dispatch(Send(id: 1)).finish()
    await clock.advance(by: .seconds(4))
    let tasks = [store.dispatch(Send(id: 2)), store.dispatch(Send(id: 3))]
    await clock.waitForSleeps(1)
    #expect(begun.values == [1])
    clock.move(by: .seconds(6))
    try await tasks[0].finish()
    #expect(begun.values == [1, 2])
    await clock.waitForSleeps(2)
    clock.move(by: .seconds(10))
    try await tasks[1].finish()
    #expect(begun.values == [1, 2, 3])
    // The pause is over by then.
    await clock.advance(by: .seconds(10))
    try await store.dispatch(Send(id: 4)).finish()
    #expect(begun.values == [1, 2, 3, 4])
  }

  @Test func `what is ended in its pause never begins`() async throws {
    let clock = ManualClock()
    let store = try store(.serial.pausing(for: .seconds(10), clock: clock))
    gate.open()
    try await store.dispatch(Send(id: 1)).finish()
    let task = store.dispatch(Send(id: 2))
    await clock.waitForSleeps(1)
    task.cancel()
    try await store.settled()
    #expect(begun.values == [1])
    #expect(store.state == ["finished", "cancelled"])
  }

  @Test func `a policy prints as it is written, and is equal by its numbers`() {
    let policy = EffectPolicy.limited(2).keepingNewest(3).pausing(for: .seconds(1))
    #expect("\(policy)" == "limited(2).keepingNewest(3).pausing(for: 1.0 seconds)")
    #expect(
      "\(EffectPolicy.latest) \(EffectPolicy.serial.dropping(beyond: 4))"
        == "latest serial.dropping(beyond: 4)")
    #expect(policy == .limited(2).keepingNewest(3).pausing(for: .seconds(1), clock: ManualClock()))
    #expect(policy != .limited(2).keepingNewest(4).pausing(for: .seconds(1)))
    #expect(EffectPolicy.limited(2) != .limited(3))
  }

  // MARK: Lulls with a limit

  @Test func `a lull that never comes is bounded: the newest trigger begins by then`() async throws
  {
    let clock = ManualClock()
    gate.open()
    let store = try store(.concurrent) {
      $0.debounced(for: .seconds(2), atMost: .seconds(5), clock: clock)
    }
    for id in 1...5 {
      store.dispatch(Send(id: id))
      await clock.waitForSleeps(id)
      await clock.advance(by: .seconds(1))
    }
    // 5 seconds after the first one the fifth was the newest.
    await begun.waitForCount(1)
    store.dispatch(Send(id: 6))
    try await store.flush()
    #expect(begun.values == [5, 6])
  }

  @Test func `what ends the effect ends the time of the lull, too`() async throws {
    let clock = ManualClock()
    gate.open()
    let store = try store(.concurrent) {
      $0.debounced(for: .seconds(4), atMost: .seconds(5), clock: clock).cancelled(on: Ask.self)
    }
    store.dispatch(Send(id: 1))
    await clock.waitForSleeps(1)
    await clock.advance(by: .seconds(3))
    store.dispatch(Ask(id: 0))
    let task = store.dispatch(Send(id: 2))
    await clock.waitForSleeps(2)
    await clock.advance(by: .seconds(3))
    #expect(begun.values == [])
    await clock.advance(by: .seconds(1))
    try await task.finish()
    #expect(begun.values == [2])
  }

  // MARK: From the run on

  @Test func `changes from the run on leave out what came while it waited`() async throws {
    let (answers, gate, begun) = (Recorder<Int>(), gate, begun)
    let store = try Store(initialState: 0) {
      Mutator(\.self) { (count: inout Int, _: Dismissed) in count += 1 }
      Effect(on: Ask.self, .serial) { ask, context in
        begun.append(ask.id)
        if ask.id == 1 { try await gate.wait() }
        let all = context.changes()
        let own = context.changes(from: .run)
        answers.append(try await own.next(Dismissed.self).id)
        answers.append(try await all.next(Dismissed.self).id)
      }
      .keepingChanges()
    }
    store.dispatch(Ask(id: 1))
    await begun.waitForCount(1)
    store.dispatch(Ask(id: 2))
    store.dispatch(Dismissed(id: 10))
    gate.open()
    await answers.waitForCount(2)
    await begun.waitForCount(2)
    store.dispatch(Dismissed(id: 20))
    try await store.settled()
    #expect(answers.values == [10, 10, 20, 10])
  }
}
