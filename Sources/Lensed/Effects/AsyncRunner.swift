/// Runs the events of one asynchronous mutator, one after another; in children, one after another in each.
///
/// 1. An event is queued in the commit of its action, under the lock, as a job of an effect is. The queue is serial.
/// 2. The run reduces the part as the event before it left it. What is shown for the time being is a commit with the cause
///    `.placeholder`; `Placeholder.swift` has the value from before.
/// 3. The result is a commit with the cause `.asyncResult`. If there is none, the value from before is put back.
final class AsyncRunner<Root: Sendable, State: Sendable, SubState: Sendable>: Sendable {
  private let mutator: AsyncMutator<State, SubState>
  private let path: Optic<Root, SubState>
  private let view: StoreView<Root>
  private let epoch: OwnershipEpoch
  /// The queues.
  private let seats: EffectsPerChild<Root, SubState>

  init(
    _ placed: Placed<Root, AsyncMutator<State, SubState>>, in view: StoreView<Root>,
    as epoch: OwnershipEpoch
  ) {
    let (mutator, core) = (placed.content, view.core)
    (self.mutator, self.view, self.epoch) = (mutator, view, epoch)
    path = placed.path.appending(Optic(mutator.lens))
    seats = EffectsPerChild(path, in: view, givers: placed.givers) { _, onEmpty in
      EffectRuns(
        .serial, EffectOptions(site: Boxed(mutator.site)), in: core, onEmpty: onEmpty)
    }
  }

