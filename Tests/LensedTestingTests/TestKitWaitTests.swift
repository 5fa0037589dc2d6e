import Lensed
import LensedTestSupport
import Testing

@testable import LensedTesting

@Suite("A wait of the test kit ends", .timeLimit(.minutes(30)))
struct TestKitWaitTests {
  private struct Go: Action {}

  private func makeTest(
    patience: Duration,
    _ run: @escaping @concurrent @Sendable (EffectContext<Desk>) async throws -> Void
  ) throws -> TestStore<Desk> {
    try TestStore(initialState: Desk(), exhaustivity: .off, patience: patience) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
      Effect(on: Go.self) { _, context in try await run(context) }
    }
  }

  @Test func `when an effect goes to the main actor and back for ever`() async throws {
    let test = try makeTest(patience: .milliseconds(50)) { _ in
      while !Task.isCancelled { await MainActor.run {} }
    }
    let heard = await issues { await test.dispatch(Go()) }
    #expect(heard.first?.hasPrefix("The store has not come to rest in 0.05 seconds:") == true)
    #expect(heard.count == 1)
  }

  @Test func `when an effect commits for ever, with waits that the test cannot see`() async throws {
    let test = try makeTest(patience: .milliseconds(200)) { context in
      while !Task.isCancelled {
        await Threads.apart { for _ in 0..<50 { Threads.yield() } }
        context.dispatch(CountAction.add(1))
      }
    }
    let heard = await issues {
      await test.dispatch(Go())
      await test.receive(TitleAction.self)
      await test.finish()
    }
    #expect(heard.contains { $0.hasPrefix("`TitleAction` was expected, and does not come:") })
  }

  @Test func `however long the patience is`() async throws {
    let answer = Gate()
    let test = try makeTest(patience: .seconds(Int64.max)) { context in
      await Task.detached { try? await answer.wait() }.value
      context.dispatch(CountAction.add(1))
    }
    await test.dispatch(Go())
    answer.open()
    await test.receive(CountAction.self) { $0.count = 1 }
    await test.finish()
  }

  @Test func `at once, when there is no patience`() async throws {
    let test = try makeTest(patience: .zero) { _ in while !Task.isCancelled { await Task.yield() } }
    for _ in 0..<3 {
      let heard = await issues { await test.dispatch(Go()) }
      #expect(!heard.isEmpty)
    }
  }

  @Test func `in a task of the same scheduler, when all others rest`() async throws {
    let (scheduler, clock, heard) = (TestScheduler(), ManualClock(), Recorder<String>())
    let other = Task(executorPreference: scheduler) {
      try await clock.sleep(for: .seconds(1))
      for _ in 0..<5 { await Task.yield() }
      heard.append("other")
    }
    await clock.waitForSleepers(1)
    let task = Task(executorPreference: scheduler) {
      await clock.advance(by: .seconds(1))
      heard.append("advanced")
      await scheduler.rest()
      heard.append("rested")
    }
    await task.value
    #expect(heard.values == ["other", "advanced", "rested"])
    try await other.value
  }

  /// A wait for what does not come.
  struct Wait: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @concurrent @Sendable () async -> Void
  }

  static let waits = [
    Wait(testDescription: "a recorder, for so many") {
      await Recorder<Int>().waitForCount(1)
    },
    Wait(testDescription: "a recorder, for a value") {
      await Recorder<Int>().wait(untilLast: { $0 > 0 })
    },
    Wait(testDescription: "a gate, for those who wait") { await Gate().waitForWaiters() },
    Wait(testDescription: "a clock, for those who sleep") {
      await ManualClock().waitForSleepers()
    },
    Wait(testDescription: "a clock, for sleeps") { await ManualClock().waitForSleeps(1) },
    Wait(testDescription: "a scheduler, for rest") {
      let scheduler = TestScheduler()
      let busy = Task(executorPreference: scheduler) {
        while !Task.isCancelled { await Task.yield() }
      }
      await scheduler.rest()
      busy.cancel()
    },
  ]

  @Test(arguments: waits, [false, true])
  func `when its task is cancelled`(wait: Wait, isLate: Bool) async throws {
    let (begun, ended) = (Gate(), Gate())
    let waiting = Task {
      if !isLate { try? await begun.wait() }
      await wait.run()
      ended.open()
    }
    if isLate { for _ in 0..<10 { await Task.yield() } }
    waiting.cancel()
    begun.open()
    #expect(await Threads.apart { Threads.wait { ended.isOpen } })
  }

  @Test func `for those who wait at a gate, when it is opened`() async {
    let (gate, ended) = (Gate(), Gate())
    let waiting = Task {
      await gate.waitForWaiters(2)
      ended.open()
    }
    gate.open()
    await waiting.value
    #expect(ended.isOpen)
    await gate.waitForWaiters(2)
  }
}

