/// What an effect does, in terms of the feature that it was written for.
struct EffectCode<State: Sendable>: Sendable {
  var trigger: EffectTrigger<State>
  let run: EffectRun<State>
  let handler: EffectFailureHandler<State>?
  var keepsPrevious = false
  /// How many commits after the trigger are kept for a run that has yet to ask; nil where none are.
  var keptChanges: Int?

  var needsPrevious: Bool { keepsPrevious || trigger.needsPrevious }
}
