extension Store {
  /// Adds a mutator, an asynchronous one, a property that no action changes, or a feature; or nothing of it.
  ///
  /// It takes what stands between the braces of a store, and arrays of it. The effects and services of a feature leave
  /// with the last of its mutators. Those that are registered by themselves, or in a feature without a mutator, stay as
  /// long as the store: what is to leave sooner is for `install(_:)`.
  ///
  /// ```swift
  /// try store.register(counterMutator)
  /// try store.register(chat.lifted(\.left))
  /// try store.register(
  ///   Feature {
  ///     Mutator(\.user, userReducer)
  ///     Effect(on: SignIn.self) { _, context in … }
  ///   })
  /// ```
  ///
  /// - Throws: What keeps it from standing beside those that are registered, a feature of effects alone that is
  ///   registered already among it. The store is then as it was.
  /// - Complexity: O(*n*) in the number of parts; the routes are made anew as they are used. Where coverage is complete
  ///   and a part is told by its name alone, the state is reflected, too.
  public func register(_ part: some StorePartConvertible<State>) throws(RegistrationError) {
    let parts = StorePart.together(part.storeParts.all)
    let own = parts.flatMap { $0.faults }
    try view.core.register(parts.compactMap { $0.owner }, StorePart.uses(in: parts)) { known in
      own + StorePart.doubledFeatures(in: parts, besides: known)
    } _: {
      StorePart.doubled(in: parts, $0)
    }
    warnOfUnneeded(parts)
    install(parts)
  }

  /// Removes the mutator of a property: its feature leaves, the sub-state stays as it is.
  ///
  /// The effects and services of a feature leave with the last of its mutators, and so do features of effects alone
  /// inside of it. They end as when they are removed by their subscription: their runs are cancelled, and what the
  /// applied commits of these have set off goes on. With the mutator of a collection, of an optional or of an enum
  /// leave the features of its children. Afterwards the feature can be registered again.
  ///
  /// The events of an `AsyncMutator` end with it. What `whileLoading` showed stays too.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func unregister<Value>(_ keyPath: any KeyPath<State, Value> & Sendable) -> Bool {
    view.core.unregister(PartPath(keyPath).footprint)
  }

  /// Removes the mutator of what a lens focuses on: its feature leaves, the sub-state stays as it is.
  ///
  /// The effects and services of a feature leave with the last of its mutators.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func unregister<Value>(_ lens: some LensLike<State, Value>) -> Bool {
    view.core.unregister(lens.asLens.footprint)
  }

  /// Puts a mutator in the place of the one that owns the same part, in one step.
  ///
  /// ```swift
  /// try store.replace(
  ///   Mutator(\.counter) { (counter: inout Int, action: CounterAction) in
  ///     if case .increase(let amount) = action { counter += 2 * amount }
  ///   })
  /// ```
  ///
  /// **Guarantees.** An action that is dispatched meanwhile, on whatever thread, meets the former reducer or the new
  /// one: never neither, and never both. The state, its observers and the place in the order of registration stay as they
  /// are, and so do the effects and services of the feature that the mutator came with. It takes the place of an
  /// `AsyncMutator`, or of a `Constant`, too. The events of the former that run or wait are cancelled; what
  /// `whileLoading` showed stays.
  ///
  /// - Parameter mutator: The mutator of a part that has an owner.
  /// - Throws: The faults of the mutator. Among them are a part that has no owner of exactly its extent, a part of
  ///   another type, and a part of which only the children are owned. The store is then as it was.
  /// - Complexity: O(*n*) in the number of parts; the routes are made anew as they are used.
  public func replace<SubState>(
    _ mutator: Mutator<State, SubState>
  ) throws(RegistrationError) {
    try view.core.replace(by: StorePart(mutator), in: view)
  }
}

extension StoreCore {
  /// Puts the reducers of a part in the place of those of its owner.
  func replace<State: Sendable>(
    by part: StorePart<State>, in view: StoreView<State>
  ) throws(RegistrationError) {
    guard let owner = part.owner else { return }
    try replaceReducers(by: owner, besides: part.faults) { epoch in
      part.installed?.attachment(in: view, of: epoch)
    }
  }
}
