/// A screen, a row or a form as one value: its reducers, effects and inner features.
///
/// ```swift
/// let row = Feature<Row> {
///   Mutator(\.title) { (title: inout String, action: RowAction) in … }
///   Constant(\.id)
///   Effect(on: Reload.self, .latest) { _, context in
///     RowAction.rename(try await api.title(of: context.state.id))    // goes to this row
///   }
/// }
/// let store = try Store(initialState: App()) {
///   chat.tagged(Left.self).lifted(\.left)
///   chat.tagged(Right.self).lifted(\.right)
///   sheet.optional().lifted(\.sheet)
///   editor.matching(editorCase).lifted(\.destination)
///   row.identified().lifted(\.rows)
/// }
/// let alone = try Store(initialState: Row(), row)
/// ```
///
/// A feature knows nothing of the app around it. It is lifted and tagged as a whole, to any depth and in any order. A
/// store takes it wherever it takes a mutator.
///
/// **Children.** A feature of an optional, of a case of an enum or of the elements of a collection owns what is in each
/// child. Another mutator decides which children there are: that of the optional, the enum or the collection itself, or of
/// a larger part. It stands beside the feature.
///
/// **Ownership.** It is proved inside of a child as everywhere else: two reducers of one property are a
/// `RegistrationError` of the store. Whether each property of a child has an owner is checked when the store is made, if
/// the initial state has such a child, and otherwise when the first child is reduced.
///
/// **Effects in children.** An effect begins while its child is there, with `context.state` as the child, and
/// dispatches to the child. Its policy counts per child. It ends when the child goes, or when a child with
/// another identity takes its place: once the commit has returned that dismissed the child, no commit of the
/// effect begins. What its earlier commits have set off goes on.
///
/// **Leaving.** `store.unregister(_:)` removes one mutator. The effects of a feature leave with the last of its mutators;
/// those of a feature inside of it that has mutators leave with these.
///
/// **A name.** `Feature("library") { … }` is called so in messages, and its effects `library/search`. It can say what is to
/// be done when it comes and goes: see `init(_:onInstall:onRemove:_:)`.
///
/// **Cost.** An effect has one listener for all children. A child in which nothing is under way costs no
/// memory and no time. A commit that touches the children looks once at each in which something is.
/// `whenChanged:` keeps a value for each child: an action for one element looks at that element, any other
/// commit that touches them at all.
public struct Feature<State: Sendable>: Sendable {
  let parts: [StorePart<State>]
  /// Tells its uses apart where it has effects alone; else ownership proves that it is given once.
  let use: FeatureUse?
  /// Where the state is that it was written for: what it is given is given there.
  let origin: FeatureUse

  /// A feature of its parts: mutators, asynchronous mutators, `Constant`, effects, features.
  ///
  /// It has an end: a feature that is lifted into itself, for folders in folders, traps with a sentence. Keep such values
  /// flat in `Entities`, each with the id of its parent.
  public init(@StoreBuilder<State> _ parts: () -> [StorePart<State>]) {
    let parts = Self.deeper(parts)
    let doubled = StorePart.doubledFeatures(in: parts)
    if doubled.isEmpty {
      self.init(parts: parts)
    } else {
      // Reported here, and not once more by what is given the feature.
      self.init(
        parts: StorePart.forgettingUses(parts) + [StorePart(faults: doubled)])
    }
  }

