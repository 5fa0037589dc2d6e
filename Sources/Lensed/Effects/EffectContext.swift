/// The surroundings of a running effect: the state, the change that triggered it, and `dispatch`.
///
/// ```swift
/// Effect<AppState>(on: SearchAction.self, .latest) { action, context in
///   let found = try await api.search(action.query, in: context.state.language)
///   context.dispatch(ResultsAction.found(found))
/// }
/// ```
///
/// It reads and observes the state like a store, and cannot write it. In a feature it knows the state and the
/// actions of the feature alone. Once a child has gone, or another one has taken its place, `state` is the child as it
/// was when this run was triggered. Its dispatches are part of the work that the triggering dispatch can wait for and
/// cancel; once the effect has been cancelled, none of them is applied. It does not keep the store alive.
public struct EffectContext<State: Sendable>: StateObserving {
  /// The commit that triggered the effect: its action, the state after it, and the one before where the
  /// effect has a `when:` or is `keepingPrevious()`.
  public var change: Change<State> { home.change(of: report) }
  let home: EffectHome<State>
  /// The commit that triggered the effect, as the store knows it.
  let report: any CommitReport
  /// The work of this run; the dispatches of the run are its children.
  let work: WorkNode
  /// The commits since the trigger, where the effect keeps them.
  var backlog: ChangeBacklog?

  /// The same for a part of the run.
  func part(as work: WorkNode) -> EffectContext {
    EffectContext(home: home, report: report, work: work, backlog: backlog)
  }

  /// What the effect sees, as a scope whose dispatches are a part of its work.
  public var asScope: ScopedStore<State> {
    ScopedStore(view: home.view(after: report), sender: keptSender)
  }

  /// The current value of a type that something above gives to the feature.
  ///
  /// ```swift
  /// Effect<Row>(on: Publish.self) { _, context in
  ///   try await shop.publish(context.state, in: context.given(Settings.self).currency)
  /// }
  /// ```
  ///
  /// The nearest feature that gives a value of exactly this type does: `Feature.lifted(_:giving:)`, `Feature.giving(_:)`.
  /// Once a child has gone, it is the value as this run's trigger left it.
  ///
  /// A store cannot see what a function asks for. Where nothing gives such a value, this traps with a sentence; behind
  /// `needing(_:)` no store takes the effect.
  public func given<Value: Sendable>(
    _ type: Value.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Value {
    if let box = home.given(Value.self, after: report) { return Boxed<Value>.known(box).value }
    fatalError(
      """
      Lensed: the effect \(name) asked for a given \(code: Value.self) at \
      \(fileID):\(line), and nothing above gives one. Give it where the feature is lifted, `lifted(\\.part, giving: \
      \\.value)`, or to the feature that runs alone, `giving(value)`. With `needing(\(Value.self).self)` behind the \
      effect, this is found when the store is made.
      """)
  }

  /// What sends at any time; the action that tells an end is for the owners above, too, once the child has gone.
  private var keptSender: ActionSender {
    home.sender(under: .child(of: work), outlivingChild: work.isTeller)
  }

  /// Applies actions of one type, as a part of the work of the effect.
  public func send(_ batch: ActionBatch, from site: CallSite) -> DispatchTask {
    let findsChild = home.isInChild && (work.isTeller || !work.hasOwnCode)
    let sender = findsChild ? keptSender : home.sender(ofRun: work)
    return sender.send(batch, from: site)
  }
}

/// The work of one run; its input is the action or the value that the trigger passes on.
@usableFromInline
typealias EffectRun<State: Sendable> =
  @Sendable (_ input: any Sendable, _ context: EffectContext<State>) async throws -> Void

/// Handles an error that an effect threw.
public typealias EffectFailureHandler<State: Sendable> =
  @concurrent @Sendable (_ error: any Error, _ context: EffectContext<State>) async -> Void

// MARK: Waiting

extension EffectContext {
  /// The commits after the one that triggered this run, without a gap.
  ///
  /// ```swift
  /// for await change in context.changes() { … }
  /// ```
  ///
  /// The effect has to be `keepingChanges()`; without that it traps, because what came since the trigger was
  /// not kept.
  ///
  /// A run that has waited for its turn may have nothing to do with what came meanwhile. `from: .run` leaves that out:
  ///
  /// ```swift
  /// Effect<AppState>(on: Notice.self, .serial) { notice, context in
  ///   context.dispatch(Show(notice))
  ///   // The message before this one was dismissed, too: that was no answer to this one.
  ///   _ = try await context.changes(from: .run).next(Dismissed.self)
  /// }
  /// .keepingChanges()
  /// ```
  ///
  /// - Parameter beginning: Whether the commits since the trigger are among them, or those since this run began alone.
  /// - Returns: A sequence that is consumed by reading; it ends with the run. See `EffectChanges`.
  public func changes(from beginning: EffectChangesBeginning = .trigger) -> EffectChanges<State> {
    EffectChanges(
      reader: kept("changes()").makeReader(fromRun: beginning == .run), home: home, effect: name)
  }

