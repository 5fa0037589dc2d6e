/// The way from a state to a child in it, and from the actions of the state to those of the child.
///
/// A child is a part that might not be there: the value of an optional, the payload of a case, an element. A
/// way of lenses alone leads to a part that always is.
///
/// A way through collections leads to many children. The ids of the collections, from the outside in, say to
/// which one.
struct ChildPath<Root: Sendable, Child: Sendable>: Sendable {
  /// Lends the child for reading; returns false, and calls nothing, if it is not there.
  typealias Lend =
    @Sendable (
      _ root: StateAddress, _ ids: ArraySlice<AnyID>, _ identity: inout ChildIdentity?,
      _ body: (_ child: StateAddress, _ identity: inout ChildIdentity?) -> Void
    ) -> Bool
  /// Lends the child for writing; returns whether the borrower wrote it.
  typealias Edit =
    @Sendable (
      _ root: StateAddress, _ ids: ArraySlice<AnyID>, _ body: (_ child: StateAddress) -> Bool
    ) -> Bool
  /// Lends each child, with its ids after those of `ids`, until `body` returns false; returns whether it
  /// never did.
  typealias ForEach =
    @Sendable (
      _ root: StateAddress, _ ids: [AnyID],
      _ body: (_ ids: [AnyID], _ child: StateAddress) -> Bool
    ) -> Bool
  /// Finds whether the child is there, or else the first one on the way that is not.
  typealias FindPresence =
    @Sendable (_ root: StateAddress, _ ids: ArraySlice<AnyID>) -> ChildPresence

  /// The lens, where the child is always there.
  let lens: Lens<Root, Child>?
  let lend: Lend
  let edit: Edit
  let forEach: ForEach
  let presence: FindPresence
  /// The number of collections on the way.
  let depth: Int
  /// The part of the state in which the child lies: commits that touch it may touch the child.
  let container: Footprint
  let way: Way
  /// The steps of its actions, from the outside in.
  let steps: [any ActionStep]

  init(
    _ way: Way, lens: Lens<Root, Child>? = nil,
    container: Footprint = Lens<Root, Root>.identity.unresolvedFootprint,
    steps: [any ActionStep] = [], lend: @escaping Lend,
    edit: @escaping Edit, forEach: @escaping ForEach, presence: FindPresence? = nil
  ) {
    let depth = way.depth
    (self.way, self.lens, self.depth, self.container) = (way, lens, depth, container)
    (self.steps, self.lend, self.edit, self.forEach) = (steps, lend, edit, forEach)
    self.presence =
      presence ?? { root, ids in
        var identity: ChildIdentity?
        let isThere = lend(root, ids, &identity) { _, _ in }
        return isThere ? .isThere : .isMissing(ChildPlace(way, ids: Array(ids.prefix(depth))))
      }
  }

  /// The way of a lens.
  init(_ lens: Lens<Root, Child>, steps: [any ActionStep] = []) {
    self.init(
      lens.way, lens: lens, container: lens.unresolvedFootprint, steps: steps,
      lend: { root, _, identity, body in
        lens.lendReadOnly(root) { body($0, &identity) }
        return true
      },
      edit: { root, _, body in lens.focus(root, body) },
      forEach: { root, ids, body in lens.lendReadOnly(root) { body(ids, $0) } })
  }

  /// The way to a child of the child.
  func appending<Leaf>(_ next: ChildPath<Child, Leaf>) -> ChildPath<Root, Leaf> {
    if let lens, let further = next.lens {
      return ChildPath<Root, Leaf>(lens.appending(further), steps: steps + next.steps)
    }
    let (outer, count) = (self, depth)
    return ChildPath<Root, Leaf>(
      way.appending(next.way), container: footprint(of: next.container),
      steps: steps + next.steps,
      lend: { root, ids, identity, body in
        var isFound = false
        let isThere = outer.lend(root, ids, &identity) { middle, identity in
          isFound = next.lend(middle, ids.dropFirst(count), &identity, body)
        }
        return isThere && isFound
      },
      edit: { root, ids, body in
        outer.edit(root, ids) { next.edit($0, ids.dropFirst(count), body) }
      },
      forEach: { root, ids, body in
        outer.forEach(root, ids) { next.forEach($1, $0, body) }
      },
      presence: { root, ids in
        let presence = outer.presence(root, ids)
        guard case .isThere = presence else { return presence }
        var (found, identity): (ChildPresence, ChildIdentity?) = (presence, nil)
        _ = outer.lend(root, ids, &identity) { middle, _ in
          found = next.presence(middle, ids.dropFirst(count))
        }
        return found.inside(outer.way, ids: Array(ids.prefix(count)))
      })
  }

  /// The part of the root that a part of the child lies in: the container, where the child might not be there.
  func footprint(of part: Footprint) -> Footprint { lens.map { part.lifted($0) } ?? container }

  /// A copy of the child; nil if it is not there.
  func read(_ root: StateAddress, _ ids: [AnyID]) -> Child? {
    var (child, identity): (Child?, ChildIdentity?) = (nil, nil)
    _ = lend(root, ids[...], &identity) { place, _ in child = place.read(Child.self) }
    return child
  }

  /// A copy of the child, and its identity; nil if it is not there.
  func find(_ root: StateAddress, _ ids: [AnyID]) -> (child: Child, identity: ChildIdentity)? {
    var (child, identity): (Child?, ChildIdentity?) = (nil, ChildIdentity())
    _ = lend(root, ids[...], &identity) { place, _ in child = place.read(Child.self) }
    guard let child, let identity else { return nil }
    return (child, identity)
  }

  /// The identity of the child; nil if it is not there.
  func identity(_ root: StateAddress, _ ids: [AnyID]) -> ChildIdentity? {
    var identity: ChildIdentity? = ChildIdentity()
    return lend(root, ids[...], &identity) { _, _ in } ? identity : nil
  }
}

extension ChildPath {
  /// Locates the child that an action of the root is for, by the ids in the action.
  ///
  /// `ids` returns nil for an action that is not for such a child.
  func locator(
    _ ids: @escaping @Sendable (_ action: any Action) -> [AnyID]?
  ) -> ChildLocator {
    let (depth, presence) = (depth, presence)
    return ChildLocator(container: container, namesElements: depth > 0) { state, action in
      guard let ids = ids(action), ids.count == depth else { return .notMeant }
      return presence(state, ids[...])
    }
  }

  /// Turns the actions of a child into those of the root.
  func transform(_ ids: [AnyID]) -> ActionTransform? {
    var (transform, rest): (ActionTransform?, ArraySlice<AnyID>) = (nil, ids[...])
    for step in steps { transform = ActionTransform(step.bound(to: &rest), next: transform) }
    return transform
  }
}
