/// Runs the events of one asynchronous mutator, one after another.
final class AsyncRunner<State: Sendable, SubState: Sendable>: Sendable {
  private let mutator: AsyncMutator<State, SubState>
  private let view: StoreView<State>
  private let epoch: OwnershipEpoch
  private let name: String
  private let queue = JobQueue(.serial)

  init(
    _ mutator: AsyncMutator<State, SubState>, in view: StoreView<State>, as epoch: OwnershipEpoch
  ) {
    self.mutator = mutator
    self.view = view
    self.epoch = epoch
    name = mutator.lens.footprint.name
  }

  /// Its listeners: one for each type of event, and one for the replacement of the state.
  var attachment: Attachment {
    let events = mutator.cases.map { answer in
      CommitListener(
        interest: .actions(answer.type),
        phase: .afterObservers { report, subject, work in
          guard let event = report.action(subject) else { return }
          self.enqueue(event, answer.reduce, report.revision, under: work)
        }, handlesActions: true)
    }
    let replacement = CommitListener(
      interest: .part(mutator.lens.footprint),
      phase: .afterObservers { report, _, _ in
        if report.cause == .replacement { self.queue.dropAll() }
      })
    return Attachment(
      listeners: [replacement] + events, epoch: epoch,
      stop: { WorkNode.drop(self.queue.close()) })
  }

  private func enqueue(
    _ event: any Action, _ reduce: @escaping AsyncMutator<State, SubState>.Reduce,
    _ revision: UInt64, under parent: WorkNode?
  ) {
    let job = WorkNode(
      .event(type(of: event), of: name), in: view.core, under: parent, queue: queue,
      hasClaim: true,
      operation: .body { [self] work in
        await EventRun(runner: self, event: event, work: work, origin: revision).run(reduce)
      })
    queue.submit(job, under: parent)
  }

  /// The run of one event.
  private struct EventRun: Sendable {
    let runner: AsyncRunner
    let event: any Action
    let work: WorkNode
    /// The commit that the event is part of.
    let origin: UInt64

    func run(_ reduce: AsyncMutator<State, SubState>.Reduce) async {
      let before = runner.view.read(runner.mutator.lens)
      guard let result = reduce(before, event) else { return }
      let shown = Locked(false)
      let show: @Sendable (SubState) -> Void = { value in
        if commit(value) { shown.withLock { $0 = true } }
      }
      if let loading = result.loading { show(loading) }
      do {
        let value = try await result.work(show)
        if commit(value) {
          for completion in runner.mutator.completions where !work.isCancelled {
            await completion(value, event)
          }
        } else {
          putBack(before, if: shown)
        }
      } catch {
        putBack(before, if: shown)
        report(error)
      }
    }

    private func putBack(_ before: SubState, if shown: borrowing Locked<Bool>) {
      if shown.withLock({ $0 }) { _ = commit(before, isRestoring: true) }
    }

    /// Writes a value, unless the event was cancelled, the state replaced since the event, or the mutator
    /// unregistered.
    ///
    /// - Returns: Whether it was written.
    private func commit(_ value: SubState, isRestoring: Bool = false) -> Bool {
      var value = value
      return runner.view.core.commitResult(
        of: runner.epoch, after: origin, by: work, isRestoring: isRestoring
      ) { state in
        // The old value leaves in the variable, to be released without the lock.
        _ = runner.mutator.lens.focus(state) { part in
          part.edit(SubState.self) { swap(&$0, &value) }
          return true
        }
      }
    }

    private func report(_ error: any Error) {
      if work.isCancelled { return }
      work.noteEffectError(error)
      let name = "the asynchronous reducer of `\(runner.name)`"
      runner.view.core.onEffectError(EffectError(effect: name, action: event, underlying: error))
    }
  }
}
