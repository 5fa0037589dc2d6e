/// One installed effect: what it listens to, where its jobs line up.
final class EffectRunner<State: Sendable>: Sendable {
  private let effect: Effect<State>
  private let view: StoreView<State>
  private let home: Boxed<StoreView<State>>
  private let isTied: Bool
  private let line: JobLine
  /// Where occasions wait to see whether a newer one comes.
  private let antechamber: JobLine?
  private let isTimely: (@Sendable () -> Bool)?

  init(_ effect: Effect<State>, in view: StoreView<State>) {
    self.effect = effect
    self.view = view
    home = Boxed(view)
    isTied = !effect.ties.isEmpty
    line = JobLine(effect.policy, of: .effect(effect.name))
    antechamber = effect.pause == nil ? nil : JobLine(.latest)
    isTimely = effect.throttle?()
  }

  /// What the effect wants to hear: first what ends it, then what triggers it.
  var listeners: [CommitListener] {
    let endings = effect.cancellers.map { type in
      CommitListener(interest: .actions(type)) { _, _ in self.cancelAll() }
    }
    let ties = effect.ties.map { tie in
      CommitListener(interest: .part(tie.sight.footprint(view.part))) { report, _ in
        if !tie.isAlive(self.change(of: report).state) { self.cancelAll() }
      }
    }
    return endings + ties + [trigger]
  }

  /// Cancels what runs and what waits.
  func cancelAll() {
    antechamber?.cancelAll()
    line.cancelAll()
  }

  /// Cancels what runs and what waits, and begins nothing any more.
  func close() {
    antechamber?.close()
    line.close()
  }

  private var trigger: CommitListener {
    switch effect.trigger {
    case .action(let type, let needsPrevious, let look):
      CommitListener(
        interest: .actions(type), needsPrevious: needsPrevious,
        line: antechamber == nil ? line : nil
      ) { report, subject in
        let isTaken = self.hear(subject, of: report, look)
        if report.isSole && !isTaken { report.work?.end() }
      }
    case .value(let sight, let makeWatch):
      watcher(sight, makeWatch(view.read(view.part.read)))
    }
  }

  /// Looks at an action, and starts what is to start.
  ///
  /// - Returns: Whether the claim on the work of the commit was given to the job.
  private func hear(
    _ subject: CommitReport.Subject, of report: CommitReport,
    _ look: Effect<State>.ActionWatch?
  ) -> Bool {
    guard isAlive(report) else { return false }
    if look == nil, case .all = subject { return start(nil, report) }
    guard let action = report.action(subject) else { return false }
    let found = look.map { $0(action) { change(of: report) } } ?? action
    guard let found else { return false }
    return start(Matter(subject: found, action: action), report)
  }

  private func watcher(
    _ sight: Sight<State>, _ watch: @escaping Effect<State>.ValueWatch
  ) -> CommitListener {
    CommitListener(interest: .part(sight.footprint(view.part))) { report, _ in
      let isMuted = report.cause == .replacement || !self.isAlive(report)
      if let subject = watch({ self.change(of: report) }, isMuted) {
        _ = self.start(Matter(subject: subject, action: nil), report)
      }
    }
  }

  private func change(of report: CommitReport) -> Change<State> {
    report.change(of: view.part)
  }

  private func isAlive(_ report: CommitReport) -> Bool {
    if !isTied { return true }
    let state = change(of: report).state
    return effect.ties.allSatisfy { $0.isAlive(state) }
  }

  /// Starts what is about `matter`; about the action of the whole commit, if that is nil.
  ///
  /// - Returns: Whether the claim on the work of the commit was given to the job.
  private func start(_ matter: Matter?, _ report: CommitReport) -> Bool {
    if let isTimely, !isTimely() { return false }
    guard let antechamber, let pause = effect.pause else {
      if report.isSole, let work = report.work {
        return line.submit(
          work, for: WorkOrder(taker: self, occasion: report, matter: matter))
      }
      line.submit(job(report, matter, under: report.work), under: report.work)
      return false
    }
    let wait = Work(
      .effect(effect.name), under: report.work, line: antechamber, isBegun: true,
      errand: .body { [self] work in
        guard (try? await pause()) != nil, !work.isCancelled else { return }
        line.submit(job(report, matter, under: work), under: work)
      })
    antechamber.submit(wait, under: report.work)
    return false
  }

  private func job(_ report: CommitReport, _ matter: Matter?, under parent: Work?) -> Work {
    Work(
      .effect(effect.name), under: parent, line: line, isBegun: true,
      errand: .order(WorkOrder(taker: self, occasion: report, matter: matter)))
  }
}

extension EffectRunner: WorkTaker {
  nonisolated(nonsending) func take(
    _ occasion: any AnyObject & Sendable, _ matter: (any AnyObject & Sendable)?, _ work: Work
  ) async {
    guard let report = occasion as? CommitReport else { return }
    let context = EffectContext(home: home, cue: .report(report), work: work)
    do {
      if let matter = matter as? Matter {
        try await effect.run(matter.subject, context)
      } else if let action = report.action(.all) {
        try await effect.run(action, context)
      }
    } catch {
      let action = matter == nil ? report.action(.all) : (matter as? Matter)?.action
      await fail(error, action, context, work)
    }
  }

  nonisolated(nonsending) private func fail(
    _ error: any Error, _ action: (any Action)?, _ context: EffectContext<State>, _ work: Work
  ) async {
    if work.isCancelled || error is CancellationError { return }
    if let handler = effect.handler { return await handler(error, context) }
    view.core.onEffectError(
      EffectError(effect: "the effect \(effect.name)", action: action, underlying: error))
  }
}

/// What an effect is about.
private final class Matter: Sendable {
  let subject: any Sendable
  /// The action that led to it.
  let action: (any Action)?

  init(subject: any Sendable, action: (any Action)?) {
    self.subject = subject
    self.action = action
  }
}
