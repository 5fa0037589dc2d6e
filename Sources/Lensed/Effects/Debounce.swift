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
      return with { $0.options.pause = { _ in try await clock.sleep(for: duration) } }
    }
    let start = clock.now
    return with {
      $0.options.pause = { lull in
        let now = start.duration(to: clock.now)
        let rest = lull.beginning(at: now) + limit - now
        try await clock.sleep(for: max(.zero, min(duration, rest)))
      }
    }
  }
}

// MARK: The wait

/// The wait of triggers, of which each replaces the one before, for a lull.
final class Lull: Sendable {
  private let first = Locked<Duration?>(nil)

  /// When its first trigger began to wait, by the clock that `now` was read from.
  func beginning(at now: Duration) -> Duration {
    first.withLock { first in
      let beginning = first ?? now
      first = beginning
      return beginning
    }
  }
}

extension EffectRunner {
  /// Has a trigger wait for a lull, or for the rest of the silence; a newer one replaces it.
  func wait(
    for input: EffectSubject<State>, in group: EffectRuns.Group, under parent: WorkNode?,
    inSilence rest: Duration? = nil, at place: CommitPlace, into jobs: inout JobDecisions
  ) {
    guard let waits = group.waits else { return }
    let lull = group.nextLull()
    let wait = WorkNode(
      input.seat.runs.label, in: view.core, under: parent, relation: relation, queue: waits,
      hasClaim: true, origin: place, ending: makeEnding(of: input),
      operation: .body { [self] work in
        var rest = rest
        if rest == nil, let pause = options.pause {
          guard await sleep(as: work, for: input, { try await pause(lull) }) else { return }
          rest = submitLate(input, in: group, after: work, isLate: work.isPauseOver)
        }
        guard let rest, let throttle = group.throttle,
          await sleep(as: work, for: input, { try await throttle.sleep(rest) })
        else { return }
        _ = submitLate(input, in: group, after: work, isLate: true)
      })
    waits.admit(wait, under: parent, into: &jobs)
  }

  /// Submits the job of a trigger that has waited.
  private func submitLate(
    _ input: EffectSubject<State>, in group: EffectRuns.Group, after wait: WorkNode, isLate: Bool
  ) -> Duration? {
    // The clock of a user is asked without a lock.
    let now = group.throttle?.now
    var rest: Duration?
    view.core.decide(at: wait.origin, of: input.report, under: wait) { decisions in
      rest = submit(
        input, in: group, under: wait, after: wait, isLate: isLate, at: wait.origin, now,
        into: &decisions.jobs)
    }
    return rest
  }

  /// Sleeps, unless the store was flushed meanwhile.
  ///
  /// - Returns: Whether the trigger goes on.
  nonisolated(nonsending) private func sleep(
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
