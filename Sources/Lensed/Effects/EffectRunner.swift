/// One installed effect: its listeners, and the queue of its runs.
final class EffectRunner<State: Sendable>: Sendable {
  private let effect: Effect<State>
  private let view: StoreView<State>
  private let home: Boxed<StoreView<State>>
  /// The watches of the values that the effect is tied to.
  private let ties: [Effect<State>.TieWatch]
  private let jobs: JobQueue
  /// Triggers wait here for `pause`; a newer one replaces the one that waits.
  private let debounceQueue: JobQueue?
  private let passesThrottle: (@Sendable () -> Bool)?
  /// Turns actions into inputs, where the effect has a condition or was lifted by an action.
  private let filter: Effect<State>.ActionFilter?
  /// Whether the ties or the filter are evaluated before a run starts.
  private let needsEvaluation: Bool
  /// Whether cancelling the cause of a run cancels the run.
  private let relation: WorkRelation

  init(_ effect: Effect<State>, in view: StoreView<State>) {
    self.effect = effect
    self.view = view
    home = Boxed(view)
    ties = effect.ties.map { $0.makeWatch() }
    jobs = JobQueue(effect.policy, of: .effect(effect.name))
    debounceQueue = effect.pause == nil ? nil : JobQueue(.latest, holdsLulls: true)
    passesThrottle = effect.throttle?()
    filter = if case .action(_, _, let filter) = effect.trigger { filter } else { nil }
    needsEvaluation = !ties.isEmpty || filter != nil
    relation = if case .value = effect.trigger { .independent } else { .caused }
  }

  /// The listeners of the effect: first those that end it, then the one that triggers it.
  var listeners: [CommitListener] {
    let endings = effect.cancellers.map { type in
      CommitListener(
        interest: .actions(type), phase: .afterObservers { _, _, _ in self.cancelAll() })
    }
    let ties = effect.ties.map { tie in
      CommitListener(
        interest: .part(tie.path.footprint(view.part)),
        phase: .afterObservers { report, _, _ in _ = self.isAlive(report) })
    }
    return endings + ties + [trigger]
  }

  /// Cancels the runs and the queue.
  func cancelAll() {
    debounceQueue?.dropAll()
    jobs.dropAll()
  }

  /// The works that run, and those that wait.
  var works: [WorkNode] { jobs.allJobs + (debounceQueue?.allJobs ?? []) }

  /// Lets the trigger that waits for a lull begin.
  func flush() {
    debounceQueue?.hurry()
  }

  /// Cancels the runs and the queue, and starts no more runs.
  func close() {
    let core = view.core
    let all = (debounceQueue?.close() ?? []) + jobs.close()
    // When the store is released, nothing can wait for its jobs.
    if core.isClosed {
      for job in all { job.abandon() }
    } else {
      for job in all { core.keep(job) }
      WorkNode.drop(all)
    }
  }

  private var trigger: CommitListener {
    switch effect.trigger {
    case .action(let type, let needsPrevious, _):
      CommitListener(
        interest: .actions(type),
        phase: .afterObservers { report, subject, work in
          guard let input = self.input(subject, of: report) else { return }
          self.start(input, under: work)
        }, needsPrevious: needsPrevious, starter: debounceQueue == nil ? self : nil)
    case .value(let path, let needsPrevious, let makeWatch):
      watcher(path, needsPrevious, makeWatch)
    }
  }

  /// Evaluates an action, and returns the input of the job that it starts; nil if it starts none.
  private func input(
    _ subject: ReportSubject, of report: any CommitReport
  ) -> EffectInput? {
    guard isAlive(report) else { return nil }
    if filter == nil, case .all = subject { return .commit(report) }
    guard let action = report.action(subject) else { return nil }
    let found = filter.map { $0(action) { change(of: report) } } ?? action
    return found.map { .subject(EffectSubject($0, action: action, report: report)) }
  }

  private func watcher(
    _ path: ObservedPath<State>, _ needsPrevious: Bool,
    _ makeWatch: @escaping @Sendable (_ initial: State) -> Effect<State>.ValueWatch
  ) -> CommitListener {
    if path.needsHome { view.core.makeHome() }
    let watcher = ValueWatcher(makeWatch)
    return CommitListener(
      interest: .part(path.footprint(view.part)),
      phase: .afterObservers { report, _, work in
        let ignoresChange = report.cause == .replacement || !self.isAlive(report)
        if let subject = watcher.watch()?({ self.change(of: report) }, ignoresChange) {
          self.start(.subject(EffectSubject(subject, action: nil, report: report)), under: work)
        }
      }, needsPrevious: needsPrevious,
      onAttach: { [part = view.part] _, state in watcher.begin(with: part.read(state)) },
      didAttach: { watcher.watch() })
  }

