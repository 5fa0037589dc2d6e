/// One installed effect: its listeners, and the seats of its runs.
///
/// The cycle of a trigger:
///
/// 1. In its commit, under the lock, its listener finds the seat (`EffectsPerChild`), and `begin` has the policy admit a job.
/// 2. What asks a condition, compares a value or asks a clock is left to the deliverer of the commit (`EffectDeferrals`),
///    and then does the same in a turn at the lock.
/// 3. The job's task is started without the lock, by who committed or delivered, or by who ends the job before it.
///
/// What a word of the user's adds has a file of that name, which extends the runner: `Debounce` and `Throttle` between
/// `begin` and the job, `Retry` and `Timeout` around the code, `Tie` and `Cancelled` for its end, `Ended` for what follows.
final class EffectRunner<Root: Sendable, State: Sendable>: Sendable {
  let effect: Effect<State>
  let path: Optic<Root, State>
  let view: StoreView<Root>
  let options: EffectOptions
  let ties: [EffectTie<Root>]
  private let cancellers: [EffectCanceller<Root>]
  /// What the feature is given.
  private let givers: [Giver]
  /// The work of a run, with all that is done around it.
  private let perform: EffectRun<State>
  /// The triggers, with the work of those that have their own.
  private let triggers: [ActionTrigger<State>]
  let seats: EffectsPerChild<Root, State>
  /// The one seat and its one queue, where the effect is neither in children nor counts per key.
  private let only: (seat: EffectSeat<State>, jobs: JobQueue)?
  /// Starts the only job of a commit, where actions of one type trigger the effect.
  private let plain: ActionTrigger<State>?
  /// Whether the ties or a filter are evaluated before a run starts.
  private let needsEvaluation: Bool
  /// Whether an `ended` asks how a run ended; noted, because to look into `effect` looks its types up.
  let asksForEnds: Bool
  /// Whether cancelling the cause of a run cancels the run.
  let relation: WorkRelation

  init(_ placed: Placed<Root, Effect<State>>, in view: StoreView<Root>) {
    let (effect, path, core) = (placed.content, placed.path, view.core)
    let (options, policy) = (effect.options, effect.policy)
    (self.effect, self.path, self.view, self.options) = (effect, path, view, options)
    givers = placed.givers
    ties = effect.ties.map { $0.lifted(by: path) }
    cancellers = effect.cancellers.map { $0.lifted(by: path) }
    perform = options.wrapping(effect.run)
    var triggers = effect.trigger.actions
    for index in triggers.indices {
      if let run = triggers[index].run { triggers[index].run = options.wrapping(run) }
    }
    self.triggers = triggers
    let isKeyed = triggers.contains { $0.key != nil }
    let labels = Self.labels(effect.name, path)
    seats = EffectsPerChild(
      path, in: view, tiedTo: ties, throttle: options.throttle, givers: givers
    ) { ids, onEmpty in
      EffectRuns(policy, options, labels(ids), isKeyed: isKeyed, in: core, onEmpty: onEmpty)
    }
    only = seats.sole.flatMap { seat in seat.runs.only.map { (seat, $0.jobs) } }
    // The feature is the state itself, and its actions are those of the store.
    let isAtHome = path.way.isEmpty && path.steps.isEmpty
    let isSimple =
      isAtHome && options.keptChanges == nil && triggers.count == 1
      && triggers[0].type != nil && !triggers[0].needsPrevious && !isKeyed
      && options.pause == nil && options.throttle == nil && effect.ended.isEmpty
    plain = isSimple ? triggers[0] : nil
    asksForEnds = !effect.ended.isEmpty
    needsEvaluation = !ties.isEmpty || triggers.contains { $0.filter != nil }
    relation = if case .value = effect.trigger { .independent } else { .caused }
  }

  /// Makes the names of the runs in each child; to be kept, because reading the names of a path takes long.
  private static func labels(
    _ name: String, _ path: Optic<Root, State>
  ) -> @Sendable (_ ids: [AnyID]) -> WorkLabel {
    if path.way.text().isEmpty { return { _ in .effect(name) } }
    return { ids in .effectOfFeature(name) { path.way.text(ids) } }
  }

