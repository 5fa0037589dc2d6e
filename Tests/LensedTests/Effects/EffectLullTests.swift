import LensedTestSupport
import LensedTesting
import Testing

@testable import Lensed

@Suite("Lulls under many triggers, and triggers at their end", .timeLimit(.minutes(30)))
struct EffectLullTests {
  private struct Send: Action { var id = 0 }

  private let clock = ManualClock()
  private let jobs = HandExecutor()
  private let begun = Recorder<Int>()

  private func makeStore(
    attack: (@Sendable () -> Void)? = nil, _ change: (Effect<Int>) -> Effect<Int>
  ) throws -> Store<Int> {
    try StoreProbe.$current.withValue(StoreProbe(executor: jobs, attack: attack)) {
      try Store(initialState: 0, coverage: .partial) {
        change(Effect(on: Send.self) { [begun] send, _ in begun.append(send.id) })
      }
    }
  }

  @Test func `a trigger that comes as one begins at the limit waits for a lull of its own`() throws
  {
    let next = Locked<(@Sendable () -> Void)?>(nil)
    let attack: @Sendable () -> Void = { [clock] in
      if clock.now.offset == .seconds(5), let act = next.withLock({ $0.take() }) { act() }
    }
    let store = try makeStore(attack: attack) {
      $0.debounced(for: .seconds(5), atMost: .seconds(5), clock: clock)
    }
    next.withLock { $0 = { store.dispatch(Send(id: 2)) } }
    store.dispatch(Send(id: 1))
    jobs.run()
    clock.move(by: .seconds(5))
    jobs.run()
    #expect(begun.values == [1])
    #expect(clock.deadlines.map(\.offset) == [.seconds(10)])
    clock.move(by: .seconds(5))
    jobs.run()
    #expect(begun.values == [1, 2])
  }

  @Test func `the limit holds where each trigger comes before the task of the last one has begun`()
    throws
  {
    let store = try makeStore {
      $0.debounced(for: .seconds(2), atMost: .seconds(5), clock: clock)
    }
    store.dispatch(Send(id: 0))
    for id in 1...20 {
      store.dispatch(Send(id: id))
      jobs.start(atMost: 1).wait()
      clock.move(by: .seconds(1))
    }
    jobs.run()
    // The limit is over at 5 s, and at 13 s for those that came from 7 s on.
    #expect(begun.values == [7, 15])
  }

  @Test func `under a limit of zero each trigger begins, also those of one array`() throws {
    let store = try makeStore { $0.debounced(for: .seconds(2), atMost: .zero, clock: clock) }
    store.dispatch((1...3).map { Send(id: $0) })
    jobs.run()
    #expect(begun.values == [1, 2, 3])
  }

  @Test(.enabled(if: countsAllocations))
  func `a trigger in a long array costs what one in a short array costs`() async throws {
    await #expect(processExitsWith: .success) {
      let clock = ManualClock()
      let forms: [(name: String, change: (Effect<Int>) -> Effect<Int>)] = [
        ("plain", { $0 }),
        ("debounced", { $0.debounced(for: .seconds(1), clock: clock) }),
        (
          "debounced, at most",
          { $0.debounced(for: .seconds(1), atMost: .seconds(5), clock: clock) }
        ),
        ("throttled", { $0.throttled(for: .seconds(1), clock: clock) }),
        ("throttled, latest", { $0.throttled(for: .seconds(1), latest: true, clock: clock) }),
        (
          "debounced and throttled",
          {
            $0.debounced(for: .seconds(1), clock: clock)
              .throttled(for: .seconds(1), latest: true, clock: clock)
          }
        ),
      ]
      let policies: [EffectPolicy] = [
        .concurrent, .latest, .first, .serial, .limited(2), .serial.keepingNewest(3),
      ]
      for policy in policies {
        for form in forms {
          let store = try Store(initialState: 0, coverage: .partial) {
            form.change(Effect(on: Send.self, policy) { _, _ in })
          }
          func cost(_ count: Int) async throws -> UInt64 {
            let bytes = allocatedBytes {
              store.dispatch(Array(repeating: Send(), count: count))
            }
            try await store.flush()
            return bytes / UInt64(count)
          }
          _ = try await cost(20)
          let (short, long) = (try await cost(100), try await cost(2_000))
          #expect(long <= 2 * short, "\(policy), \(form.name): \(short), \(long) bytes")
        }
      }
    }
  }
}
