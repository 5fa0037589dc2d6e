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
        if let change = self.change(of: report), !tie.isAlive(change.value.state) {
          self.cancelAll()
        }
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
    case .action(let type, let needsPrevious, let begin):
      CommitListener(interest: .actions(type), needsPrevious: needsPrevious) { report, action in
        guard let action, let change = self.change(of: report), self.isAlive(change) else { return }
        if let run = begin(action, change) { self.start(run, action, change, report) }
      }
    case .value(let sight, let makeWatch):
      watcher(sight, makeWatch(view.read(view.part.read)))
    }
  }

  private func watcher(
    _ sight: Sight<State>, _ watch: @escaping Effect<State>.ValueWatch
  ) -> CommitListener {
    CommitListener(interest: .part(sight.footprint(view.part))) { report, _ in
      guard let change = self.change(of: report) else { return }
      let isMuted = report.cause == .replacement || !self.isAlive(change)
      if let run = watch(change, isMuted) { self.start(run, nil, change, report) }
    }
  }

  private func change(of report: CommitReport) -> Boxed<Change<State>>? {
    report.change(of: State.self)
  }

  private func isAlive(_ change: Boxed<Change<State>>) -> Bool {
    !isTied || effect.ties.allSatisfy { $0.isAlive(change.value.state) }
  }

  private func start(
    _ run: @escaping Effect<State>.Run, _ action: (any Action)?, _ change: Boxed<Change<State>>,
    _ report: CommitReport
  ) {
    if let isTimely, !isTimely() { return }
    guard let antechamber, let pause = effect.pause else {
      return line.submit(job(run, action, change, under: report.work, in: line))
    }
    antechamber.submit(
      Work(
        .effect(effect.name), under: report.work, line: antechamber, isBegun: true
      ) { [self] work in
        guard (try? await pause()) != nil, !work.isCancelled else { return }
        line.submit(job(run, action, change, under: work, in: line))
      })
  }

  private func job(
    _ run: @escaping Effect<State>.Run, _ action: (any Action)?, _ change: Boxed<Change<State>>,
    under parent: Work?, in line: JobLine
  ) -> Work {
    Work(.effect(effect.name), under: parent, line: line, isBegun: true) { [self] work in
      let context = EffectContext(
        home: home, occasion: change, tag: EffectOutlet(core: view.core, work: work))
      do {
        try await run(context)
      } catch {
        await fail(error, action, context, work)
      }
    }
  }

  private func fail(
    _ error: any Error, _ action: (any Action)?, _ context: EffectContext<State>, _ work: Work
  ) async {
    if work.isCancelled || error is CancellationError { return }
    if let handler = effect.handler { return await handler(error, context) }
    view.core.onEffectError(
      EffectError(effect: "the effect \(effect.name)", action: action, underlying: error))
  }
}
