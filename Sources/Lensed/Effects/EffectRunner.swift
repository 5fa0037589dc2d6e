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
    line = JobLine(effect.policy)
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
      CommitListener(interest: .actions(type), needsPrevious: needsPrevious) { report, action in
        guard let action, self.isAlive(report) else { return }
        if let subject = look(action, { self.change(of: report) }) {
          self.start(subject, action, report)
        }
      }
    case .value(let sight, let makeWatch):
      watcher(sight, makeWatch(view.read(view.part.read)))
    }
  }

  private func watcher(
    _ sight: Sight<State>, _ watch: @escaping Effect<State>.ValueWatch
  ) -> CommitListener {
    CommitListener(interest: .part(sight.footprint(view.part))) { report, _ in
      let isMuted = report.cause == .replacement || !self.isAlive(report)
      if let subject = watch({ self.change(of: report) }, isMuted) {
        self.start(subject, nil, report)
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

  private func start(_ subject: any Sendable, _ action: (any Action)?, _ report: CommitReport) {
    if let isTimely, !isTimely() { return }
    let order = WorkOrder(taker: self, subject: subject, action: action, occasion: report)
    guard let antechamber, let pause = effect.pause else {
      return line.submit(job(order, under: report.work), under: report.work)
    }
    let wait = Work(
      .effect(effect.name), under: report.work, line: antechamber, isBegun: true,
      errand: .body { [self] work in
        guard (try? await pause()) != nil, !work.isCancelled else { return }
        line.submit(job(order, under: work), under: work)
      })
    antechamber.submit(wait, under: report.work)
  }

  private func job(_ order: WorkOrder, under parent: Work?) -> Work {
    Work(.effect(effect.name), under: parent, line: line, isBegun: true, errand: .order(order))
  }
}

extension EffectRunner: WorkTaker {
  nonisolated(nonsending) func take(_ order: WorkOrder, _ work: Work) async {
    guard let report = order.occasion as? CommitReport else { return }
    let context = EffectContext(
      home: home, cue: .report(report), tag: EffectOutlet(core: view.core, work: work))
    do {
      try await effect.run(order.subject, context)
    } catch {
      await fail(error, order.action, context, work)
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
