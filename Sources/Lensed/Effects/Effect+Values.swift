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
      initial: { state, _ in StateAddress.reading(state, as: State.self, read) },
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
    let asks = derived.reference.formula.asks
    if asks.contains(where: { !derived.reference.place.appending($0.place).isWhole }) {
      fatalError(
        """
        Lensed: the effect at \(site) is of \(derived.reference.formula.name), which asks for a value that another \
        feature is given, in a part of this one's state. Write the effect in that feature, and lift it with it.
        """)
    }
    let trigger = ValueTrigger<State>(
      footprint: derived.footprint(in: PartPath(Lens<State, State>.identity)), including: triggers,
      needsHome: true,
      needs: asks.map { GivenNeed($0.type, in: State.self, of: .named("an effect"), at: site) },
      when: condition, initial: { derived.value(in: $0, given: $1) }, value: { $0[derived] })
    self.init(
      name: "of a changed derived `\(Value.self)` at \(site)", policy, .value(trigger),
      catch: handler, run: run)
  }
}
