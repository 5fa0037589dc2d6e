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
/// actions of the feature alone. Once a child has gone, `state` is the child as it was when this run was
/// triggered. Its dispatches are part of the work that the triggering dispatch can wait for and cancel; once the
/// effect has been cancelled, none of them is applied. It does not keep the store alive.
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
  let backlog: ChangeBacklog?

  init(
    home: EffectHome<State>, report: any CommitReport, work: WorkNode,
    backlog: ChangeBacklog? = nil
  ) {
    self.home = home
    self.report = report
    self.work = work
    self.backlog = backlog
  }

  /// The same for a part of the run.
  func part(as work: WorkNode) -> EffectContext {
    EffectContext(home: home, report: report, work: work, backlog: backlog)
  }

  /// What the effect sees, as a scope whose dispatches are a part of its work.
  public var asScope: ScopedStore<State> {
    ScopedStore(view: home.view(after: report), sender: sender)
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
      Lensed: the effect \(work.waitLabel.effect ?? "of `\(State.self)`") asked for a given `\(Value.self)` at \
      \(fileID):\(line), and nothing above gives one. Give it where the feature is lifted, `lifted(\\.part, giving: \
      \\.value)`, or to the feature that runs alone, `giving(value)`. With `needing(\(Value.self).self)` behind the effect, \
      this is found when the store is made.
      """)
  }

  private var sender: ActionSender {
    ActionSender(home.view.core, under: .child(of: work), through: home.transform)
  }

  /// Applies actions of one type, as a part of the work of the effect.
  public func send(_ batch: ActionBatch, from site: CallSite) -> DispatchTask {
    sender.send(batch, from: site)
  }
}

/// The work of one run; its input is the action or the value that the trigger passes on.
@usableFromInline
typealias EffectRun<State: Sendable> =
  @Sendable (_ input: any Sendable, _ context: EffectContext<State>) async throws -> Void

/// Handles an error that an effect threw.
public typealias EffectFailureHandler<State: Sendable> =
  @concurrent @Sendable (_ error: any Error, _ context: EffectContext<State>) async -> Void