  /// Its listeners: one for each type of event, and one for the replacement of the state.
  var attachment: Attachment {
    let events = mutator.cases.map { listener(of: $0) }
    var replacement = CommitListener(
      selection: .part(path.container),
      decide: { [seats] decisions, _ in
        if decisions.cause != .replacement { return }
        for seat in seats.all(in: []) { decisions.jobs.end(seat.runs.works) }
      })
    replacement.isOfReplacements = true
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
        enqueue(event, answer, in: seat, &decisions)
        seats.tidy(seat, at: nil, into: &decisions.jobs)
      })
    if seats.sole == nil { listener.child = path.locator { route.ids(of: $0) } }
    listener.needsReport = true
    listener.handlesActions = true
    listener.site = answer.site
    return listener
  }

  private func enqueue(
    _ event: any Action, _ answer: AsyncReducerCase<SubState>,
    in seat: EffectSeat<SubState>, _ decisions: inout CommitDecisions
  ) {
    guard let group = seat.runs.group(of: nil, at: nil, into: &decisions.jobs) else { return }
    let (parent, origin) = (decisions.work, decisions.place.revision)
    // A holder of the work keeps its label, and is to keep nothing of what the mutator captured.
    let job = WorkNode(
      .event(type(of: event), of: { [path, ids = seat.ids] in name(of: path.way, ids) }),
      in: view.core, under: parent,
      queue: group.jobs, hasClaim: true, origin: decisions.place,
      operation: BodyOperation { [self] work in
        if work.isStopped { return }
        let run = EventRun(runner: self, event: event, work: work, origin: origin, seat: seat)
        await run.run(answer)
      })
    group.jobs.admit(job, under: parent, into: &decisions.jobs)
  }

  /// The run of one event.
  private struct EventRun: Sendable {
    let runner: AsyncRunner
    let event: any Action
    let work: WorkNode
    /// The commit that the event is part of.
    let origin: UInt64
    let seat: EffectSeat<SubState>

    func run(_ answer: AsyncReducerCase<SubState>) async {
      let before = seat.home.view.read(.identity)
      // Nothing gives it only once the child has gone.
      let given = answer.need.flatMap { seat.home.given($0.type) }
      guard let result = answer.reduce(before, event, given) else { return }
      let shown = Locked<ShownPlaceholder<SubState>?>(nil)
      defer {
        if let last = shown.withLock({ $0.take() }) { runner.view.core.drop(last.placeholder) }
      }
      let show: @Sendable (SubState) -> Void = { value in
        let former = shown.withLock { $0 }
        let new = makeShown(value, after: former)
        let step = PlaceholderStep(ends: former?.placeholder, shows: new.placeholder)
        if commit(value, step, keeping: new.former) { shown.withLock { $0 = new } }
        // So that a long chain of placeholders holds no more than the last one.
        _ = new.former.value
      }
      if let loading = result.loading { show(loading) }
      do {
        let value = try await result.work(show)
        if commit(value, PlaceholderStep(ends: shown.withLock { $0?.placeholder })) {
          for completion in runner.mutator.completions where !work.isCancelled {
            await completion(value, event)
          }
        } else {
          putBack(before, shown)
        }
      } catch {
        putBack(before, shown)
        report(error)
      }
    }

    /// Puts the value from before back where the part still has the placeholder, and not what another owner wrote.
    ///
    /// The part is compared without the lock, because `==` is the user's. So the commit is refused if the part may have
    /// changed since it was read, and then the part is compared again.
    private func putBack(_ before: SubState, _ shown: borrowing Locked<ShownPlaceholder<SubState>?>)
    {
      guard let last = shown.withLock({ $0 }) else { return }
      var known: UInt64?
      while let present, present.touch != known, last.isShown(present.part) {
        if commit(before, PlaceholderStep(ends: last.placeholder), inPlaceOf: present) { return }
        known = present.touch
      }
    }

    private typealias Present = (part: SubState, touch: UInt64)

    /// The part, and the commit that touched it last, or something that shares a slot with it, such as another row; nil
    /// once nothing may be committed in its place.
    private var present: Present? {
      let (core, epoch) = (runner.view.core, runner.epoch)
      return core.withLock("ended an asynchronous reducer") { protected in
        guard !protected.table.isClosed, protected.table.epoch(of: epoch.slot) == epoch,
          protected.table.lastReplacement(of: epoch.slot) <= origin, !seat.presence.hasGone,
          let part = runner.path.read(core.state, seat.ids)
        else { return nil }
        return (part, protected.table.lastTouch(of: epoch.slot))
      }
    }

    /// Writes a value, and keeps the one from before in `former`; returns false if the event was cancelled, the state
    /// replaced since the event, the mutator unregistered, or the child dismissed.
    ///
    /// In place of what was `present` it puts back what was there before: after a cancellation too, but not if that may
    /// have changed. What is held has the same bytes as long as it is the same.
    private func commit(
      _ value: SubState, _ placeholders: PlaceholderStep, keeping former: Former<SubState>? = nil,
      inPlaceOf present: Present? = nil
    ) -> Bool {
      var value = value
      let isRefused = { (table: inout ObserverTable) in
        if seat.presence.hasGone { return true }
        guard let present, present.touch != table.lastTouch(of: runner.epoch.slot) else {
          return false
        }
        let part = runner.path.read(runner.view.core.state, seat.ids)
        return part.map { !haveSameBytes($0, present.part) } ?? true
      }
      return runner.view.core.commitResult(
        of: runner.epoch, in: (seat.ids, runner.path.elements), after: origin, by: work,
        isRestoring: present != nil, placeholders, unless: isRefused
      ) { state in
        // The old value leaves in the variable, to be released without the lock.
        _ = runner.path.edit(state, seat.ids[...]) { part in
          part.edit(SubState.self) { swap(&$0, &value) }
          former?.keep(value)
          return true
        }
      }
    }

    private func makeShown(_ value: SubState, after earlier: ShownPlaceholder<SubState>?)
      -> ShownPlaceholder<SubState>
    {
      let former = Former(after: earlier)
      let isAlwaysThere = runner.path.lens != nil
      // What is always there has one owner, which is this mutator.
      let isShown: @Sendable (SubState) -> Bool = { isAlwaysThere || isSame($0, value) }
      let hasGone = { @Sendable [presence = seat.presence] in presence.hasGone }
      let placeholder = Placeholder(of: runner.epoch, hasGone: hasGone) {
        [path = runner.path, ids = seat.ids] copy in
        _ = path.edit(copy, ids[...]) { part in
          guard let settled = former.value, isShown(part.read(SubState.self)) else { return false }
          part.edit(SubState.self) { $0 = settled }
          return true
        }
      }
      return ShownPlaceholder(placeholder: placeholder, former: former, isShown: isShown)
    }

    private func report(_ error: any Error) {
      if work.isCancelled || runner.view.core.isClosed { return }
      work.note(.failed(error))
      work.noteEffectError(error)
      let name = "the asynchronous reducer of \(code: name(of: runner.path.way, seat.ids))"
      runner.view.core.onEffectError(
        EffectError(effect: name, action: event, underlying: error, causes: work.causes))
    }
  }
}

