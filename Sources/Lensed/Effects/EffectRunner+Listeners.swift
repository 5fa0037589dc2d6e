extension EffectRunner: InstalledEffect {
  var listeners: [CommitListener] {
    seats.listeners + effect.cancellers.map(listener(of:)) + effect.ties.map(listener(of:))
      + triggerListeners
  }

  var wiring: StoreWiring.WiredEffect {
    let steps = effect.path.steps
    let value: String? =
      if case .value(let trigger) = effect.trigger {
        footprint(of: trigger).map { $0.isWhole ? "" : $0.name } ?? ""
      } else {
        nil
      }
    return StoreWiring.WiredEffect(
      name: name, part: effect.path.name.text(), policy: "\(policy)",
      actions: triggers.map { trigger in
        trigger.type.map { "\(ActionRoute($0, through: steps).type)" } ?? "any Action"
      },
      value: value, cancelledOn: effect.cancellers.map { "\($0.route.type)" },
      tiedTo: effect.ties.map(\.footprint.name))
  }

  var works: [WorkNode] { seats.works }

  func flush() { seats.flush() }

  func close(retiring isRetiring: Bool) -> [WorkNode] {
    seats.close(retiring: isRetiring)
  }

  private var triggerListeners: [CommitListener] {
    var listeners =
      switch effect.trigger {
      case .actions: triggers.map(listener(of:))
      case .value(let trigger): [listener(of: trigger)]
      }
    for index in listeners.indices {
      listeners[index].begins = true
      listeners[index].needsReport = true
    }
    return listeners
  }

  private func listener(of canceller: EffectCanceller<Root>) -> CommitListener {
    var listener = CommitListener(
      selection: .actions(canceller.route.type),
      decide: { decisions, action in
        guard let action, let (inner, ids) = canceller.route.inner(of: action) else { return }
        if !canceller.isConditional { return self.cancel(in: ids, &decisions) }
        let place = decisions.place
        decisions.decideLater { report, work in
          guard canceller.isMet(by: inner, in: ids, after: report) else { return }
          self.view.core.decide(at: place, of: report, under: work) { self.cancel(in: ids, &$0) }
        }
      })
    listener.needsReport = canceller.isConditional
    if effect.path.lens == nil {
      listener.child = effect.path.locator { canceller.route.ids(of: $0) }
    }
    return listener
  }

  private func listener(of tie: EffectTie<Root>) -> CommitListener {
    CommitListener(
      selection: .part(tie.footprint),
      decide: { decisions, _ in
        for seat in self.seats.all(in: []) {
          _ = self.isAlive(in: seat, &decisions)
          self.seats.tidy(seat, at: nil, into: &decisions.jobs)
        }
      })
  }
}

// MARK: Actions

extension EffectRunner {
  private func listener(of trigger: ActionTrigger<State>) -> CommitListener {
    let steps = effect.path.steps
    let route = trigger.type.map { ActionRoute($0, through: steps) }
    let inner: @Sendable (any Action) -> ActionRoute.ChildAction? = { action in
      if let route { return route.inner(of: action) }
      return ActionRoute.inner(of: action, through: steps)
    }
    let isDeferred = trigger.needsPrevious || options.throttle != nil
    var listener = CommitListener(selection: route.map { .actions($0.type) } ?? .everyAction)
    listener.decide = { [self] decisions, action in
      guard let own = action.flatMap(inner),
        let seat = seats.find(own.ids, in: decisions.state)
      else { return }
      if isDeferred {
        let backlog = keepChanges(&decisions)
        decideLater(own.action, by: trigger, in: seat, keeping: backlog, &decisions)
      } else {
        if isAlive(in: seat, &decisions), let value = trigger.value(of: own.action) {
          let backlog = keepChanges(&decisions)
          begin(
            value, setOffBy: own.action, in: seat, run: trigger.run, key: trigger.key?(own.action),
            keeping: backlog, &decisions)
        }
        seats.tidy(seat, at: nil, into: &decisions.jobs)
      }
    }
    if seats.sole == nil {
      listener.child = effect.path.locator { action in
        route.map { $0.ids(of: action) } ?? inner(action)?.ids
      }
    }
    listener.needsPrevious = needsPrevious
    listener.starter = starter
    return listener
  }

  /// Begins to keep the changes since a trigger, where the effect does.
  private func keepChanges(_ decisions: inout CommitDecisions) -> ChangeBacklog? {
    options.keptChanges.map { limit in
      decisions.add(ChangeBacklog(limit: limit, keepingPrevious: options.keepsPrevious))
    }
  }

  /// Leaves the decision about an action to whoever delivers its commit.
  private func decideLater(
    _ action: any Action, by trigger: ActionTrigger<State>, in seat: EffectSeat<State>,
    keeping backlog: ChangeBacklog?, _ decisions: inout CommitDecisions
  ) {
    let place = decisions.place
    deferrals.add()
    seats.hold(seat)
    decisions.decideLater { [self] report, work in
      // The code of the user's is asked without the lock.
      let value = trigger.value(of: action) { seat.home.change(of: report) }
      let key = value == nil ? nil : trigger.key?(action)
      let now = options.throttle?.now
      view.core.decide(at: place, of: report, under: work) { decisions in
        let isThere = seats.endHold(seat)
        if let value, isThere, mayBegin(in: seat, &decisions) {
          begin(
            value, setOffBy: action, in: seat, run: trigger.run, key: key, at: now,
            keeping: backlog, &decisions)
        }
        seats.tidy(seat, at: now, into: &decisions.jobs)
      }
      deferrals.remove()
    }
  }

