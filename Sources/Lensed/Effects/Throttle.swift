// A throttled effect begins a run, and then ignores triggers for the length of the silence:
//
// 1. `submit` has the queue of the jobs admit the job of a trigger, in its commit, under the lock of the store. Whether
//    the trigger comes too soon is a part of that decision (`JobQueueMachine.admit`, `Silence`).
// 2. A trigger in the silence is ignored or, with `latest: true`, waits for the end (`beginOrWait`): in the queue in which
//    one of a debounce waits for a lull, so that a newer one replaces it.
// 3. At the end of the silence it is submitted as a late one, which no silence refuses, and begins the next silence.
// 4. A trigger that begins a run before then ends the wait in the same turn at the lock: the one that waited never begins
//    after a newer one.

extension Effect {
  /// This effect, which ignores triggers within `duration` after one that began a run.
  ///
  /// A trigger that the policy ignores begins none. Of an effect that is `debounced(for:)` too, a trigger is first
  /// debounced, and then throttled. `throttled` ignores none for a `duration` of zero or less. More than a century
  /// counts as a century. Where it is said twice, the last one counts.
  ///
  /// - Parameters:
  ///   - duration: The time of silence after a run has begun, or was queued to begin.
  ///   - keepsLatest: Whether the last trigger of that time begins a run at its end, rather than none.
  ///   - clock: The clock to measure and to wait by.
  /// - Returns: The effect, throttled.
  public func throttled<C: Clock>(
    for duration: Duration, latest keepsLatest: Bool = false, clock: C = ContinuousClock()
  ) -> Effect where C.Duration == Duration {
    let duration = waitable(duration)
    return with {
      $0.options.throttle = Throttle(clock: SilenceClock(duration, clock), keepsLatest: keepsLatest)
    }
  }
}

// MARK: The silence

/// The silence of an effect after each run, and what becomes of the triggers in it.
struct Throttle: Sendable {
  let clock: SilenceClock
  /// Whether the newest trigger in the silence waits for its end.
  let keepsLatest: Bool
}

extension EffectRunner {
  /// Submits the job of a trigger; in the silence, the newest one waits for the end.
  func beginOrWait(
    _ input: EffectSubject<State>, in group: EffectRuns.Group, under parent: WorkNode?,
    at place: CommitPlace, _ now: Duration?, into jobs: inout JobDecisions
  ) {
    // The one that waits never begins after this one.
    let rest = submit(
      input, in: group, under: parent, ending: group.waits, at: place, now, into: &jobs)
    guard let rest else { return }
    wait(for: input, in: group, under: parent, at: place, into: &jobs) { [self] wait in
      await beginAfterSilence(of: rest, input, in: group, after: wait)
    }
  }

  /// Waits out the rest of the silence, and then submits the job of the trigger that has waited.
  nonisolated(nonsending) func beginAfterSilence(
    of rest: Duration, _ input: EffectSubject<State>, in group: EffectRuns.Group,
    after wait: WorkNode
  ) async {
    guard let throttle = group.throttle,
      await sleep(
        as: wait, for: input,
        {
          try Task.checkCancellation()
          try await throttle.clock.sleep(rest)
        })
    else { return }
    _ = submitLate(input, in: group, after: wait, isLate: true)
  }

  /// Submits a job; returns how long it is to wait, if it comes too soon and may wait.
  func submit(
    _ input: EffectSubject<State>, in group: EffectRuns.Group, under parent: WorkNode?,
    after wait: WorkNode? = nil, ending former: JobQueue? = nil, isLate: Bool = false,
    at place: CommitPlace, _ now: Duration?, into jobs: inout JobDecisions
  ) -> Duration? {
    // One trigger ends once, wherever it was when it did.
    let ending = wait?.ending ?? makeEnding(of: input)
    let job = WorkNode(
      input.seat.runs.label, in: view.core, under: parent, relation: relation, queue: input.jobs,
      hasClaim: true, origin: place, ending: ending,
      operation: EffectJob(runner: self, input: .subject(input)))
    let keepsLatest = group.throttle?.keepsLatest == true
    let rest = input.jobs.admit(
      job, under: parent, after: wait, ending: former, at: now, isLate: isLate && keepsLatest,
      into: &jobs)
    if let wait, rest == nil || !keepsLatest, !wait.isStopped { jobs.forget(wait) }
    return keepsLatest ? rest : nil
  }
}
