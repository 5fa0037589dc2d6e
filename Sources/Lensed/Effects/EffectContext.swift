/// The surroundings of a running effect: the state, the change that triggered it, and `dispatch`.
///
/// ```swift
/// Effect<AppState>(on: SearchAction.self, .latest) { action, context in
///   let found = try await api.search(action.query, in: context.state.language)
///   context.dispatch(ResultsAction.found(found))
/// }
/// ```
///
/// It reads and observes the state like a store, and cannot write it. Its dispatches are part of the
/// work that the triggering dispatch can wait for and cancel; once the effect has been cancelled, none of
/// them is applied. It does not keep the store alive.
public struct EffectContext<State: Sendable>: StateObserving {
  /// The way to the state.
  public var view: StoreView<State> { home.value }
  /// The commit that triggered the effect: its action, the state after it, and the one before where the
  /// effect has a `when:`.
  public var change: Change<State> { trigger.change(of: home.value.part) }
  // On the heap, because a context is copied several times.
  private let home: Boxed<StoreView<State>>
  let trigger: TriggeringCommit<State>
  /// The work of this run; the dispatches of the run are its children.
  let work: WorkNode
  /// Changes its actions on their way, where the effect was tagged or embedded.
  private let transform: Boxed<any ActionTransform>?

  init(
    home: Boxed<StoreView<State>>, trigger: TriggeringCommit<State>, work: WorkNode,
    transform: Boxed<any ActionTransform>? = nil
  ) {
    self.home = home
    self.trigger = trigger
    self.work = work
    self.transform = transform
  }

  private var sender: ActionSender {
    ActionSender(home.value.core, under: .child(of: work), through: transform?.value)
  }

  /// Applies actions of one type, as a part of the work of the effect.
  public func send(
    _ batch: ActionBatch, reading read: (StateAccess) -> Void
  ) -> DispatchTask {
    warnIfEnded(batch)
    return sender.send(batch, reading: read)
  }

  /// Warns of a dispatch that comes after the code of the effect has ended.
  private func warnIfEnded(_ batch: ActionBatch) {
    guard let warnings = home.value.core.warnings, !work.hasOwnCode, !work.isStopped else { return }
    var warning = StoreWarning(.endedEffect, action: batch.batch.boxed(), at: batch.site)
    if case .effect(let name) = work.waitLabel { warning.effect = name }
    warnings.report(warning)
  }

  /// The context of a feature that knows nothing of the app around it.
  func focused<Part: Sendable>(on lens: Lens<State, Part>) -> EffectContext<Part> {
    EffectContext<Part>(
      home: Boxed(view.appending(PartPath(lens))),
      trigger: .change(Boxed(change.focused(on: lens))),
      work: work, transform: transform)
  }

  /// The context of one of several instances.
  func tagged<Tag>(_ type: Tag.Type) -> EffectContext {
    through(Tagging<Tag>(next: transform?.value))
  }

  /// The context inside an app with one wide action enum.
  func embedding<Wide: Action, Narrow: Action>(
    _ prism: Prism<Wide, Narrow>
  ) -> EffectContext {
    through(Embedding(next: transform?.value, prism: prism))
  }

  private func through(_ transform: any ActionTransform) -> EffectContext {
    EffectContext(home: home, trigger: trigger, work: work, transform: Boxed(transform))
  }

  /// Dispatches the action that the effect at a place in the source returned, and waits until all of it
  /// has been applied.
  func dispatchResult(
    _ action: (any Action)?, _ fileID: StaticString, _ line: UInt
  ) async throws {
    guard let action else { return }
    try await dispatch(action, fileID: fileID, function: "an effect", line: line).finish(.applied)
  }
}
