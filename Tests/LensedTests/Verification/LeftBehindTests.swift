import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// Sets off more of its kind.
private struct Grow: Action {
  let level: Int
  let seed: UInt64
  let last: LastReference

  /// One of those that it sets off.
  func child(_ number: UInt64) -> Grow {
    Grow(level: level - 1, seed: seed &* 31 &+ number, last: last)
  }

  /// Two of those that it sets off, over time.
  var children: AsyncStream<Grow> {
    AsyncStream { continuation in
      for number in 0..<2 as Range<UInt64> { continuation.yield(child(number)) }
      continuation.finish()
    }
  }
}

/// What an effect holds may lead back to its store.
///
/// So whatever way its work is set off, and ends, while other threads deliver: once the store has gone, all of it is
/// released.
@Suite("A store that has gone leaves nothing behind", .warnsOnPurpose, .timeLimit(.minutes(30)))
struct LeftBehindTests {
  private func makeStore(_ policy: EffectPolicy, _ clock: ManualClock, _ last: LastReference) throws
    -> Store<Desk>
  {
    try Store(
      initialState: Desk(), coverage: .partial,
      // Released with the store itself.
      onEffectError: { _ in withExtendedLifetime(last) {} }
    ) {
      Mutator(\.count) { (count: inout Int, _: Grow) in count += 1 }
      Effect(on: Grow.self, policy) { grow, context -> Void in
        defer { withExtendedLifetime(last) {} }
        if grow.level > 0 { try await Self.spread(grow, context, clock) }
      }
      Effect(whenChanged: \.count, .serial) { _, _ in withExtendedLifetime(last) {} }
        .debounced(for: .seconds(1), clock: clock)
    }
  }

  /// Sets off what comes next, in one of the ways there are.
  private static func spread(
    _ grow: Grow, _ context: EffectContext<Desk>, _ clock: ManualClock
  ) async throws {
    switch grow.seed % 9 {
    case 0: context.dispatch(grow.child(0))
    case 1: context.dispatch([grow.child(0), grow.child(1)])
    case 2: context.dispatch([grow.child(0), AsyncActions(grow.children)] as [any Action])
    case 3: context.dispatch(grow.children)
    case 4: try await context.dispatch(grow.children).finish(.applied)
    case 5: context.dispatch(grow.children).cancel()
    case 6: try await context.dispatch(grow.child(0)).finish()
    case 7:
      context.dispatch(grow.children)
      try await clock.sleep(for: .seconds(1))
    default:
      async let one: Void = context.dispatch(grow.children).finish(.applied)
      context.dispatch(grow.child(0))
      try await one
    }
  }

  @Test(arguments: [EffectPolicy.concurrent, .serial, .latest, .first])
  func `however its effects are set off, and end`(_ policy: EffectPolicy) async throws {
    let isGone = Gate()
    let rounds = UInt64(20 * VerificationLength.factor)
    try await play(rounds, policy, LastReference(isGone))
    try await isGone.wait()
  }

  private func play(
    _ rounds: UInt64, _ policy: EffectPolicy, _ last: consuming LastReference
  ) async throws {
    for round in 0..<rounds {
      try await play(round, try makeStore(policy, ManualClock(), last), last)
    }
  }

  /// Dispatches from two threads, and releases the store while effects run.
  private func play(
    _ round: UInt64, _ store: consuming Store<Desk>, _ last: LastReference
  ) async throws {
    // While a thread is in here, others commit, and it delivers for them.
    let counting = store.states(\.count).subscribe { _ in for _ in 0..<4 { Threads.yield() } }
    let ended = Recorder<UInt64>()
    for thread in 0..<2 as Range<UInt64> {
      _ = Threads.start { [store] in
        // The effects make commits of their own meanwhile.
        for turn in 0..<8 as Range<UInt64> {
          let seed = round &* 131 &+ turn &* 7 &+ thread
          let task = store.dispatch(Grow(level: 3, seed: seed, last: last))
          if seed.isMultiple(of: 5) { task.cancel() }
        }
        ended.append(thread)
      }
    }
    await ended.waitForCount(2)
    counting.cancel()
  }
}
