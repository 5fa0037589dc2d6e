/// A child of the state that might not be there, as the dispatches of its scope, or of a feature in it, know it; an
/// object, so that a request and a sequence carry one word more.
@usableFromInline
final class ScopedChild: Sendable {
  enum Absence: Sendable {
    case gone
    /// Another child is in its place; the function returns what the two are called, nil where what holds them differs.
    case replaced(@Sendable () -> (own: String, other: String)?)
  }

  /// From the outside in: the child is there if all of them are.
  private let finders: InlineList<any ChildFinder>
  /// Knows the actions of the scope among those of the store; nil if they are the same.
  private let translator: ActionTransform?
  /// Whether the actions are also for what holds the child: once it has gone, they are applied there.
  ///
  /// Where another child is in its place, they are not: that would take them for its own, in a replay too. Nothing is
  /// said of it.
  private let outlivesChild: Bool

  struct Place: Equatable, Sendable {
    let name: String
    private let prism: PrismID?
    private let type: ObjectIdentifier
    private var child = ChildIdentity()

    init<Child: Sendable>(_ name: String, _ prism: PrismID?, _ child: Child) {
      (self.name, self.prism, type) = (name, prism, ObjectIdentifier(Child.self))
      guard let readID = idReader(of: Child.self) else { return }
      self.child.append(StateAddress.reading(child, as: Child.self, readID))
    }
  }

  init(
    _ finders: InlineList<any ChildFinder>, translator: ActionTransform? = nil,
    outlivesChild: Bool = false
  ) {
    (self.finders, self.translator, self.outlivesChild) = (finders, translator, outlivesChild)
  }

  /// A child of a scope: `presence` is that of the path when it is bound to the child.
  @usableFromInline
  convenience init<Child: Sendable>(
    _ child: Child, at path: PartPath<Child?>, _ presence: PartPresence
  ) {
    self.init(.one(ScopeChildFinder(child: child, path: path, presence: presence)))
  }

  var places: [Place] { finders.all.flatMap(\.places) }

  /// The child of a child: it is there if both are.
  func inside(_ outer: ScopedChild?) -> ScopedChild {
    guard let outer else { return self }
    return ScopedChild(
      InlineList(outer.finders.all + finders.all), translator: translator)
  }

  func seen(through translator: ActionTransform?) -> ScopedChild {
    if translator === self.translator { return self }
    return ScopedChild(finders, translator: translator, outlivesChild: outlivesChild)
  }

  /// Why nothing is to be committed for it, under the lock of the store; nil if something is.
  func obstacle(in state: StateAddress) -> Absence? {
    var absence: Absence?
    finders.forEach { finder in absence = absence ?? finder.absence(in: state) }
    if outlivesChild, case .gone = absence { return nil }
    return absence
  }

  /// The warning that it was not there for an action, as the store knows that, without the lock; nil where none is due.
  func warning(
    of absence: Absence, for action: any Action, from site: CallSite?
  ) -> StoreWarning? {
    if outlivesChild { return nil }
    var warning = StoreWarning(
      .departedScope, action: translator?.translated(action) ?? action, at: site)
    warning.property = places.last.map { "\(code: $0.name)" }
    if case .replaced(let names) = absence { warning.replaced = names() }
    return warning
  }
}

// MARK: Finding a child

/// Looks for one child in the state.
protocol ChildFinder: Sendable {
  /// Why the child is not in a state, under the lock of the store; nil if it is.
  func absence(in state: StateAddress) -> ScopedChild.Absence?

  /// The children from the outside in, of which the last one is this, to be compared.
  var places: [ScopedChild.Place] { get }
}

private struct ScopeChildFinder<Child: Sendable>: ChildFinder {
  let child: Child
  let path: PartPath<Child?>
  let presence: PartPresence

  func absence(in state: StateAddress) -> ScopedChild.Absence? {
    presence.isHere(state) ? nil : reason(in: state)
  }

  /// A function of its own: code that does not know `Child` would look its optional up for each action.
  @inline(never)
  private func reason(in state: StateAddress) -> ScopedChild.Absence {
    guard let present = path.read(state) else { return .gone }
    return .replaced { [child] in (childName(child), childName(present)) }
  }

  var places: [ScopedChild.Place] {
    [ScopedChild.Place(path.footprint.name, path.way.prism, child)]
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