  /// A feature with a name, and with what to do when it comes and goes.
  ///
  /// ```swift
  /// let library = Feature<AppState>("library", onInstall: { $0.dispatch(LibraryAction.open) }) {
  ///   Effect(on: LoadAction.self, .first, when: { _, change in !change.state.isLoading }) { … }
  ///   Effect(whenChanged: \.query, .latest) { … }
  /// }
  /// let installed = store.install(library)     // or between the braces of a store
  /// ```
  ///
  /// The conditions of its effects are called in the order of the effects.
  ///
  /// - Parameters:
  ///   - name: The name in messages. An effect is called `name/effect` there, and `outer/name/effect` in a feature that
  ///     has a name, too.
  ///   - onInstall: Called once all of it is installed, with the state to read and the store to dispatch to. In children,
  ///     called for each one that is there and for each one that appears, with a scope of that child: once that has gone,
  ///     or another one has taken its place, the scope commits nothing, with a warning.
  ///   - onRemove: Called once, when it leaves or its store is released. In children, called once for each one that
  ///     `onInstall` was called for: when the child goes, or with the feature or the store if it is still there.
  ///   - parts: The parts, as of a feature without a name.
  public init(
    _ name: String, onInstall: (@Sendable (_ store: ScopedStore<State>) -> Void)? = nil,
    onRemove: (@Sendable () -> Void)? = nil,
    @StoreBuilder<State> _ parts: () -> [StorePart<State>]
  ) {
    self.init {
      parts().map { $0.named(in: name) }
      if onInstall != nil || onRemove != nil {
        StorePart(FeatureLife(name: name, onInstall: onInstall, onRemove: onRemove))
      }
    }
  }

  init(parts: [StorePart<State>]) {
    self.init(
      StorePart.placed(StorePart.together(parts)),
      used: parts.contains { $0.owner != nil } ? nil : FeatureUse())
  }

  init(
    _ parts: [StorePart<State>], used use: FeatureUse?, from origin: FeatureUse = FeatureUse()
  ) {
    (self.parts, self.use, self.origin) = (parts, use, origin)
  }
}

/// How many features are being made, each between the braces of the one before.
@TaskLocal private var featureDepth = 0

extension Feature {
  /// What `make` makes, in one feature more; it traps where a feature is made in itself, before the stack ends.
  private static func deeper<Parts>(_ make: () -> Parts) -> Parts {
    let depth = featureDepth + 1
    if depth > 100 {
      fatalError(
        """
        Lensed: a feature of \(code: State.self) is made between the braces of itself: 100 features stand in each \
        other. A feature has an end, so that a store can list what it owns. Keep values that hold values of their own \
        type flat, in one `Entities` with the id of the parent in each, and lift the feature to that once: \
        `node.identified().lifted(\\.nodes)`. The guide Entities and rows shows it under Trees.
        """)
    }
    return $featureDepth.withValue(depth, operation: make)
  }
}

extension Feature: StorePartConvertible {
  /// The parts of the feature; not for you to call.
  public var storeParts: StoreParts<State> { StoreParts(StorePart.given(parts, by: use)) }
}

extension Store {
  /// A store of one feature, which runs alone.
  ///
  /// ```swift
  /// let store = try Store(initialState: Row(), row)
  /// ```
  ///
  /// - Parameters:
  ///   - initialState: What the state is at first.
  ///   - feature: All that the store is made of.
  ///   - coverage: Whether every property needs an owner.
  ///   - middleware: Asked before each commit and notified after it, in order.
  ///   - onEffectError: Given the uncaught errors of effects; nil writes them to the standard error stream.
  ///   - onWarning: Given the warnings; nil writes a line to the standard error stream in a debug build,
  ///     and does nothing in a release build.
  ///   - clock: Says when commits are made; read only where something records. It is read in the commit, as a lens is,
  ///     and touches no store.
  /// - Throws: All faults of the feature together.
  public convenience init(
    initialState: State, _ feature: Feature<State>, coverage: Coverage = .complete,
    middleware: [any Middleware<State>] = [], onEffectError: EffectErrorHandler? = nil,
    onWarning: StoreWarningHandler? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) throws(RegistrationError) {
    try self.init(
      initialState: initialState, coverage: coverage, middleware: middleware,
      onEffectError: onEffectError, onWarning: onWarning, clock: clock
    ) { feature }
  }
}

extension StoreBlueprint {
  /// A blueprint of one feature.
  ///
  /// - Throws: All faults of the feature together.
  public init(
    coverage: Coverage = .complete, _ feature: Feature<State>
  ) throws(RegistrationError) {
    try self.init(coverage: coverage) { feature }
  }
}

// MARK: Lifts

/// Says that a feature handles the same actions at several places.
public enum FeatureSharing: Sendable {
  /// Each action reaches all of the places, and no warning says so.
  case meant
}

