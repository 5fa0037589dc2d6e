/// What owns the parts of a state, what its actions set off, its services, and the features inside of it: one
/// value, which knows nothing of the app.
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
/// It is lifted and tagged as a whole, to any depth and in any order, and a store takes it where it takes
/// parts.
///
/// **Children.** A feature of the value of an optional, of a case of an enum or of the elements of a
/// collection owns the children. Whether there are any is up to the mutator of the optional, the enum or the
/// collection itself, or of a larger part that has it; it stands beside the feature.
///
/// **Ownership.** It is proved inside of a child as everywhere else: two reducers of one property are a
/// `RegistrationError` of the store. That each property of a child has an owner is proved of the children that
/// are there when the store is made, and else of the first one that is reduced.
///
/// **Effects in children.** An effect begins while its child is there, with `context.state` as the child, and
/// dispatches to the child. Its policy counts per child. It ends when the child goes, or when a child with
/// another identity takes its place: once the commit has returned that dismissed the child, no commit of the
/// effect begins. What its earlier commits have set off goes on.
///
/// **Leaving.** `store.unregister(_:)` removes one mutator. The effects and services of a feature leave with the last
/// of its mutators; those of a feature inside of it that has mutators leave with these.
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

  /// A feature of its parts: mutators, asynchronous mutators, `Constant`, effects, services, features.
  ///
  /// It has an end: a feature that is lifted into itself, for folders in folders, traps with a sentence. Keep such values
  /// flat in `Entities`, each with the id of its parent.
  public init(@StoreBuilder<State> _ parts: () -> [StorePart<State>]) {
    let parts = FeatureNesting.deeper(State.self, parts)
    let doubled = StorePart.doubledFeatures(in: parts)
    if doubled.isEmpty {
      self.init(parts: parts)
    } else {
      // Reported here, and not once more by what is given the feature.
      self.init(
        parts: StorePart.forgettingUses(parts) + [StorePart(faults: doubled)])
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
private enum FeatureNesting {
  @TaskLocal private static var depth = 0

  /// What `make` makes, in one feature more; it traps where a feature is made in itself, before the stack ends.
  static func deeper<State, Parts>(_ state: State.Type, _ make: () -> Parts) -> Parts {
    let depth = depth + 1
    if depth > 100 {
      fatalError(
        """
        Lensed: a feature of `\(state)` is made between the braces of itself: 100 features stand in each other. \
        A feature has an end, so that a store can list what it owns. Keep values that hold values of their own type flat, \
        in one `Entities` with the id of the parent in each, and lift the feature to that once: \
        `node.identified().lifted(\\.nodes)`. The guide Entities and rows shows it under Trees.
        """)
    }
    return $depth.withValue(depth, operation: make)
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
  /// - Throws: All faults of the feature together.
  public convenience init(
    initialState: State, _ feature: Feature<State>, coverage: Coverage = .complete,
    middleware: [any Middleware<State>] = [], onEffectError: EffectErrorHandler? = nil,
    onWarning: StoreWarningHandler? = nil
  ) throws(RegistrationError) {
    try self.init(
      initialState: initialState, coverage: coverage, middleware: middleware,
      onEffectError: onEffectError, onWarning: onWarning
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
