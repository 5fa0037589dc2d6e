/// A child of the state that might not be there, as the dispatches of its scope know it; an object, so that a request
/// and a sequence carry one word more.
@usableFromInline
final class ScopedChild: Sendable {
  enum Absence: Sendable {
    case gone
    /// Another child is in its place; the function returns what the two are called.
    case replaced(@Sendable () -> (own: String, other: String))
  }

  private let find: @Sendable (_ state: StateAddress) -> Absence?
  /// The children from the outside in, of which the last one is this, to be compared.
  let places: [Place]
  /// Knows the actions of the scope among those of the store; nil if they are the same.
  private let translator: (any ActionTranslator)?

  struct Place: Equatable, Sendable {
    private let part: Footprint
    /// Whether the child of another place, which is of the same type, is the same one.
    private let isSame: @Sendable (_ other: any Sendable) -> Bool
    private let child: any Sendable

    init<Child>(_ part: Footprint, _ child: BoundChild<Child>) {
      (self.part, self.child) = (part, child.made)
      isSame = { other in (other as? Child).map { child.isSame(as: $0) } ?? false }
    }

    var name: String { part.name }

    static func == (left: Place, right: Place) -> Bool {
      left.name == right.name && left.part.way.prism == right.part.way.prism
        && left.isSame(right.child)
    }
  }

  convenience init<Child>(_ child: BoundChild<Child>, at path: PartPath<Child?>) {
    self.init(
      find: { state in
        guard let present = path.read(state) else { return .gone }
        if child.isSame(as: present) { return nil }
        return .replaced { (child.name(of: child.made), child.name(of: present)) }
      },
      places: [Place(path.footprint, child)])
  }

  private init(
    find: @escaping @Sendable (StateAddress) -> Absence?, places: [Place],
    translator: (any ActionTranslator)? = nil
  ) {
    (self.find, self.places, self.translator) = (find, places, translator)
  }

  /// The child of a child: it is there if both are.
  func inside(_ outer: ScopedChild?) -> ScopedChild {
    guard let outer else { return self }
    return ScopedChild(
      find: { [find] in outer.find($0) ?? find($0) }, places: outer.places + places,
      translator: translator)
  }

  func seen(through translator: (any ActionTranslator)?) -> ScopedChild {
    ScopedChild(find: find, places: places, translator: translator)
  }

  /// Why nothing is to be committed for it, under the lock of the store; nil if it is there.
  func absence(in state: StateAddress) -> Absence? { find(state) }

  /// The warning that it was not there for an action, as the store knows that; without the lock.
  func warning(of absence: Absence, for action: any Action, from site: CallSite?) -> StoreWarning {
    var warning = StoreWarning(
      .departedScope, action: translator?.translated(action) ?? action, at: site)
    warning.property = places.last.map { "`\($0.name)`" }
    if case .replaced(let names) = absence { warning.replaced = names() }
    return warning
  }
}

// MARK: Where a child is

/// Locates the child of the state that an action is for: a listener in children has one, for warnings.
struct ChildLocator: Sendable {
  /// The part of the state in which the children lie.
  let container: Footprint
  let namesElements: Bool
  /// Adds what it knows of the child; called under the lock.
  let find:
    @Sendable (_ state: StateAddress, _ action: any Action, _ search: inout ChildSearch) -> Void
}
