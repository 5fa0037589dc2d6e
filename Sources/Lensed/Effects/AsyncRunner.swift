/// Runs the events of one asynchronous mutator, one after another; in children, one after another in each.
final class AsyncRunner<Root: Sendable, State: Sendable, SubState: Sendable>: Sendable {
  private let mutator: AsyncMutator<State, SubState>
  private let path: ChildPath<Root, SubState>
  private let view: StoreView<Root>
  private let epoch: OwnershipEpoch
  /// The queues.
  private let seats: EffectSeats<Root, SubState>

  init(
    _ mutator: AsyncMutator<State, SubState>, of feature: ChildPath<Root, State>,
    in view: StoreView<Root>, as epoch: OwnershipEpoch
  ) {
    (self.mutator, self.view, self.epoch) = (mutator, view, epoch)
    path = feature.appending(ChildPath(mutator.lens))
    let core = view.core
    seats = EffectSeats(path, in: view) { _, onEmpty in
      EffectRuns(.serial, in: core, onEmpty: onEmpty)
    }
  }

  /// Its listeners: one for each type of event, and one for the replacement of the state.
  var attachment: Attachment {
    let events = mutator.cases.map { listener(of: $0) }
    let replacement = CommitListener(
      selection: .part(path.container),
      decide: { [seats] decisions, _ in
        if decisions.cause != .replacement { return }
        for seat in seats.all(in: []) { decisions.jobs.end(seat.runs.works) }
      })
    return Attachment(
      listeners: seats.listeners + [replacement] + events, epochs: [epoch],
      close: { self.seats.close() })
  }

  /// A listener that queues the events of a type, in the commit that they are part of.
  private func listener(of answer: AsyncReducerCase<SubState>) -> CommitListener {
    let route = ActionRoute(answer.type, through: path.steps)
    var listener = CommitListener(
      selection: .actions(route.type),
      decide: { [self] decisions, action in
        guard let action, let (event, ids) = route.inner(of: action),
          let seat = seats.find(ids, in: decisions.state)
        else { return }
        enqueue(event, answer.reduce, in: seat, &decisions)
        seats.tidy(seat, at: nil, into: &decisions.jobs)
      })
    if seats.sole == nil { listener.child = path.locator { route.ids(of: $0) } }
    listener.needsReport = true
    listener.handlesActions = true
    return listener
  }

  private func enqueue(
    _ event: any Action, _ reduce: @escaping AsyncReducerCase<SubState>.Reduce,
    in seat: EffectSeat<SubState>, _ decisions: inout CommitDecisions
  ) {
    guard let group = seat.runs.group(of: nil, at: nil, into: &decisions.jobs) else { return }
    let (parent, origin) = (decisions.work, decisions.place.revision)
    let job = WorkNode(
      .event(type(of: event), of: { [self] in name(in: seat.ids) }), in: view.core, under: parent,
      queue: group.jobs, hasClaim: true, origin: decisions.place,
      operation: .body { [self] work in
        let run = EventRun(runner: self, event: event, work: work, origin: origin, seat: seat)
        await run.run(reduce)
      })
    group.jobs.admit(job, under: parent, into: &decisions.jobs)
  }

  private func name(in ids: [AnyID]) -> String {
    let name = path.name.text(ids)
    return name.isEmpty ? "\\.self" : name
  }

  /// The run of one event.
  private struct EventRun: Sendable {
    let runner: AsyncRunner
    let event: any Action
    let work: WorkNode
    /// The commit that the event is part of.
    let origin: UInt64
    let seat: EffectSeat<SubState>

    func run(_ reduce: AsyncReducerCase<SubState>.Reduce) async {
      let before = seat.home.view.read(.identity)
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

    /// Writes a value, unless the event was cancelled, the state replaced since the event, the mutator
    /// unregistered, or the child dismissed.
    ///
    /// - Returns: Whether it was written.
    private func commit(_ value: SubState, isRestoring: Bool = false) -> Bool {
      var value = value
      return runner.view.core.commitResult(
        of: runner.epoch, after: origin, by: work, isRestoring: isRestoring,
        unless: { seat.end.isSet }
      ) { state in
        // The old value leaves in the variable, to be released without the lock.
        _ = runner.path.edit(state, seat.ids[...]) { part in
          part.edit(SubState.self) { swap(&$0, &value) }
          return true
        }
      }
    }

    private func report(_ error: any Error) {
      if work.isCancelled || runner.view.core.isClosed { return }
      work.noteEffectError(error)
      let name = "the asynchronous reducer of `\(runner.name(in: seat.ids))`"
      runner.view.core.onEffectError(EffectError(effect: name, action: event, underlying: error))
    }
  }
}
