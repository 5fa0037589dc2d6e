/// One installed effect: its listeners, and the seats of its runs.
final class EffectRunner<Root: Sendable, State: Sendable>: Sendable {
  let effect: PlacedEffect<Root, State>
  let view: StoreView<Root>
  let options: EffectOptions
  /// The work of a run, with all that is done around it.
  private let perform: EffectRun<State>
  /// The triggers, with the work of those that have their own.
  let triggers: [ActionTrigger<State>]
  let seats: EffectSeats<Root, State>
  /// Starts the only job of a commit, where actions of one type trigger the effect.
  private let plain: ActionTrigger<State>?
  /// Whether the ties or a filter are evaluated before a run starts.
  private let needsEvaluation: Bool
  /// Whether cancelling the cause of a run cancels the run.
  private let relation: WorkRelation

  init(
    _ effect: PlacedEffect<Root, State>, _ name: String, _ policy: EffectPolicy,
    _ options: EffectOptions, in view: StoreView<Root>
  ) {
    (self.effect, self.view, self.options) = (effect, view, options)
    perform = options.wrapping(effect.run)
    var triggers = effect.trigger.actions
    for index in triggers.indices {
      if let run = triggers[index].run { triggers[index].run = options.wrapping(run) }
    }
    self.triggers = triggers
    let isKeyed = triggers.contains { $0.key != nil }
    let labels = effect.labels(name)
    seats = EffectSeats(effect.path, in: view, tiedTo: effect.ties) { ids, onEmpty in
      EffectRuns(policy, options, labels(ids), isKeyed: isKeyed, onEmpty: onEmpty)
    }
    let isSimple =
      effect.isPlain && options.keptChanges == nil && triggers.count == 1
      && triggers[0].type != nil && !isKeyed
      && options.pause == nil && options.throttle == nil
    plain = isSimple ? triggers[0] : nil
    needsEvaluation = !effect.ties.isEmpty || triggers.contains { $0.filter != nil }
    relation = if case .value = effect.trigger { .independent } else { .caused }
  }

  /// Whether the state before the commit is needed.
  var needsPrevious: Bool { options.keepsPrevious || effect.trigger.needsPrevious }
}

// MARK: Evaluating

extension EffectRunner {
  /// Evaluates an action, and starts the run that it triggers, if any.
  func evaluate(
    _ action: any Action, by trigger: ActionTrigger<State>, of report: any CommitReport,
    in seat: EffectSeat<State>, keeping backlog: ChangeBacklog?, under parent: WorkNode?
  ) {
    guard isAlive(report, in: seat) else { return }
    let found: (any Sendable)? =
      if let filter = trigger.filter {
        filter(action) { seat.home.change(of: report) }
      } else {
        action
      }
    guard let found else { return }
    start(
      found, setOffBy: action, of: report, in: seat, run: trigger.run, key: trigger.key?(action),
      keeping: backlog, under: parent)
  }

  /// Whether all values exist that the effect is tied to; cancels the runs when one was replaced.
  ///
  /// The first listener that is notified of a commit calls it, be it one of a tie or the trigger.
  func isAlive(_ report: any CommitReport, in seat: EffectSeat<State>) -> Bool {
    if seat.ties.isEmpty { return true }
    return report.read { state in
      var (isAlive, isSame) = (true, true)
      for tie in seat.ties {
        switch tie(state, seat.ids[...]) {
        case .same: break
        case .replaced: isSame = false
        case .gone: (isAlive, isSame) = (false, false)
        }
      }
      if !isSame { seat.runs.cancelAll() }
      return isAlive
    }
  }
}

// MARK: Starting

extension EffectRunner {
  /// Starts a job, unless it comes too soon; it may have to wait first.
  func start(
    _ value: any Sendable, setOffBy action: (any Action)? = nil, of report: any CommitReport,
    in seat: EffectSeat<State>, run: EffectRun<State>? = nil, key: AnyID? = nil,
    keeping backlog: ChangeBacklog?, under parent: WorkNode?
  ) {
    seat.runs.withGroup(of: key) { group in
      let input = EffectSubject(
        value, action: action, report: report, seat: seat, jobs: group.jobs, run: run,
        backlog: backlog)
      if options.pause != nil { return wait(for: input, in: group, under: parent) }
      // The one that waits for the end of the silence never begins after this one.
      let former = group.throttle?.keepsLatest == true ? group.waits : nil
      let rest = submit(input, in: group, under: parent, dropping: former)
      if rest != nil { wait(for: input, in: group, under: parent, inSilence: rest) }
    }
  }