// Whatever stands between braces is lifted as a feature of it.

extension StorePartConvertible where PartState: Sendable {
  /// The feature of these parts alone, for a larger state, of which their state is one part.
  public func lifted<Root: Sendable>(_ lens: some LensLike<Root, PartState>) -> Feature<Root> {
    lifted(by: Optic(lens.asLens))
  }

  /// The feature of these parts alone, for a larger state, of which their state is the property at a key path.
  ///
  /// ```swift
  /// chat.lifted(\.left)
  /// saving.tied(to: \.session).lifted(\.document)    // an effect; what is said of it comes first
  /// ```
  public func lifted<Root: Sendable>(
    _ keyPath: any WritableKeyPath<Root, PartState> & Sendable
  ) -> Feature<Root> {
    lifted(by: Optic(Lens(keyPath, for: .lift)))
  }

  /// Not available: a feature writes, and this key path only reads.
  @available(*, unavailable, message: "a lift needs a WritableKeyPath; this one only reads")
  public func lifted<Root: Sendable>(
    _ keyPath: any KeyPath<Root, PartState> & Sendable
  ) -> Feature<Root> {
    refuseReadOnly(keyPath)
  }

  /// The feature of these parts alone, for an app with one wide action enum.
  ///
  /// Its reducers and effects of `Narrow` are of the actions that `prism` matches, and the `Narrow` actions that
  /// its effects dispatch are embedded. Other actions pass unchanged. If it reduces actions, and nothing in it is of
  /// `Narrow`, no store takes it.
  ///
  /// - Parameters:
  ///   - prism: The case of the wide enum that holds the actions.
  ///   - narrow: The actions, where the prism does not say of which type they are.
  /// - Returns: The feature, of wide actions.
  public func lifted<Wide: Action, Narrow: Action>(
    action prism: Prism<Wide, Narrow>, of narrow: Narrow.Type = Narrow.self
  ) -> Feature<PartState> {
    lifted(by: .embedding(prism))
  }

  /// The feature of these parts alone, for one of several instances: `Tagged<Tag, A>` stands for `A`, and what its
  /// effects dispatch is tagged.
  public func tagged<Tag>(_ tag: Tag.Type) -> Feature<PartState> {
    lifted(by: .tag(Tag.self))
  }

  /// The feature of these parts alone, for the value of an optional.
  ///
  /// As of every child, what is in it reads, owns and dispatches in terms of the child, and ends with the child. A mutator
  /// of the optional itself stands beside it.
  @inlinable
  public func optional() -> Feature<PartState?> {
    lifted(by: .optional())
  }

  /// The feature of these parts alone, for one case of an enum, or for another part that a prism might find.
  @inlinable
  public func matching<Root: Sendable>(_ prism: Prism<Root, PartState>) -> Feature<Root> {
    lifted(by: .matching(prism))
  }

  /// The feature of these parts alone, for each value of a dictionary; its actions are
  /// `ElementAction(id: key, action: a)`.
  @inlinable
  public func keyed<Key: Hashable & Sendable>(
    by key: Key.Type = Key.self
  ) -> Feature<[Key: PartState]> {
    lifted(by: .keyed(by: Key.self))
  }

  /// The feature of these parts alone, for each element of an array; its actions are
  /// `ElementAction(id: offset, action: a)`.
  ///
  /// An element is what stands at an offset; where it is `Identifiable`, another identity there is another element.
  @inlinable
  public func offset() -> Feature<[PartState]> {
    lifted(by: .offset())
  }

  /// The feature of these parts alone, for each element of an array; its actions are
  /// `ElementAction(id: element.id, action: a)`.
  ///
  /// - Complexity: An action for one element is O(*n*) in their number; with `Entities` it is O(log *n*).
  @inlinable
  public func identified() -> Feature<[PartState]>
  where PartState: Identifiable & SendableMetatype, PartState.ID: Sendable {
    lifted(by: .identified())
  }

