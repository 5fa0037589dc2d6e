/// One installed effect: what it listens to, where its jobs line up.
final class EffectRunner<State: Sendable>: Sendable {
  private let effect: Effect<State>
  private let view: StoreView<State>
  private let home: Boxed<StoreView<State>>
  /// Look at what the effect is tied to.
  private let ties: [Effect<State>.TieWatch]
  private let jobs: JobQueue
  /// Where occasions wait to see whether a newer one comes.
  private let debounceQueue: JobQueue?
  private let passesThrottle: (@Sendable () -> Bool)?
  /// Looks at the actions, where the effect is not about each of them as it is.
  private let look: Effect<State>.ActionFilter?
  /// Whether a commit is looked at before it sets the effect off.
  private let needsEvaluation: Bool
  /// What cancels its runs along with what has set them off.
  private let relation: WorkRelation

  init(_ effect: Effect<State>, in view: StoreView<State>) {
    self.effect = effect
    self.view = view
    home = Boxed(view)
    ties = effect.ties.map { $0.makeWatch() }
    jobs = JobQueue(effect.policy, of: .effect(effect.name))
    debounceQueue = effect.pause == nil ? nil : JobQueue(.latest)
    passesThrottle = effect.throttle?()
    look = if case .action(_, _, let look) = effect.trigger { look } else { nil }
    needsEvaluation = !ties.isEmpty || look != nil
    relation = if case .value = effect.trigger { .independent } else { .caused }
  }

  /// What the effect wants to hear: first what ends it, then what triggers it.
  var listeners: [CommitListener] {
    let endings = effect.cancellers.map { type in
      CommitListener(interest: .actions(type)) { _, _, _ in self.cancelAll() }
    }
    let ties = effect.ties.map { tie in
      CommitListener(interest: .part(tie.sight.footprint(view.part))) { report, _, _ in
        _ = self.isAlive(report)
      }
    }
    return endings + ties + [trigger]
  }

  /// Cancels what runs and what waits.
  func cancelAll() {
    debounceQueue?.cancelAll()
    jobs.cancelAll()
  }

  /// Cancels what runs and what waits, and begins nothing any more.
  func close() {
    let core = view.core
    let all = (debounceQueue?.close() ?? []) + jobs.close()
    // Where the store goes, nobody waits for what goes with it.
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
        guard let prompt = self.prompt(subject, of: report) else { return }
        self.start(prompt, report, under: work)
      }
    case .value(let sight, let needsPrevious, let makeWatch):
      watcher(sight, needsPrevious, makeWatch)
    }
  }

  /// Looks at an action, and says what is to start because of it; nil for nothing.
  private func prompt(
    _ subject: ReportSubject, of report: any CommitReport
  ) -> Prompt? {
    guard isAlive(report) else { return nil }
    if look == nil, case .all = subject { return .commit }
    guard let action = report.action(subject) else { return nil }
    let found = look.map { $0(action) { change(of: report) } } ?? action
    return found.map { .matter(Matter(subject: $0, action: action)) }
  }

  private func watcher(
    _ sight: ObservedPath<State>, _ needsPrevious: Bool,
    _ makeWatch: @escaping @Sendable (_ initial: State) -> Effect<State>.ValueWatch
  ) -> CommitListener {
    let watcher = ValueWatcher(makeWatch)
    return CommitListener(
      interest: .part(sight.footprint(view.part)), needsPrevious: needsPrevious,
      begin: { [part = view.part] state in watcher.begin(with: part.read(state)) },
      didBegin: { watcher.watch() }
    ) { report, _, work in
      let ignoresChange = report.cause == .replacement || !self.isAlive(report)
      if let subject = watcher.watch()?({ self.change(of: report) }, ignoresChange) {
        self.start(.matter(Matter(subject: subject, action: nil)), report, under: work)
      }
    }
  }

  private func change(of report: any CommitReport) -> Change<State> {
    report.change(of: view.part)
  }

  /// Whether all is there that the effect is tied to; ends what was tied to something else.
  ///
  /// Asked by whatever hears first of a commit: what ends the effect, or what triggers it.
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
  private func start(_ prompt: Prompt, _ report: any CommitReport, under parent: WorkNode?) {
    if let passesThrottle, !passesThrottle() { return }
    guard let debounceQueue, let pause = effect.pause else {
      return submit(prompt, report, under: parent)
    }
    let wait = WorkNode(
      .effect(effect.name), in: view.core, under: parent, relation: relation, line: debounceQueue,
      isBegun: true,
      errand: .body { [self] work in
        guard (try? await pause()) != nil, !work.isCancelled else { return }
        submit(prompt, report, under: work)
      })
    debounceQueue.submit(wait, under: parent)
  }

  private func submit(_ prompt: Prompt, _ report: any CommitReport, under parent: WorkNode?) {
    let job = WorkNode(
      .effect(effect.name), in: view.core, under: parent, relation: relation, line: jobs,
      isBegun: true,
      errand: .order(order(prompt, report)))
    jobs.submit(job, under: parent)
  }

  private func order(_ prompt: Prompt, _ report: any CommitReport) -> WorkOrder {
    WorkOrder(taker: self, report: report, matter: prompt.matter)
  }
}

extension EffectRunner: JobStarter {
  var line: any WorkQueue { jobs }

  func take(_ work: WorkNode, for report: consuming any CommitReport) {
    guard let prompt = needsEvaluation ? prompt(.all, of: report) : .commit,
      passesThrottle?() ?? true,
      // What was cancelled since it was committed is not to make others give way.
      !work.isStopped
    else {
      work.end()
      return
    }
    if jobs.isOpen && work.context == nil {
      if jobs.enter(work) { begin(work, consume report, prompt.matter) }
    } else {
      work.keep(.order(order(prompt, report)))
      jobs.admit(work)
    }
  }

  func begin(_ job: WorkNode, _ order: consuming WorkOrder) {
    begin(job, order.report, order.matter as? Matter)
  }

  /// Starts a job.
  ///
  /// All that it takes is done in one closure: each asynchronous function on the way would be one more place
  /// where the runtime asks which executor it is to go on with.
  @inline(__always)
  private func begin(_ work: WorkNode, _ report: consuming any CommitReport, _ matter: Matter?) {
    work.setTask(
      WorkNode.Running {
        [context = EffectContext(home: home, cue: .report(consume report), work: work)] in
        if !context.work.isStopped {
          await WorkNode.$current.withValue(context.work) {
            do {
              if let matter {
                try await effect.run(matter.subject, context)
              } else if let action = context.cue.action {
                try await effect.run(action, context)
              }
            } catch {
              await fail(error, matter.map(\.action) ?? context.cue.action, context)
            }
          }
        }
        // What it started may go on without it.
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

/// What sets a job off.
private enum Prompt: Sendable {
  /// The action of the whole commit.
  case commit
  case matter(Matter)

  var matter: Matter? {
    if case .matter(let matter) = self { matter } else { nil }
  }
}

/// What an effect is about, where that is not the action of the whole commit.
private final class Matter: Sendable {
  let subject: any Sendable
  /// The action that led to it.
  let action: (any Action)?

  init(subject: any Sendable, action: (any Action)?) {
    self.subject = subject
    self.action = action
  }
}