  /// Has a trigger wait for a lull, or for the rest of the silence; a newer one replaces it.
  private func wait(
    for input: EffectSubject<State>, in group: EffectRuns.Group, under parent: WorkNode?,
    inSilence rest: Duration? = nil
  ) {
    guard let waits = group.waits else { return }
    let wait = WorkNode(
      input.seat.runs.label, in: view.core, under: parent, relation: relation, queue: waits,
      hasClaim: true,
      operation: .body { [self] work in
        var rest = rest
        if rest == nil, let pause = options.pause {
          guard await sleep(as: work, for: input, pause) else { return }
          rest = submit(input, in: group, under: work, after: work, isLate: work.isPauseOver)
        }
        guard let rest, let throttle = group.throttle,
          await sleep(as: work, for: input, { try await throttle.sleep(rest) })
        else { return }
        _ = submit(input, in: group, under: work, after: work, isLate: true)
      })
    waits.submit(wait, under: parent)
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

  /// Submits a job.
  ///
  /// - Returns: How long it is to wait, if it comes too soon and may wait.
  private func submit(
    _ input: EffectSubject<State>, in group: EffectRuns.Group, under parent: WorkNode?,
    after wait: WorkNode? = nil, dropping former: JobQueue? = nil, isLate: Bool = false
  ) -> Duration? {
    let job = WorkNode(
      input.seat.runs.label, in: view.core, under: parent, relation: relation, queue: input.jobs,
      hasClaim: true, setOffBy: input.report.revision,
      operation: .deferred(EffectJob(runner: self, input: .subject(input))))
    let keepsLatest = group.throttle?.keepsLatest == true
    let rest = input.jobs.submit(
      job, under: parent, after: wait, dropping: former, at: group.throttle?.now,
      isLate: isLate && keepsLatest)
    return keepsLatest ? rest : nil
  }
}

extension EffectRunner: JobStarter {
  /// The starter of the only job of a commit, if the effect can be one.
  var starter: (any JobStarter)? { plain == nil ? nil : self }

  private var soleSeat: EffectSeat<State> {
    guard let sole = seats.sole else {
      fatalError(
        "Lensed: an effect in children was asked for its one seat; this is a fault of Lensed.")
    }
    return sole
  }

  private var soleJobs: JobQueue {
    guard let jobs = seats.sole?.runs.only?.jobs else {
      fatalError(
        "Lensed: an effect with keys was asked for its one queue; this is a fault of Lensed.")
    }
    return jobs
  }

  var queue: any WorkQueue { soleJobs }

  func startJob(as work: WorkNode, for report: consuming any CommitReport) {
    guard let input = needsEvaluation ? soleInput(of: report) : .commit(report),
      // A cancelled job must not make others give way.
      !work.isStopped
    else {
      work.endClaim()
      return
    }
    let jobs = soleJobs
    if jobs.neverWaits && work.context == nil && !work.isSetOffElsewhere {
      if case .start = jobs.enqueue(work) { run(work, input) }
    } else {
      work.setOperation(.deferred(EffectJob(runner: self, input: input)))
      jobs.admit(work)
    }
  }

  private func soleInput(of report: any CommitReport) -> EffectInput<State>? {
    let seat = soleSeat
    guard isAlive(report, in: seat) else { return nil }
    guard let filter = plain?.filter else { return .commit(report) }
    guard let action = report.action else { return nil }
    return filter(action) { seat.home.change(of: report) }.map {
      .subject(
        EffectSubject(
          $0, action: action, report: report, seat: seat, jobs: soleJobs,
          run: plain?.run))
    }
  }
}

// MARK: Running

extension EffectRunner {
  /// Runs a job whose turn has come.
  ///
  /// One closure does all of it: the runtime looks up the executor to continue on at the end of each
  /// asynchronous function.
  @inline(__always)
  fileprivate func run(_ work: WorkNode, _ input: consuming EffectInput<State>) {
    work.setTask(
      WorkNode.Running.start(on: view.core.taskExecutor) { [self, input = consume input] in
        let subject = input.subject
        let context = EffectContext(
          home: subject?.seat.home ?? soleSeat.home, report: input.report, work: work,
          backlog: subject?.backlog)
        if !context.work.isStopped {
          await WorkNode.$current.withValue(context.work) {
            do {
              if let subject {
                if let run = subject.run {
                  try await run(subject.value, context)
                } else {
                  try await perform(subject.value, context)
                }
              } else if let action = context.report.action {
                try await perform(action, context)
              }
            } catch {
              await fail(error, subject, context)
            }
          }
        }
        subject?.backlog?.close()
        // What it started may go on without it.
        if (subject?.jobs ?? soleJobs).finish(context.work) { view.core.keepAlive(context.work) }
      })
  }

  nonisolated(nonsending) private func fail(
    _ error: any Error, _ subject: EffectSubject<State>?, _ context: EffectContext<State>
  ) async {
    if context.work.isCancelled { return }
    if let handler = effect.handler { return await handler(error, context) }
    context.work.noteEffectError(error)
    let label = (subject?.seat ?? soleSeat).runs.label
    let action = subject.map(\.action) ?? context.report.action
    view.core.onEffectError(
      EffectError(effect: "\(label)", action: action, underlying: error))
  }
}

/// A job that waits for its turn: three words, which an `Operation` stores without an allocation.
private struct EffectJob<Root: Sendable, State: Sendable>: DeferredJob {
  let runner: EffectRunner<Root, State>
  let input: EffectInput<State>

  consuming func start(as work: WorkNode) {
    runner.run(work, input)
  }
}
