/// A child of the state that might not be there, as the dispatches of its scope know it.
///
/// An object, so that a request and a sequence carry one word more.
@usableFromInline
final class ScopedChild: Sendable {
  private let isPresent: @Sendable (_ state: StateAddress) -> Bool
  /// The children from the outside in, of which the last one is this, to be compared.
  let places: [Place]
  /// Where looking leaves the values that it replaces.
  private let formers: FormerValues?
  /// Knows the actions of the scope among those of the store; nil if they are the same.
  private let translator: (any ActionTranslator)?

  struct Place: Hashable, Sendable {
    let name: String
    /// The number of the prism, where the child is the case of an enum.
    let prism: UInt64?
  }

  /// The child that a path leads to, at its end by a prism with that number, if there is one.
  convenience init<Child>(_ path: PartPath<Child?>, matching prism: UInt64? = nil) {
    self.init(
      isPresent: { path.read($0) != nil },
      places: [Place(name: path.footprint.name, prism: prism)], formers: path.formers)
  }

  private init(
    isPresent: @escaping @Sendable (StateAddress) -> Bool, places: [Place],
    formers: FormerValues?, translator: (any ActionTranslator)? = nil
  ) {
    (self.isPresent, self.places, self.formers) = (isPresent, places, formers)
    self.translator = translator
  }

  /// The child of a child: it is there if both are.
  func inside(_ outer: ScopedChild?) -> ScopedChild {
    guard let outer else { return self }
    return ScopedChild(
      isPresent: { [isPresent] in outer.isPresent($0) && isPresent($0) },
      places: outer.places + places,
      // Those of a child inside of another release those of the outer one, too.
      formers: formers ?? outer.formers, translator: translator)
  }

  /// The same child, in a scope with other actions.
  func seen(through translator: (any ActionTranslator)?) -> ScopedChild {
    ScopedChild(isPresent: isPresent, places: places, formers: formers, translator: translator)
  }

  /// Whether it is there; under the lock of the store, after which `release` is to be called without it.
  func isThere(_ state: StateAddress) -> Bool { isPresent(state) }

  /// Releases the values that looking has replaced.
  func release() { formers?.release() }

  /// The warning that it was not there for an action, as the store knows that.
  func warning(of action: any Action, from site: CallSite?) -> StoreWarning {
    var warning = StoreWarning(
      .departedScope, action: translator?.translated(action) ?? action, at: site)
    warning.property = places.last.map { "`\($0.name)`" }
    return warning
  }
}