  /// Whether the state before the commit is needed.
  var needsPrevious: Bool { options.keepsPrevious || effect.trigger.needsPrevious }
}

// MARK: Listening

extension EffectRunner {
  func attachment(of epochs: [OwnershipEpoch]) -> Attachment {
    // First those that end it, then those that trigger it.
    let ends = cancellers.map(listener(of:)) + ties.map(listener(of:))
    return Attachment(
      listeners: seats.listeners + ends + triggerListeners, epochs: epochs,
      works: { self.seats.works }, effects: { [self.wiring] }, flush: { self.seats.flush() },
      retire: { self.seats.close(retiring: true) }, close: { self.seats.close() })
  }

  private var wiring: StoreWiring.WiredEffect {
    let value: String? =
      if case .value(let trigger) = effect.trigger {
        footprint(of: trigger).map { $0.isWhole ? "" : $0.name } ?? ""
      } else {
        nil
      }
    return StoreWiring.WiredEffect(
      name: effect.name, part: path.way.text(), policy: "\(effect.policy)",
      actions: triggers.map { trigger in
        trigger.type.map { "\(ActionRoute($0, through: path.steps).type)" } ?? "any Action"
      },
      value: value, cancelledOn: cancellers.map { "\($0.route.type)" },
      tiedTo: ties.map { $0.footprint.name })
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
}

// MARK: Actions

extension EffectRunner {
  private func listener(of trigger: ActionTrigger<State>) -> CommitListener {
    let steps = path.steps
    let route = trigger.type.map { ActionRoute($0, through: steps) }
    let inner: @Sendable (any Action) -> ActionRoute.ChildAction? = { action in
      if let route { return route.inner(of: action) }
      return ActionRoute.inner(of: action, through: steps)
    }
    // For all kinds of actions or for none: one that is decided earlier would overtake the others.
    let isDeferred = effect.trigger.needsPrevious || options.throttle != nil
    var listener = CommitListener(selection: route.map { .actions($0.type) } ?? .everyAction)
    listener.decide = { [self] decisions, action in
      guard let own = action.flatMap(inner),
        let seat = seats.find(own.ids, in: decisions.state)
      else { return }
      if isAlive(in: seat, &decisions) {
        if isDeferred {
          let backlog = keepChanges(&decisions)
          return decideLater(own.action, by: trigger, in: seat, keeping: backlog, &decisions)
        }
        if let value = trigger.value(of: own.action, { seat.home.change(of: decisions.report) }) {
          let backlog = keepChanges(&decisions)
          begin(
            value, setOffBy: own.action, in: seat, run: trigger.run, key: trigger.key?(own.action),
            keeping: backlog, &decisions)
        }
      }
      seats.tidy(seat, at: nil, into: &decisions.jobs)
    }
    if seats.sole == nil {
      listener.child = path.locator { action in
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

  /// Leaves the decision about an action to the deliverer of its commit.
  private func decideLater(
    _ action: any Action, by trigger: ActionTrigger<State>, in seat: EffectSeat<State>,
    keeping backlog: ChangeBacklog?, _ decisions: inout CommitDecisions
  ) {
    let place = decisions.place
    seats.deferrals.add()
    seat.presence.hold(1)
    decisions.decideLater { [self] report, work in
      // The code of the user's is asked without the lock.
      let value = trigger.value(of: action) { seat.home.change(of: report) }
      let key = value == nil ? nil : trigger.key?(action)
      let now = options.throttle?.clock.now
      view.core.decide(at: place, of: report, under: work) { decisions in
        seat.presence.hold(-1)
        if let value, mayBegin(value, in: seat, key: key, at: now, &decisions) {
          begin(
            value, setOffBy: action, in: seat, run: trigger.run, key: key, at: now,
            keeping: backlog, &decisions)
        }
        seats.tidy(seat, at: now, into: &decisions.jobs)
      }
      seats.deferrals.remove(at: place)
    }
  }

  /// Whether what was deferred may begin; where something has ended it meanwhile, that is told.
  private func mayBegin(
    _ value: any Sendable, in seat: EffectSeat<State>, key: AnyID? = nil, at now: Duration?,
    _ decisions: inout CommitDecisions
  ) -> Bool {
    // In a silence it is ignored, whatever has ended it.
    if let now, options.pause == nil, options.throttle?.keepsLatest == false,
      seat.runs.isSilent(key, at: now)
    {
      return false
    }
    guard let end = seats.end(in: seat.ids, &decisions) else {
      return isAlive(in: seat, &decisions)
    }
    if let ending = makeEnding(of: value, in: seat, after: decisions.report) {
      let trigger = WorkNode(
        seat.runs.label, in: view.core, under: decisions.work, relation: relation,
        origin: decisions.place, ending: ending)
      _ = trigger.adoption(by: decisions.work)
      decisions.jobs.end([trigger], as: end.reason, by: end.ender)
    }
    return false
  }
}

extension ActionTrigger {
  /// The input of the run that an action starts; nil when it starts none.
  fileprivate func value(
    of action: any Action, _ change: () -> Change<State>
  ) -> (any Sendable)? {
    guard let filter else { return action }
    return filter(action, change)
  }
}

// MARK: Values

extension EffectRunner {
  /// A listener of the part that a value is read from; the deliverer of a commit looks whether the value has changed.
  private func listener(of trigger: ValueTrigger<State>) -> CommitListener {
    let watcher = ValueWatcher(path, trigger, givers(of: trigger), home: seats.sole?.home)
    var listener = CommitListener(
      selection: .part(footprint(of: trigger)),
      decide: { [self] decisions, _ in
        let place = placeOfChange(decisions)
        let backlog = keepChanges(&decisions)
        if let sole = seats.sole { _ = isAlive(in: sole, &decisions) }
        seats.deferValues(&decisions)
        decisions.decideLater { [self] report, work in
          let isIgnored =
            report.cause == .replacement
            ? !trigger.including.contains(.replacement) : report.record.isReplayed
          watcher.visit(report, isIgnored: isIgnored) { ids in
            var kept = JobDecisions()
            return ties.isEmpty || tiesExisted(in: ids, after: report, &kept)
          } start: { ids, value in
            beginLater(value, in: ids, keeping: backlog, at: place, of: report, under: work)
          }
          seats.deferrals.remove(at: place)
        }
      }, needsPrevious: needsPrevious)
    listener.startsAtOnce = watcher.startsAtOnce
    guard let lens = path.lens else { return listener }
    listener.onAttach = { _, state in
      watcher.setInitial(lens.read(state), in: state)
    }
    listener.didAttach = { watcher.makeWatch() }
    listener.needsHome = trigger.needsHome
    return listener
  }

  private func beginLater(
    _ value: any Sendable, in ids: [AnyID], keeping backlog: ChangeBacklog?,
    at place: CommitPlace, of report: any CommitReport, under work: WorkNode?
  ) {
    let now = options.throttle?.clock.now
    view.core.decide(at: place, of: report, under: work) { decisions in
      guard tiesExisted(in: ids, after: report, &decisions.jobs),
        let seat = seats.find(ids, asOf: decisions, askingForEnds: asksForEnds)
      else { return }
      if mayBegin(value, in: seat, at: now, &decisions) {
        let own = seats.sole == nil ? backlog.map { decisions.add($0.forked) } : backlog
        begin(value, in: seat, at: now, keeping: own, &decisions)
      }
      seats.tidy(seat, at: now, into: &decisions.jobs)
      // This one may be in no table, and the last to hold the child as it was.
      if seat.presence.hasGone || seats.isClosed { decisions.jobs.keep(seat) }
    }
  }

  /// Where in its commit a value has changed: by the last action, or by the last one that does not cancel the effect.
  ///
  /// So an action that cancels the effect and changes the value begins a run for it, as an action does that is a trigger.
  private func placeOfChange(_ decisions: CommitDecisions) -> CommitPlace {
    var place = decisions.place
    if cancellers.isEmpty { return place }
    let members = decisions.report.members
    let other = members.lastIndex { action in
      !cancellers.contains { $0.route.inner(of: action) != nil }
    }
    place.member = Int32(clamping: other ?? members.count - 1)
    return place
  }

  /// What gives the values that a value is computed of.
  private func givers(of trigger: ValueTrigger<State>) -> [Giver] {
    trigger.needs.compactMap { need in givers.first { $0.gives(need.type) } }
  }

  /// The part of the store's state that the value is read from, if it can be seen.
  private func footprint(of trigger: ValueTrigger<State>) -> Footprint? {
    guard let own = trigger.footprint.map({ path.footprint(of: $0) }) else { return nil }
    let givers = givers(of: trigger)
    return givers.isEmpty ? own : Footprint(ofAll: [own] + givers.map { $0.footprint })
  }
}

// MARK: Deciding, under the lock of the store

extension EffectRunner {
  /// Has the policy admit a run, unless it comes too soon; it may have to wait first.
  ///
  /// `now` is the time of the throttle, where there is one.
  private func begin(
    _ value: any Sendable, setOffBy action: (any Action)? = nil, in seat: EffectSeat<State>,
    run: EffectRun<State>? = nil, key: AnyID? = nil, at now: Duration? = nil,
    keeping backlog: ChangeBacklog?, _ decisions: inout CommitDecisions
  ) {
    guard let group = seat.runs.group(of: key, at: now, into: &decisions.jobs) else { return }
    let input = EffectSubject(
      value, action: action, report: decisions.report, seat: seat, jobs: group.jobs, run: run,
      backlog: backlog)
    let (work, place) = (decisions.work, decisions.place)
    if let pause = options.pause, let lull = group.joinLull() {
      waitForLull(
        lull, pause, for: input, in: group, under: work, at: place, into: &decisions.jobs)
    } else {
      beginOrWait(input, in: group, under: work, at: place, now, into: &decisions.jobs)
    }
  }
}

// MARK: The only job of a dispatch

// One action, dispatched outside of effects where no middleware is notified, may have one listener that begins one job
// at most. Then the work of the dispatch *is* that job:
//
// 1. In the commit, the work enters the queue itself, and its claim is that of the job.
// 2. The thread that committed starts it. No notification is queued.
// 3. The store only counts such a root: the queue knows the work, and is closed with the store. The store registers the
//    work once the queue no longer knows it (`StoreCore.keepAlive`): when the effect is removed while the job runs or
//    waits, or when the job's code has ended before its children.

extension EffectRunner: JobStarter {
  /// The starter of the only job of a commit, if the effect can be one.
  var starter: (any JobStarter)? { plain == nil ? nil : self }

  private var sole: (seat: EffectSeat<State>, jobs: JobQueue) {
    guard let only else {
      fatalError(
        "Lensed: an effect in children or with keys was asked for its one queue; this is a fault of Lensed."
      )
    }
    return only
  }

  var queue: any WorkQueue { sole.jobs }

  func admit(
    _ work: WorkNode, for report: any CommitReport, into decisions: inout CommitDecisions
  ) -> Bool {
    let jobs = sole.jobs
    if !needsEvaluation && jobs.neverWaits && !work.isSetOffElsewhere {
      return jobs.admitAlone(work, into: &decisions.jobs)
    }
    if let input = needsEvaluation ? soleInput(of: report, &decisions) : .commit(report) {
      work.setOperation(EffectJob(runner: self, input: input))
      jobs.admit(work, into: &decisions.jobs)
    } else {
      decisions.jobs.refuse(work)
    }
    return false
  }

  func startJob(as work: WorkNode, for report: consuming any CommitReport) {
    work.recordBegin()
    run(work, .commit(report))
  }

  /// What the one job is about, where the ties or a filter decide whether there is one.
  private func soleInput(
    of report: any CommitReport, _ decisions: inout CommitDecisions
  ) -> EffectInput<State>? {
    let (seat, jobs) = sole
    guard isAlive(in: seat, &decisions) else { return nil }
    guard let filter = plain?.filter else { return .commit(report) }
    guard let action = report.action else { return nil }
    return filter(action) { seat.home.change(of: report) }.map {
      .subject(
        EffectSubject(
          $0, action: action, report: report, seat: seat, jobs: jobs, run: plain?.run))
    }
  }
}

// MARK: Running

extension EffectRunner {
  /// Runs a job whose turn has come.
  ///
  /// One closure does all of it: the runtime looks up the executor to continue on at the end of each
  /// asynchronous function.
  @inline(__always)
  fileprivate func run(_ work: WorkNode, _ input: consuming EffectInput<State>) {
    if work.rounds == StoreWarning.endlessRounds { warnOfEndlessRounds(of: work.waitLabel) }
    work.setTask(
      WorkNode.Running.start(on: view.core.taskExecutor) { [self, input = consume input] in
        let subject = input.subject
        let context = EffectContext(
          home: subject?.seat.home ?? sole.seat.home, report: input.report, work: work,
          backlog: subject?.backlog)
        context.backlog?.beginRun()
        if !context.work.isStopped {
          await WorkNode.$current.withValue(context.work) {
            do {
              let jobs = subject?.jobs ?? sole.jobs
              if jobs.hasPause {
                guard try await jobs.waitForPause(context.work), !context.work.isStopped else {
                  // Who closed the queue notes in the same turn at the lock how the run has ended.
                  return view.core.withLock("ended a pause") { _ in }
                }
                context.work.recordBegin()
              }
              defer { jobs.noteRunEnd() }
              if let subject {
                if let run = subject.run {
                  try await run(subject.value, context)
                } else {
                  try await perform(subject.value, context)
                }
              } else if let action = context.report.action {
                try await perform(action, context)
              }
            } catch {
              await fail(error, subject, context)
            }
          }
        }
        subject?.backlog?.close()
        // What it started may go on without it.
        if (subject?.jobs ?? sole.jobs).finish(context.work) { view.core.keepAlive(context.work) }
      })
  }

  nonisolated(nonsending) func fail(
    _ error: any Error, _ subject: EffectSubject<State>?, _ context: EffectContext<State>
  ) async {
    // Cancellation is no error, nor is the end of the store, which what it awaits may notice before the run is ended.
    if context.work.isCancelled || view.core.isClosed { return }
    context.work.note(.failed(error))
    if let handler = effect.handler { return await handler(error, context) }
    context.work.noteEffectError(error)
    let label = (subject?.seat ?? sole.seat).runs.label
    let action = subject.map { $0.action } ?? context.report.action
    view.core.onEffectError(
      EffectError(
        effect: "\(label)", action: action, underlying: error, causes: context.causes))
  }
}

extension EffectContext {
  /// The commits that set off the run, the nearest first, as far as they are known.
  fileprivate var causes: [CauseLink] {
    guard let trigger = report.asCause else { return [] }
    let further = work.causes.drop { $0.revision == trigger.revision }
    if further.isEmpty, let parent = report.record.parent { return [trigger, CauseLink(parent)] }
    return [trigger] + further
  }
}

/// The run of an effect: three words.
struct EffectJob<Root: Sendable, State: Sendable>: Operation {
  let runner: EffectRunner<Root, State>
  let input: EffectInput<State>

  consuming func start(as work: WorkNode) {
    runner.run(work, input)
  }
}

// MARK: What a job is about

/// The input of one job.
enum EffectInput<State: Sendable>: Sendable {
  /// The action of the whole commit.
  case commit(any CommitReport)
  case subject(EffectSubject<State>)

  var report: any CommitReport {
    switch self {
    case .commit(let report): report
    case .subject(let subject): subject.report
    }
  }

  var subject: EffectSubject<State>? {
    if case .subject(let subject) = self { subject } else { nil }
  }
}

/// The value that a job is about, where that is not the action of the whole commit, and the seat that it runs
/// in.
final class EffectSubject<State: Sendable>: Sendable {
  let value: any Sendable
  /// The action that led to it.
  let action: (any Action)?
  /// The commit that triggered the job.
  let report: any CommitReport
  let seat: EffectSeat<State>
  let jobs: JobQueue
  /// The work, where it is not the effect's own: to choose here would wrap the function anew.
  let run: EffectRun<State>?
  /// The commits since the trigger, where the effect keeps them.
  let backlog: ChangeBacklog?

  init(
    _ value: any Sendable, action: (any Action)?, report: any CommitReport,
    seat: EffectSeat<State>, jobs: JobQueue, run: EffectRun<State>?,
    backlog: ChangeBacklog? = nil
  ) {
    (self.value, self.action, self.report) = (value, action, report)
    (self.seat, self.jobs, self.run, self.backlog) = (seat, jobs, run, backlog)
  }
}