  /// The feature of these parts alone, for each of some entities; its actions are
  /// `ElementAction(id: element.id, action: a)`.
  @_disfavoredOverload
  @inlinable
  public func identified() -> Feature<Entities<PartState>>
  where PartState: Identifiable & SendableMetatype, PartState.ID: Sendable {
    lifted(by: .entities())
  }

  /// The feature of these parts alone, for each of some entities that stay sorted; its actions are
  /// `ElementAction(id: element.id, action: a)`.
  @_disfavoredOverload
  public func identified() -> Feature<SortedEntities<PartState>>
  where PartState: Identifiable & SendableMetatype, PartState.ID: Sendable {
    lifted(by: .sortedEntities())
  }

  @usableFromInline
  func lifted<Root: Sendable>(by optic: Optic<Root, PartState>) -> Feature<Root> {
    (self as? Feature<PartState> ?? Feature { self }).lift(by: optic)
  }
}

extension Feature {
  /// This feature for a larger state, of which the feature's state is one part; each of its actions is meant for
  /// other parts that it is lifted to, too.
  public func lifted<Root: Sendable>(
    _ lens: some LensLike<Root, State>, sharing: FeatureSharing
  ) -> Feature<Root> {
    lifted(lens).sharingActions()
  }

  /// This feature for a larger state, of which the feature's state is the property at a key path; each of its actions
  /// is meant for other parts that it is lifted to, too.
  ///
  /// ```swift
  /// clock.lifted(\.left)
  /// clock.lifted(\.right, sharing: .meant)     // both handle each Tick
  /// ```
  ///
  /// Without `sharing:` a store warns that two parts handle each action. Tags tell them apart.
  public func lifted<Root: Sendable>(
    _ keyPath: any WritableKeyPath<Root, State> & Sendable, sharing: FeatureSharing
  ) -> Feature<Root> {
    lifted(keyPath).sharingActions()
  }

  private func sharingActions() -> Feature {
    Feature(StorePart.forgettingPlaces(parts), used: use, from: origin)
  }
}

extension Feature {
  /// This feature for what holds its state.
  fileprivate func lift<Root: Sendable>(by optic: Optic<Root, State>) -> Feature<Root> {
    var parts = StorePart.renumbered(StorePart.lifted(self.parts, by: optic))
    if let (wide, narrow) = optic.embedding, let fault = mismatch("\(wide)", narrow) {
      parts.append(StorePart<Root>(faults: [fault]))
    }
    return Feature<Root>(parts, used: use.map(optic.lifted), from: optic.lifted(origin))
  }

  /// The fault of being lifted to actions of a type, where it reduces actions, and nothing in it is of these.
  private func mismatch(_ wide: String, _ narrow: any Action.Type) -> FoundFault? {
    let owners = parts.filter(\.handlesActions).compactMap(\.owner)
    guard let owner = owners.first, !handles(narrow) else { return nil }
    if owners.count == 1 {
      return FoundFault(
        .unmatchedPrism(property: owner.footprint.name, wide: wide, narrow: "\(narrow)"),
        at: [owner.site])
    }
    return FoundFault(.unmatchedFeature(state: "\(State.self)", wide: wide, narrow: "\(narrow)"))
  }

  /// Whether something in it is of actions of a type.
  private func handles(_ type: any Action.Type) -> Bool {
    parts.contains { part in
      part.owner?.cases.contains { $0.handles(type) } ?? false
        || part.installed?.actionTypes.contains { $0 == type } ?? false
    }
  }
}

// MARK: State from above

// State from above: what a feature gives to all that is in it, by type.

