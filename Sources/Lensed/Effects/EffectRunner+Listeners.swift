extension EffectRunner: InstalledEffect {
  var listeners: [CommitListener] {
    let endings = effect.cancellers.map { canceller in
      var ending = CommitListener(
        selection: .actions(canceller.route.type),
        notify: { report, action, _ in
          guard let action else { return }
          if let ids = canceller.target(of: action, in: { report.read($0) }) {
            self.seats.forEach(in: ids) { $0.runs.cancelAll() }
          }
        })
      if effect.path.lens == nil {
        ending.child = effect.path.locator { canceller.route.ids(of: $0) }
      }
      return ending
    }
    let ties = effect.ties.map { tie in
      CommitListener(
        selection: .part(tie.footprint),
        notify: { report, _, _ in
          self.seats.forEach { _ = self.isAlive(report, in: $0) }
        })
    }
    return seats.listeners + endings + ties + triggerListeners
  }

  var works: [WorkNode] { seats.works }

  func flush() {
    seats.forEach { $0.runs.flush() }
  }

  func close(retiring isRetiring: Bool) -> [WorkNode] {
    seats.close(retiring: isRetiring)
  }

  private var triggerListeners: [CommitListener] {
    var listeners =
      switch effect.trigger {
      case .actions: triggers.map(listener(of:))
      case .value(let trigger): [listener(of: trigger)]
      }
    for index in listeners.indices { listeners[index].begins = true }
    return listeners
  }

  private func listener(of trigger: ActionTrigger<State>) -> CommitListener {
    var listener = seats.listener(
      of: trigger.type, keepingChanges: makeBacklogs()
    ) { action, seat, report, backlog, work in
      self.evaluate(action, by: trigger, of: report, in: seat, keeping: backlog, under: work)
    }
    listener.needsPrevious = needsPrevious
    listener.starter = starter
    return listener
  }

  /// Keeps the commits after a trigger, where the effect asks for them.
  private func makeBacklogs() -> PreparedBacklogs? {
    options.keptChanges.map {
      PreparedBacklogs(limit: $0, keepingPrevious: options.keepsPrevious, in: view.core)
    }
  }
}

// MARK: Values

extension EffectRunner {
  private func listener(of trigger: ValueTrigger<State>) -> CommitListener {
    guard let sole = seats.sole else { return childListener(of: trigger) }
    if trigger.needsHome { view.core.makeHome() }
    let watcher = ValueWatcher<State>(trigger.makeWatch)
    let lens = effect.path.lens
    var listener = listener(of: trigger) { report, isIgnored, backlog, work in
      let isAlive = self.isAlive(report, in: sole)
      let change = { sole.home.change(of: report) }
      let watch = watcher.watch()
      let value: (any Sendable)? =
        if report.isInstallation {
          isAlive ? trigger.first(change) : nil
        } else {
          watch?(change, isIgnored || !isAlive)
        }
      if let value { self.start(value, of: report, in: sole, keeping: backlog, under: work) }
    }
    listener.onAttach = { _, state in
      if let lens { watcher.setInitial(lens.lendReadOnly(state) { $0.read(State.self) }) }
    }
    listener.didAttach = { watcher.watch() }
    listener.startsAtOnce = trigger.including.contains(.installation)
    return listener
  }

  private func childListener(of trigger: ValueTrigger<State>) -> CommitListener {
    let watcher = ChildrenWatcher(effect.path, trigger)
    var listener = listener(of: trigger) { report, isIgnored, backlog, work in
      watcher.visit(report, isIgnored: isIgnored) { ids, value in
        self.start(value, of: report, in: ids, keeping: backlog?.forked(), under: work)
      }
    }
    // The first visit is to the children that are there when the effect is installed.
    listener.startsAtOnce = true
    return listener
  }

  /// A listener of the part that a value is read from.
  private func listener(
    of trigger: ValueTrigger<State>,
    _ watch:
      @escaping @Sendable (
        _ report: any CommitReport, _ isIgnored: Bool, _ backlog: ChangeBacklog?, _ work: WorkNode?
      ) -> Void
  ) -> CommitListener {
    let backlogs = makeBacklogs()
    var listener = CommitListener(
      selection: .part(footprint(of: trigger)),
      notify: { report, _, work in
        let isIgnored =
          report.cause == .replacement && !trigger.including.contains(.replacement)
        watch(report, isIgnored, backlogs?.popFirst(), work)
      }, needsPrevious: needsPrevious)
    if let backlogs { listener.prepareNotification = { _, _ in backlogs.prepareNotification() } }
    return listener
  }

  /// The part of the store's state that the value is read from, if it can be seen.
  private func footprint(of trigger: ValueTrigger<State>) -> Footprint? {
    trigger.footprint.map { effect.path.footprint(of: $0) }
  }

  /// Starts a job in a child, if the child is still there.
  private func start(
    _ value: any Sendable, of report: any CommitReport, in ids: [AnyID],
    keeping backlog: ChangeBacklog?, under work: WorkNode?
  ) {
    let path = effect.path
    let former = report.read { path.identity($0, ids) }
    let seat = view.core.readIfOpen { state in
      path.identity(state, ids) == former ? seats.find(ids, in: state) : nil
    }
    guard let seat = seat ?? nil else { return }
    seats.use(seat) {
      if isAlive(report, in: seat) {
        start(value, of: report, in: seat, keeping: backlog, under: work)
      }
    }
  }
}