  /// Whether what was deferred may begin: nothing has ended it meanwhile.
  private func mayBegin(in seat: EffectSeat<State>, _ decisions: inout CommitDecisions) -> Bool {
    !deferrals.isEnded(in: seat.ids, since: decisions.place)
      && wasAlive(in: seat, &decisions) && isAlive(in: seat, &decisions)
  }
}

extension ActionTrigger {
  /// The input of the run that an action starts; nil when it starts none.
  fileprivate func value(
    of action: any Action, _ change: () -> Change<State> = { unconditional() }
  ) -> (any Sendable)? {
    guard let filter else { return action }
    return filter(action, change)
  }

  private static func unconditional() -> Change<State> {
    fatalError(
      "Lensed: a filter without a condition asked for the change; this is a fault of Lensed.")
  }
}

// MARK: Values

extension EffectRunner {
  private func listener(of trigger: ValueTrigger<State>) -> CommitListener {
    guard let sole = seats.sole else { return childListener(of: trigger) }
    if trigger.needsHome { view.core.makeHome() }
    let watcher = ValueWatcher<State>(trigger.makeWatch)
    let lens = effect.path.lens
    let givers = effect.triggerGivers
    var listener = listener(of: trigger) { [self] report, isIgnored, backlog, place, work in
      let change = { sole.home.change(of: report) }
      let watch = watcher.watch()
      // The watch is called for each commit: it compares with the one before.
      let isAlive = report.read { state in
        effect.ties.allSatisfy { tie in
          var none = JobDecisions()
          return tie.makeWatch()(state, [], &none) != .gone
        }
      }
      let value: (any Sendable)? =
        if report.isInstallation {
          isAlive ? trigger.first(change) : nil
        } else {
          watch?(change, isIgnored || !isAlive)
        }
      guard let value else { return }
      beginLater(value, in: sole, keeping: backlog, at: place, of: report, under: work)
    }
    listener.onAttach = { _, state in
      guard let lens else { return }
      watcher.setInitial(
        lens.lendReadOnly(state) { $0.read(State.self) },
        givers.isEmpty ? nil : GivenValues(of: givers, in: state, []))
    }
    listener.didAttach = { watcher.watch() }
    listener.startsAtOnce = trigger.including.contains(.installation)
    return listener
  }

  private func beginLater(
    _ value: any Sendable, in seat: EffectSeat<State>, keeping backlog: ChangeBacklog?,
    at place: CommitPlace, of report: any CommitReport, under work: WorkNode?
  ) {
    let now = options.throttle?.now
    view.core.decide(at: place, of: report, under: work) { decisions in
      if mayBegin(in: seat, &decisions) {
        begin(value, in: seat, at: now, keeping: backlog, &decisions)
      }
      seats.tidy(seat, at: now, into: &decisions.jobs)
    }
  }

  private func childListener(of trigger: ValueTrigger<State>) -> CommitListener {
    let watcher = ChildrenWatcher(effect.path, trigger, effect.triggerGivers)
    let path = effect.path
    var listener = listener(of: trigger) { [self] report, isIgnored, backlog, place, work in
      watcher.visit(report, isIgnored: isIgnored) { ids, value in
        let former = report.read { path.identity($0, ids) }
        let now = options.throttle?.now
        view.core.decide(at: place, of: report, under: work) { decisions in
          guard path.identity(decisions.state, ids) == former,
            let seat = seats.find(ids, in: decisions.state)
          else { return }
          if mayBegin(in: seat, &decisions) {
            let own = backlog.map { decisions.add($0.forked) }
            begin(value, in: seat, at: now, keeping: own, &decisions)
          }
          seats.tidy(seat, at: now, into: &decisions.jobs)
        }
      }
    }
    // The first visit is to the children that are there when the effect is installed.
    listener.startsAtOnce = true
    return listener
  }

  /// A listener of the part that a value is read from; whoever delivers a commit looks whether the value has changed.
  private func listener(
    of trigger: ValueTrigger<State>,
    _ watch:
      @escaping @Sendable (
        _ report: any CommitReport, _ isIgnored: Bool, _ backlog: ChangeBacklog?,
        _ place: CommitPlace, _ work: WorkNode?
      ) -> Void
  ) -> CommitListener {
    CommitListener(
      selection: .part(footprint(of: trigger)),
      decide: { [self] decisions, _ in
        let place = decisions.place
        let backlog = keepChanges(&decisions)
        deferrals.add()
        decisions.decideLater { [self] report, work in
          let isIgnored =
            report.cause == .replacement && !trigger.including.contains(.replacement)
          watch(report, isIgnored, backlog, place, work)
          deferrals.remove()
        }
      }, needsPrevious: needsPrevious)
  }

  /// The part of the store's state that the value is read from, if it can be seen.
  private func footprint(of trigger: ValueTrigger<State>) -> Footprint? {
    guard let own = trigger.footprint.map({ effect.path.footprint(of: $0) }) else { return nil }
    let givers = effect.triggerGivers
    return givers.isEmpty ? own : Footprint(ofAll: [own] + givers.map(\.footprint))
  }
}
