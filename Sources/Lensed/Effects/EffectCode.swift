/// What an effect does, in terms of the feature that it was written for.
struct EffectCode<State: Sendable>: Sendable {
  var trigger: EffectTrigger<State>
  let run: EffectRun<State>
  let handler: EffectFailureHandler<State>?
  var keepsPrevious = false

  var needsPrevious: Bool { keepsPrevious || trigger.needsPrevious }
}