  private func change(of report: any CommitReport) -> Change<State> {
    report.change(of: view.part)
  }

  /// Whether all values exist that the effect is tied to; cancels the runs when one was replaced.
  ///
  /// The first listener that is notified of a commit calls it, be it one of a tie or the trigger.
  private func isAlive(_ report: any CommitReport) -> Bool {
    if ties.isEmpty { return true }
    let state = change(of: report).state
    var (isAlive, isSame) = (true, true)
    for tie in ties {
      switch tie(state) {
      case .same: break
      case .replaced: isSame = false
      case .gone: (isAlive, isSame) = (false, false)
      }
    }
    if !isSame { cancelAll() }
    return isAlive
  }

  /// Starts a job, unless it comes too soon.
  private func start(_ input: EffectInput, under parent: WorkNode?) {
    if let passesThrottle, !passesThrottle() { return }
    guard let debounceQueue, let pause = effect.pause else {
      return submit(input, under: parent)
    }
    let wait = WorkNode(
      .effect(effect.name), in: view.core, under: parent, relation: relation, queue: debounceQueue,
      hasClaim: true,
      operation: .body { [self] work in
        if !work.isHurried {
          let hasPaused: Void? = try? await pause()
          guard hasPaused != nil || work.isHurried else { return }
        }
        if work.isCancelled { return }
        submit(input, under: work)
      })
    debounceQueue.submit(wait, under: parent)
  }

  private func submit(_ input: EffectInput, under parent: WorkNode?) {
    let job = WorkNode(
      .effect(effect.name), in: view.core, under: parent, relation: relation, queue: jobs,
      hasClaim: true,
      operation: .deferred(EffectJob(runner: self, input: input)))
    jobs.submit(job, under: parent)
  }
}

extension EffectRunner: JobStarter {
  var queue: any WorkQueue { jobs }

  func startJob(as work: WorkNode, for report: consuming any CommitReport) {
    guard let input = needsEvaluation ? input(.all, of: report) : .commit(report),
      passesThrottle?() ?? true,
      // A cancelled job must not make others give way.
      !work.isStopped
    else {
      work.endClaim()
      return
    }
    if jobs.neverWaits && work.context == nil {
      if jobs.enqueue(work) { run(work, input) }
    } else {
      work.setOperation(.deferred(EffectJob(runner: self, input: input)))
      jobs.admit(work)
    }
  }

  /// Runs a job whose turn has come.
  ///
  /// One closure does all of it: the runtime looks up the executor to continue on at the end of each
  /// asynchronous function.
  @inline(__always)
  fileprivate func run(_ work: WorkNode, _ input: consuming EffectInput) {
    let subject = input.subject
    work.setTask(
      WorkNode.Running.start(on: view.core.taskExecutor) {
        [self, context = EffectContext(home: home, trigger: .report(input.report), work: work)] in
        if !context.work.isStopped {
          await WorkNode.$current.withValue(context.work) {
            do {
              if let subject {
                try await effect.run(subject.value, context)
              } else if let action = context.trigger.action {
                try await effect.run(action, context)
              }
            } catch {
              await fail(error, subject.map(\.action) ?? context.trigger.action, context)
            }
          }
        }
        // What it started may go on without it.
        if jobs.finish(context.work) { view.core.keep(context.work) }
      })
  }

  nonisolated(nonsending) private func fail(
    _ error: any Error, _ action: (any Action)?, _ context: EffectContext<State>
  ) async {
    if context.work.isCancelled { return }
    if let handler = effect.handler { return await handler(error, context) }
    view.core.onEffectError(
      EffectError(effect: "the effect \(effect.name)", action: action, underlying: error))
  }
}

/// A job that waits for its turn: three words, which an `Operation` stores without an allocation.
private struct EffectJob<State: Sendable>: DeferredJob {
  let runner: EffectRunner<State>
  let input: EffectInput

  consuming func start(as work: WorkNode) {
    runner.run(work, input)
  }
}

/// The input of one job.
private enum EffectInput: Sendable {
  /// The action of the whole commit.
  case commit(any CommitReport)
  case subject(EffectSubject)

  var report: any CommitReport {
    switch self {
    case .commit(let report): report
    case .subject(let subject): subject.report
    }
  }

  var subject: EffectSubject? {
    if case .subject(let subject) = self { subject } else { nil }
  }
}

/// The value that a job is about, where that is not the action of the whole commit.
private final class EffectSubject: Sendable {
  let value: any Sendable
  /// The action that led to it.
  let action: (any Action)?
  /// The commit that triggered the job.
  let report: any CommitReport

  init(_ value: any Sendable, action: (any Action)?, report: any CommitReport) {
    self.value = value
    self.action = action
    self.report = report
  }
}
