/// The way of actions from a feature to its store, and back: one step, and those of what holds the feature.
final class ActionTransform: ActionTranslator {
  private let step: any ActionStep
  /// The way of what holds the feature; nil for the store itself.
  private let next: ActionTransform?

  init(_ step: any ActionStep, next: ActionTransform?) {
    (self.step, self.next) = (step, next)
  }

  /// The steps from the inside out, to be compared.
  var steps: [AnyID] { [AnyID(step)] + (next?.steps ?? []) }

  /// Hands the actions on as the app knows them.
  func send(_ batch: ActionBatch, to store: (ActionBatch) -> DispatchTask) -> DispatchTask {
    step.send(batch) { next?.send($0, to: store) ?? store($0) }
  }

  func inner(of action: any Action) -> (any Action)? {
    var differs = false
    let own = stripped(action, &differs)
    return differs ? own : nil
  }

  /// The action that one of the store stands for; it notes whether the two differ.
  private func stripped(_ action: any Action, _ differs: inout Bool) -> (any Action)? {
    guard let next else { return step.stripped(action, &differs) }
    return next.stripped(action, &differs).flatMap { step.stripped($0, &differs) }
  }
}