  /// Waits for an action of a type that was applied after the one that triggered this run, and returns it.
  ///
  /// ```swift
  /// let answer = try await context.next(Answer.self, where: { answer, _ in answer.id == 7 }, within: .seconds(30))
  /// ```
  ///
  /// The action may have come already: from the commit after the trigger on, none is missed. Each call goes on
  /// where the one before ended. To wait for two things at once, make two sequences with `changes()`.
  ///
  /// The effect has to be `keepingChanges()`; without that it traps.
  ///
  /// - Parameters:
  ///   - type: The type, as the feature knows it; in a child, only what is for this child counts.
  ///   - condition: Says whether it is the one, given the state after its commit.
  ///   - limit: How long to wait; without it, as long as the run lasts.
  ///   - clock: The clock to measure by.
  /// - Returns: The action.
  /// - Throws: `EffectTimeout` after `limit`; `ChangesDropped` if more commits came before it was asked for than
  ///   were kept; `CancellationError` when the run ends.
  nonisolated(nonsending) public func next<A: Action, C: Clock>(
    _ type: A.Type,
    where condition: @escaping @Sendable (_ action: A, _ state: State) -> Bool = { _, _ in true },
    within limit: Duration? = nil, clock: C = ContinuousClock()
  ) async throws -> A where C.Duration == Duration {
    let reader = kept("next(\(A.self).self)").reader
    // Outside of `next`, the backlog is bounded again.
    defer { reader.setActive(false) }
    return try await EffectChanges(reader: reader, home: home, effect: name)
      .next(type, where: condition, within: limit, clock: clock)
  }

  /// Waits until the state meets a condition, and returns that state.
  ///
  /// ```swift
  /// try await context.until(within: .seconds(10)) { state in state.isOnline }
  /// ```
  ///
  /// The current state counts, however short the limit is, and so does that of every later commit: none is
  /// skipped. The condition is called without the lock, in commit order, by whichever thread delivers, for the
  /// current state and for the commits that touch the feature; the commits copy what they touch meanwhile.
  ///
  /// - Parameters:
  ///   - limit: How long to wait; without it, as long as the run lasts.
  ///   - clock: The clock to measure by.
  ///   - condition: Says whether the state is the one.
  /// - Returns: The first state that meets the condition.
  /// - Throws: `EffectTimeout` after `limit`; `CancellationError` when the run ends.
  @discardableResult
  nonisolated(nonsending) public func until<C: Clock>(
    within limit: Duration? = nil, clock: C = ContinuousClock(),
    _ condition: @escaping @Sendable (_ state: State) -> Bool
  ) async throws -> State where C.Duration == Duration {
    try Task.checkCancellation()
    let wait = StateWait(of: self, condition)
    let id = try wait.attach()
    defer { home.core.detach(id) }
    // The limit begins after that: what holds already counts, however short it is.
    if let present = await wait.firstAnswer() { return present }
    return try await withLimit(limit, clock, of: name, for: "a condition of the state") {
      try await wait.answer()
    }
  }

  private var name: String { work.waitLabel.effect ?? "of \(code: State.self)" }

  private func kept(_ call: String) -> ChangeBacklog {
    home.core.checkEntry("called \(code: call) of an effect")
    if let backlog { return backlog }
    fatalError(
      """
      Lensed: the effect \(name) called \(code: call), and what came since its trigger was not kept. Write \
      `.keepingChanges()` behind the effect.
      """)
  }
}

/// A wait for a condition: each state is checked, in commit order, from the commit on in which it is attached.
private final class StateWait<State: Sendable>: Sendable {
  private let home: EffectHome<State>
  private let work: WorkNode
  private let condition: @Sendable (_ state: State) -> Bool
  private let found = Locked<State?>(nil)
  /// Raised once the state in which it was attached has been checked: the work does not sleep until then.
  private let firstCheck = Signal()
  private let wait = CommitWait()

  init(of context: EffectContext<State>, _ condition: @escaping @Sendable (_ state: State) -> Bool)
  {
    (home, work, self.condition) = (context.home, context.work, condition)
  }

  /// Attaches it, and returns its id.
  func attach() throws -> UInt64 {
    var listener = CommitListener(
      selection: .part(home.view.part.footprint),
      notify: { [self] report, _, _ in
        checkCondition(at: report)
        if report.isInstallation { firstCheck.raise() }
      })
    // The first notification is of the current state.
    listener.startsAtOnce = true
    let id = home.core.attach(
      Attachment(
        listeners: [listener], purpose: "waited for a condition",
        onRemove: { [firstCheck, wait] in
          firstCheck.end()
          wait.end()
        }))
    guard let id else { throw CancellationError() }
    return id
  }

  /// Waits until the state in which it was attached has been checked; the state that was found by then.
  nonisolated(nonsending) func firstAnswer() async -> State? {
    await firstCheck.wait()
    return found.withLock { $0 }
  }

  /// Waits until a state is found.
  nonisolated(nonsending) func answer() async throws -> State {
    await wait.wait { found.withLock { $0 != nil } }
    if let state = found.withLock({ $0 }) { return state }
    throw CancellationError()
  }

  private func checkCondition(at report: any CommitReport) {
    if found.withLock({ $0 != nil }) { return }
    // Another child may be in the place of its own by then.
    if work.isStopped { return wait.end() }
    let state = home.change(of: report).state
    guard condition(state) else { return }
    // Only the first one is kept; notifications come one at a time.
    found.withLock { $0 = state }
    wait.raise()
  }
}