@Suite("The order of what becomes ready at once is no race", .timeLimit(.minutes(30)))
struct TestKitOrderTests {
  private func orders(
    _ count: Int, of wake: @escaping @Sendable (Gate, ManualClock) async -> Void,
    waiting: @escaping @Sendable (Gate, ManualClock) async throws -> Void
  ) async -> [[Int]] {
    var orders: [[Int]] = []
    for _ in 0..<count {
      let (scheduler, heard) = (TestScheduler(seed: 7), Recorder<Int>())
      let (gate, clock) = (Gate(), ManualClock())
      scheduler.hold()
      let tasks = (0..<100).map { number in
        Task(executorPreference: scheduler) {
          try await waiting(gate, clock)
          heard.append(number)
        }
      }
      scheduler.release()
      await scheduler.rest()
      await wake(gate, clock)
      await scheduler.rest()
      withExtendedLifetime(tasks) {}
      orders.append(heard.values)
    }
    return orders
  }

  @Test func `of those who wait at a gate`() async {
    let orders = await orders(50, of: { gate, _ in gate.open() }) { gate, _ in
      try await gate.wait()
    }
    #expect(Set(orders.map { $0.sorted() }) == [Array(0..<100)])
    #expect(Set(orders).count == 1)
  }

  @Test func `of those who sleep on a clock`() async {
    let orders = await orders(50, of: { _, clock in await clock.advance(by: .seconds(1)) }) {
      try await $1.sleep(for: .seconds(1))
    }
    #expect(Set(orders).count == 1)
    let moved = await self.orders(50, of: { _, clock in clock.move(by: .seconds(1)) }) {
      try await $1.sleep(for: .seconds(1))
    }
    #expect(Set(moved).count == 1)
  }

  @Test func `of the effects of one step`() async throws {
    struct Go: Action {}
    var orders: Set<[Int]> = []
    for _ in 0..<50 {
      let heard = Recorder<Int>()
      let effects = (0..<20).map { number in
        Effect<Desk>(on: Go.self) { _, _ in
          heard.append(number)
          await Task.yield()
          heard.append(100 + number)
        }
      }
      let test = try TestStore(initialState: Desk(), seed: 7) {
        Desk.countMutator
        Desk.titleMutator
        Desk.notesMutator
        effects
      }
      await test.dispatch(Go())
      await test.finish()
      orders.insert(heard.values)
    }
    #expect(orders.count == 1)
  }

  @Test func `of two actions of one step, and the effect of the first`() async throws {
    for _ in 0..<50 {
      let test = try TestStore(initialState: Desk()) {
        Desk.countMutator
        Desk.titleMutator
        Desk.notesMutator
        Effect(on: TitleAction.self) { _, _ in CountAction.add(1) }
      }
      await test.perform {
        test.store.dispatch(TitleAction.rename("a"))
        test.store.dispatch(NoteAction.append(1))
      } changes: {
        ($0.title, $0.notes) = ("a", [1])
      }
      await test.receive(CountAction.self) { $0.count = 1 }
      await test.finish()
    }
  }
}
