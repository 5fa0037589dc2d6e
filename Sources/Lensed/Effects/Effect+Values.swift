extension Effect {
  /// An effect of each change of a part of the state, in whichever form its code was written.
  init<Value: Equatable & Sendable>(
    changesOf part: PartPath<Value>, _ policy: EffectPolicy, _ triggers: EffectTriggers = [],
    when condition: Condition<Value>?, catch handler: ErrorHandler?, at site: CallSite,
    run: @escaping Run
  ) {
    let read = part.read
    let trigger = ValueTrigger<State>(
      footprint: part.footprint, including: triggers, when: condition,
      initial: { StateAddress.reading($0, as: State.self, read) },
      value: { StateAddress.reading($0.state, as: State.self, read) })
    self.init(
      name: "of a changed `\(Value.self)` at \(site)", policy, .value(trigger), catch: handler,
      run: run)
  }

  /// An effect of each change of a derived value.
  init<Value: Equatable & Sendable>(
    changesOf derived: Derived<State, Value>, _ policy: EffectPolicy, _ triggers: EffectTriggers,
    when condition: Condition<Value>?, catch handler: ErrorHandler?, at site: CallSite,
    run: @escaping Run
  ) {
    let trigger = ValueTrigger<State>(
      footprint: derived.footprint(in: PartPath(Lens<State, State>.identity)), including: triggers,
      needsHome: true, when: condition, initial: { derived.value(in: $0) }, value: { $0[derived] })
    self.init(
      name: "of a changed derived `\(Value.self)` at \(site)", policy, .value(trigger),
      catch: handler, run: run)
  }
}
