/// Runs the events of one asynchronous mutator, one after another.
final class AsyncRunner<State: Sendable, SubState: Sendable>: Sendable {
  private let mutator: AsyncMutator<State, SubState>
  private let view: StoreView<State>
  private let tenure: Tenure
  private let name: String
  private let line = JobLine(.serial)

  init(_ mutator: AsyncMutator<State, SubState>, in view: StoreView<State>, as tenure: Tenure) {
    self.mutator = mutator
    self.view = view
    self.tenure = tenure
    name = mutator.lens.footprint.name
  }

  /// What it hears: its events, and that the state was replaced.
  var attachment: Attachment {
    let events = mutator.cases.map { answer in
      CommitListener(interest: .actions(answer.type), isHandler: true) { report, subject, work in
        guard let event = report.action(subject) else { return }
        self.enqueue(event, answer.reduce, report.revision, under: work)
      }
    }
    let replacement = CommitListener(interest: .part(mutator.lens.footprint)) { report, _, _ in
      if report.cause == .replacement { self.line.cancelAll() }
    }
    return Attachment(
      listeners: [replacement] + events, slot: tenure.slot,
      stop: { for job in self.line.close() { job.drop() } })
  }

  private func enqueue(
    _ event: any Action, _ reduce: @escaping AsyncMutator<State, SubState>.Reduce,
    _ revision: UInt64, under parent: Work?
  ) {
    let job = Work(
      .event(type(of: event), of: name), under: parent, line: line, isBegun: true,
      errand: .body { [self] work in
        await Turn(runner: self, event: event, work: work, origin: revision).take(reduce)
      })
    line.submit(job, under: parent)
  }

  /// The turn of one event.
  private struct Turn: Sendable {
    let runner: AsyncRunner
    let event: any Action
    let work: Work
    /// The commit that the event is part of.
    let origin: UInt64

    func take(_ reduce: AsyncMutator<State, SubState>.Reduce) async {
      let before = runner.view.read(runner.mutator.lens)
      guard let result = reduce(before, event) else { return }
      let shown = Guarded(false)
      let show: @Sendable (SubState) -> Void = { value in
        shown.withLock { $0 = true }
        if !work.isCancelled { commit(value) }
      }
      if let loading = result.loading { show(loading) }
      do {
        let value = try await result.work(show)
        try Task.checkCancellation()
        if work.isCancelled { throw CancellationError() }
        commit(value)
        for follow in runner.mutator.follows { await follow(value, event) }
      } catch {
        if shown.withLock({ $0 }) { commit(before) }
        report(error)
      }
    }

    /// Writes a value, unless the state was replaced since the event, or the mutator unregistered.
    private func commit(_ value: SubState) {
      var value = value
      let occasion = Occasion(cause: .asyncResult, lineage: .part(of: work), validFrom: origin)
      runner.view.core.commit(occasion, to: runner.tenure) { state in
        // The old value leaves in the variable, to be released without the lock.
        _ = runner.mutator.lens.focus(state) { part in
          part.edit(SubState.self) { swap(&$0, &value) }
          return true
        }
      }
    }

    private func report(_ error: any Error) {
      if work.isCancelled || error is CancellationError { return }
      let name = "the asynchronous reducer of `\(runner.name)`"
      runner.view.core.onEffectError(EffectError(effect: name, action: event, underlying: error))
    }
  }
}