extension Feature {
  /// This feature for a larger state, of which the feature's state is the property at a key path; whatever is in the
  /// feature can ask for a value of the larger state.
  ///
  /// ```swift
  /// let row = Feature<Row> {
  ///   Mutator(\Row.price) { (price: inout Int, action: RowAction) in … }
  ///     .on(Reprice.self, given: Settings.self) { price, _, settings in price *= settings.factor }
  ///   Effect(on: Publish.self) { _, context in
  ///     try await shop.publish(context.state, in: context.given(Settings.self).currency)
  ///   }
  /// }
  /// row.identified().lifted(\App.rows, giving: \.settings)
  /// ```
  ///
  /// The value is found by its type, and only read. A child asks for it at any depth: in optionals, cases and rows, and
  /// whatever the tags on the way. Of several that give a type, the nearest does.
  ///
  /// **Who reads what.** A reducer reads the value as it was before its own action. `context.given(_:)`, a derived
  /// value and an asynchronous reducer, whose turn has come, read the current one.
  ///
  /// **Proof.** When the store is made, a type that a reducer, a trigger or `needing(_:)` asks for and that nothing
  /// gives is a `RegistrationError`, which names the asker and its line. A value that nothing in the feature can ask
  /// for is a `StoreWarning`. What the function of an effect asks for cannot be seen: there it traps, with a sentence.
  ///
  /// **Cost.** Who does not ask pays nothing. A reducer that asks costs one copy of the value, and none of what has it.
  ///
  /// To give several, or what a lens focuses on, write `giving(_:)` behind a lift:
  /// `row.identified().lifted(\.rows).giving(\.settings).giving(userLens)`.
  ///
  /// - Parameters:
  ///   - keyPath: The feature's state.
  ///   - value: What is given: any property of the larger state, stored or computed.
  ///   - fileID: Where it is written, for messages.
  ///   - line: Where it is written, for messages.
  /// - Returns: The feature of the larger state.
  public func lifted<Root: Sendable, Value: Sendable>(
    _ keyPath: any WritableKeyPath<Root, State> & Sendable,
    giving value: any KeyPath<Root, Value> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Feature<Root> {
    lifted(keyPath).giving(value, fileID: fileID, line: line)
  }

  /// This feature, where whatever is in it can ask for one of its own properties.
  ///
  /// See `lifted(_:giving:)`, which gives a property of what the feature is lifted to.
  public func giving<Value: Sendable>(
    _ keyPath: any KeyPath<State, Value> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Feature {
    given(by: Giver(PartPath(keyPath, for: .input)), fileID, line)
  }

  /// This feature, where whatever is in it can ask for what a lens focuses on.
  public func giving<Value: Sendable>(
    _ lens: some LensLike<State, Value>, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Feature {
    given(by: Giver(PartPath(lens.asLens)), fileID, line)
  }

  /// This feature with a constant that whatever is in it can ask for: to run it alone, or to test it.
  ///
  /// ```swift
  /// let store = try Store(initialState: Row(), row.giving(Settings()))
  /// let test = try TestStore(initialState: Row(), row.giving(Settings(factor: 2)))
  /// ```
  @_disfavoredOverload
  public func giving<Value: Sendable>(
    _ value: Value, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Feature {
    given(by: Giver(constant: value), fileID, line)
  }

  /// This feature, which says that something in it asks for a given value.
  ///
  /// ```swift
  /// let row = Feature<Row> { … }.needing(Settings.self)
  /// ```
  ///
  /// Reducers and triggers are seen to ask. What the function of an effect asks for by `context.given(_:)`, and what a
  /// derived value asks for, is not. With this, no store takes the feature unless something above gives such a value,
  /// and who gives one is not warned.
  public func needing<Value: Sendable>(
    _ value: Value.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Feature {
    var part = StorePart<State>()
    part.needs = [
      GivenNeed(
        Value.self, in: State.self, of: .named("a feature of \(code: State.self)"),
        at: CallSite(fileID: fileID, function: "a feature", line: line))
    ]
    return Feature(parts + [part], used: use, from: origin)
  }

  private func given(
    by giver: Giver, _ fileID: StaticString, _ line: UInt
  ) -> Feature {
    let site = CallSite(fileID: fileID, function: "a feature", line: line)
    let given = StorePart.given(parts, by: giver, to: origin, at: site)
    return Feature(given, used: use, from: origin)
  }
}

// MARK: The name from before

/// A feature of effects: `Feature("name", onInstall:onRemove:)`.
@available(*, deprecated, renamed: "Feature", message: "a service is a feature with a name")
public typealias Service<State: Sendable> = Feature<State>