/// The placeholder that a run shows.
private struct ShownPlaceholder<Value: Sendable>: Sendable {
  let placeholder: Placeholder
  /// The value from before it.
  let former: Former<Value>
  /// Whether a value is still the placeholder.
  let isShown: @Sendable (Value) -> Bool
}

/// The value that a placeholder took the place of.
private final class Former<Value: Sendable>: Sendable {
  /// `earlier` is the placeholder before it, if any, until it was found whether that is the value.
  private let state: Locked<(value: Value?, earlier: ShownPlaceholder<Value>?)>

  init(after earlier: ShownPlaceholder<Value>?) {
    state = Locked((nil, earlier))
  }

  /// Called once, under the lock of the store.
  func keep(_ value: Value) {
    state.withLock { $0.value = value }
  }

  /// The value, or that from before the earlier placeholder if that is what it is; nil where none was kept;
  /// not asked under the lock of the store, because it may compare values.
  var value: Value? {
    let state = state.withLock { $0 }
    guard let earlier = state.earlier, let value = state.value else { return state.value }
    let settled = earlier.isShown(value) ? earlier.former.value ?? value : value
    let old = self.state.withLock { exchange(&$0, with: (settled, nil)) }
    withExtendedLifetime(old) {}
    return settled
  }
}

/// The name of what a mutator owns, in messages.
private func name(of owned: Way, _ ids: [AnyID]) -> String {
  let text = owned.text(ids)
  return text.isEmpty ? "\\.self" : text
}

/// Whether two values are one: by their bytes, or else by `==`.
private func isSame<Value>(_ left: Value, _ right: Value) -> Bool {
  haveSameBytes(left, right) || areEqual(left, right)
}

// MARK: In a store

extension StorePart {
  /// The part that an asynchronous mutator owns.
  public init<SubState: Sendable>(_ mutator: AsyncMutator<State, SubState>) {
    self.init(
      mutator, owner: Owner(footprint: mutator.lens.footprint, cases: [], site: mutator.site))
  }
}

extension AsyncMutator: StorePartConvertible {
  /// The part that the mutator owns; not for you to call.
  public var storeParts: StoreParts<State> { StoreParts([StorePart(self)]) }
}

extension AsyncMutator: PlacedContent {
  typealias ContentState = State

  var title: String { "the asynchronous reducer of \(code: lens.footprint.name)" }

  var actionTypes: [any Action.Type] { cases.map { $0.type } }

  var needs: [GivenNeed] { cases.compactMap { $0.need } }

  var asksFreely: Bool { false }

  func faults(of types: [any Action.Type]) -> [FoundFault] {
    let property = lens.footprint.name
    return types.compactMap { type in
      switch Routability(of: type) {
      case .routed: nil
      case .list: FoundFault(.listReducer(property: property, action: "\(type)"), at: [site])
      case .object: FoundFault(.classReducer(property: property, action: "\(type)"), at: [site])
      }
    }
  }

  func named(in feature: String) -> AsyncMutator { self }

  func attachment<Root>(
    of placed: Placed<Root, AsyncMutator>, in view: StoreView<Root>, epochs: [OwnershipEpoch]
  ) -> Attachment {
    AsyncRunner(placed, in: view, as: epochs[0]).attachment
  }
}
