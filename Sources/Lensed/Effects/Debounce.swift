// A debounced effect waits for a lull (a stream's debounce is in `StateStream+Timing`):
//
// 1. Each trigger goes to `waitForLull` first, in its commit, under the lock of the store.
// 2. A wait is a job of the `waits` of a group, a queue that is `.latest`: a newer trigger replaces it, and nobody is
//    told.
// 3. Without the lock, the task of the wait sleeps by the clock of the user: for the whole lull, or for what `atMost`
//    leaves of the time since the first trigger of this `Lull`. Once nothing is left the lull is due, and the next
//    trigger begins in its commit: however fast they come, one of them begins.
// 4. Nothing newer came: the wait submits the job of its trigger, in a turn at the lock (`submitLate`). The policy decides
//    about it, and a throttle.
// 5. What ends the effect ends the wait. `store.flush()` ends its sleep alone: then the trigger begins at once.

extension Effect {
  /// This effect, which begins once no newer trigger has come for `duration`.
  ///
  /// ```swift
  /// save.debounced(for: .milliseconds(300), atMost: .seconds(5))
  /// ```
  ///
  /// A trigger that a newer one replaces never begins. The policy then decides about those that are left.
  /// A `duration` of zero or less is no wait, and one of more than a century counts as a century. Where it is
  /// said twice, the last one counts.
  ///
  /// - Parameters:
  ///   - duration: The lull.
  ///   - limit: How long the first of some triggers may wait for a lull that never comes: then the newest one begins. Of
  ///     zero or less, each begins at once. What ends the effect ends this time too.
  ///   - clock: The clock to measure and to wait by.
  /// - Returns: The effect, debounced.
  public func debounced<C: Clock>(
    for duration: Duration, atMost limit: Duration? = nil, clock: C = ContinuousClock()
  ) -> Effect where C.Duration == Duration {
    let duration = waitable(duration)
    guard let limit = limit.map(waitable) else {
      return with {
        $0.options.pause = { _ in
          try Task.checkCancellation()
          try await clock.sleep(for: duration)
        }
      }
    }
    if limit <= .zero { return with { $0.options.pause = nil } }
    let start = clock.now
    return with {
      $0.options.pause = { lull in
        let rest = lull.rest(of: limit, at: start.duration(to: clock.now))
        // One that was replaced before it began has looked at the clock for those after it.
        try Task.checkCancellation()
        if rest > .zero { try await clock.sleep(for: max(.zero, min(duration, rest))) }
      }
    }
  }
}

// MARK: The triggers that wait

/// The wait of triggers, of which each replaces the one before, for a lull.
final class Lull: Sendable {
  private let state = Locked<(first: Duration?, isDue: Bool)>((nil, false))

  /// Whether its triggers have waited for as long as they may.
  fileprivate var isDue: Bool { state.withLock { $0.isDue } }

  /// What is left of a limit since its first trigger began to wait; once nothing is, it is due.
  fileprivate func rest(of limit: Duration, at now: Duration) -> Duration {
    state.withLock { state in
      let first = state.first ?? now
      let rest = first + limit - now
      // Another wait may have read a later time before.
      state = (first, state.isDue || rest <= .zero)
      return rest
    }
  }
}

extension EffectRuns.Group {
  /// The lull that a new trigger waits for: that of the one it replaces, or a new one; nil if that one is due, and the
  /// new trigger begins.
  func joinLull() -> Lull? {
    let former = waits?.newest == nil ? nil : lull.withLock { $0 }
    let next = former?.isDue == true ? nil : former ?? Lull()
    lull.withLock { $0 = next }
    return next
  }
}

// MARK: Waiting

extension EffectRunner {
  /// Has a trigger wait for a lull.
  func waitForLull(
    _ lull: Lull, _ pause: @escaping EffectOptions.Pause, for input: EffectSubject<State>,
    in group: EffectRuns.Group, under parent: WorkNode?, at place: CommitPlace,
    into jobs: inout JobDecisions
  ) {
    wait(for: input, in: group, under: parent, at: place, into: &jobs) { [self] wait in
      guard await sleep(as: wait, for: input, { try await pause(lull) }) else { return }
      let rest = submitLate(input, in: group, after: wait, isLate: wait.isPauseOver)
      if let rest { await beginAfterSilence(of: rest, input, in: group, after: wait) }
    }
  }

  /// Has a trigger wait in place of the one that waits; `body` sleeps, and submits its job.
  func wait(
    for input: EffectSubject<State>, in group: EffectRuns.Group, under parent: WorkNode?,
    at place: CommitPlace, into jobs: inout JobDecisions,
    _ body: @escaping @Sendable (_ wait: WorkNode) async -> Void
  ) {
    guard let waits = group.waits else { return }
    let wait = WorkNode(
      input.seat.runs.label, in: view.core, under: parent, relation: relation, queue: waits,
      hasClaim: true, origin: place, ending: makeEnding(of: input), operation: BodyOperation(body))
    waits.admit(wait, under: parent, into: &jobs)
  }

  /// Submits the job of a trigger that has waited; returns how long a silence lasts, if it comes too soon for a
  /// throttle.
  func submitLate(
    _ input: EffectSubject<State>, in group: EffectRuns.Group, after wait: WorkNode, isLate: Bool
  ) -> Duration? {
    // The clock of a user is asked without a lock.
    let now = group.throttle?.clock.now
    var rest: Duration?
    view.core.decide(at: wait.origin, of: input.report, under: wait) { decisions in
      // A trigger from here on waits for a lull of its own.
      if !wait.isStopped { group.lull.withLock { $0 = nil } }
      rest = submit(
        input, in: group, under: wait, after: wait, isLate: isLate, at: wait.origin, now,
        into: &decisions.jobs)
    }
    return rest
  }

  /// Sleeps, unless the store was flushed meanwhile; returns whether the trigger goes on.
  nonisolated(nonsending) func sleep(
    as work: WorkNode, for input: EffectSubject<State>,
    _ pause: @Sendable () async throws -> Void
  ) async -> Bool {
    do {
      if !work.isPauseOver { try await pause() }
    } catch {
      if !work.isPauseOver {
        let context = EffectContext(
          home: input.seat.home, report: input.report, work: work, backlog: input.backlog)
        await fail(error, input, context)
        input.backlog?.close()
        return false
      }
    }
    return !work.isCancelled
  }
}
