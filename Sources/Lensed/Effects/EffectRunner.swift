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
    debounceQueue = effect.pause == nil ? nil : JobQueue(.latest)
    passesThrottle = effect.throttle?()
    filter = if case .action(_, _, let filter) = effect.trigger { filter } else { nil }
    needsEvaluation = !ties.isEmpty || filter != nil
    relation = if case .value = effect.trigger { .independent } else { .caused }
  }

  /// The listeners of the effect: first those that end it, then the one that triggers it.
  var listeners: [CommitListener] {
    let endings = effect.cancellers.map { type in
      CommitListener(interest: .actions(type)) { _, _, _ in self.cancelAll() }
    }
    let ties = effect.ties.map { tie in
      CommitListener(interest: .part(tie.path.footprint(view.part))) { report, _, _ in
        _ = self.isAlive(report)
      }
    }
    return endings + ties + [trigger]
  }

  /// Cancels the runs and the queue.
  func cancelAll() {
    debounceQueue?.cancelAll()
    jobs.cancelAll()
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
        interest: .actions(type), needsPrevious: needsPrevious,
        taker: debounceQueue == nil ? self : nil
      ) { report, subject, work in
        guard let input = self.input(subject, of: report) else { return }
        self.start(input, report, under: work)
      }
    case .value(let path, let needsPrevious, let makeWatch):
      watcher(path, needsPrevious, makeWatch)
    }
  }

  /// Returns the input of the run that a commit starts; nil when it starts none.
  private func input(
    _ subject: ReportSubject, of report: any CommitReport
  ) -> EffectInput? {
    guard isAlive(report) else { return nil }
    if filter == nil, case .all = subject { return .action }
    guard let action = report.action(subject) else { return nil }
    let value = filter.map { $0(action) { change(of: report) } } ?? action
    return value.map { .value(InputValue($0, of: action)) }
  }

  private func watcher(
    _ path: ObservedPath<State>, _ needsPrevious: Bool,
    _ makeWatch: @escaping @Sendable (_ initial: State) -> Effect<State>.ValueWatch
  ) -> CommitListener {
    let watcher = ValueWatcher(makeWatch)
    return CommitListener(
      interest: .part(path.footprint(view.part)), needsPrevious: needsPrevious,
      begin: { [part = view.part] state in watcher.begin(with: part.read(state)) },
      didBegin: { watcher.watch() }
    ) { report, _, work in
      let ignoresChange = report.cause == .replacement || !self.isAlive(report)
      if let value = watcher.watch()?({ self.change(of: report) }, ignoresChange) {
        self.start(.value(InputValue(value, of: nil)), report, under: work)
      }
    }
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

  /// Starts a run, after the pause, unless the throttle rejects it.
  private func start(_ input: EffectInput, _ report: any CommitReport, under parent: WorkNode?) {
    if let passesThrottle, !passesThrottle() { return }
    guard let debounceQueue, let pause = effect.pause else {
      return submit(input, report, under: parent)
    }
    let wait = WorkNode(
      .effect(effect.name), in: view.core, under: parent, relation: relation, line: debounceQueue,
      isBegun: true,
      errand: .body { [self] work in
        guard (try? await pause()) != nil, !work.isCancelled else { return }
        submit(input, report, under: work)
      })
    debounceQueue.submit(wait, under: parent)
  }

  private func submit(_ input: EffectInput, _ report: any CommitReport, under parent: WorkNode?) {
    let job = WorkNode(
      .effect(effect.name), in: view.core, under: parent, relation: relation, line: jobs,
      isBegun: true,
      errand: .order(order(input, report)))
    jobs.submit(job, under: parent)
  }

  private func order(_ input: EffectInput, _ report: any CommitReport) -> WorkOrder {
    WorkOrder(taker: self, report: report, matter: input.value)
  }
}

extension EffectRunner: JobStarter {
  var line: any WorkQueue { jobs }

  func take(_ work: WorkNode, for report: consuming any CommitReport) {
    guard let input = needsEvaluation ? self.input(.all, of: report) : .action,
      passesThrottle?() ?? true,
      // A run cancelled since its commit must not replace another.
      !work.isStopped
    else {
      work.end()
      return
    }
    if jobs.isOpen && work.context == nil {
      if jobs.enter(work) { begin(work, consume report, input.value) }
    } else {
      work.keep(.order(order(input, report)))
      jobs.admit(work)
    }
  }

  func begin(_ job: WorkNode, _ order: consuming WorkOrder) {
    begin(job, order.report, order.matter as? InputValue)
  }

  /// Starts a job.
  ///
  /// It is one closure, because each asynchronous function in between would cost another executor check of
  /// the runtime.
  @inline(__always)
  private func begin(_ work: WorkNode, _ report: consuming any CommitReport, _ value: InputValue?) {
    work.setTask(
      WorkNode.Running {
        [context = EffectContext(home: home, trigger: .report(consume report), work: work)] in
        if !context.work.isStopped {
          await WorkNode.$current.withValue(context.work) {
            do {
              if let value {
                try await effect.run(value.value, context)
              } else if let action = context.trigger.action {
                try await effect.run(action, context)
              }
            } catch {
              await fail(error, value.map(\.action) ?? context.trigger.action, context)
            }
          }
        }
        // Its children can outlive it.
        if jobs.end(context.work) { view.core.keep(context.work) }
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

/// The input of a run.
private enum EffectInput: Sendable {
  /// The action of the whole commit.
  case action
  case value(InputValue)

  var value: InputValue? {
    if case .value(let value) = self { value } else { nil }
  }
}

/// An input other than the action of the whole commit.
private final class InputValue: Sendable {
  let value: any Sendable
  /// The action that led to it.
  let action: (any Action)?

  init(_ value: any Sendable, of action: (any Action)?) {
    self.value = value
    self.action = action
  }
}
