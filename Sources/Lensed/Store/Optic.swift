/// How what holds a state sees a part of that: how the part is lent, edited and enumerated, and what its actions and
/// reducers are there.
///
/// A feature is lifted by one, step by step; what was written for the feature keeps the optic of all steps. The part is
/// called a child here: most often it might not be there (the value of an optional, the payload of a case, an element).
/// A way of lenses alone leads to a part that always is. A way through collections leads to many children: the ids of
/// the collections, from the outside in, say to which one.
///
/// The optics of one step that edit a child are inlined into the module that has its type: there its reducers are
/// compiled for it, and look up no type when they run.
@usableFromInline
struct Optic<Root: Sendable, Child: Sendable>: Sendable {
  /// Lends the child for reading; calls nothing if it is not there, and returns which child on the way is missing.
  typealias Lend =
    @Sendable (
      _ root: StateAddress, _ ids: ArraySlice<AnyID>, _ identity: inout ChildIdentity?,
      _ body: (_ child: StateAddress, _ identity: inout ChildIdentity?) -> Void
    ) -> RunOutcome
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
  typealias LiftCases = @Sendable (_ cases: [ReducerCase]) -> [ReducerCase]

  /// The lens, where the child is always there.
  let lens: Lens<Root, Child>?
  let lend: Lend
  let edit: Edit
  let forEach: ForEach
  /// The collections on the way.
  let elements: ElementDepth
  /// The part of the state in which the child lies: commits that touch it may touch the child.
  let container: Footprint
  let way: Way
  /// The steps of its actions, from the outside in.
  let steps: [any ActionStep]
  let cases: LiftCases
  /// The wide and the narrow type of action, where it is a prism of actions.
  var embedding: (wide: any Action.Type, narrow: any Action.Type)?

  init(
    _ way: Way, lens: Lens<Root, Child>? = nil,
    container: Footprint = Lens<Root, Root>.identity.unresolvedFootprint,
    steps: [any ActionStep] = [], lend: @escaping Lend,
    edit: @escaping Edit, forEach: @escaping ForEach, cases: @escaping LiftCases
  ) {
    (self.way, self.lens, elements, self.container) = (way, lens, way.elements, container)
    (self.steps, self.lend, self.edit, self.forEach) = (steps, lend, edit, forEach)
    self.cases = cases
  }

  init(_ lens: Lens<Root, Child>, steps: [any ActionStep] = [], cases: LiftCases? = nil) {
    let lend = PartPath(lens).lend
    self.init(
      lens.way, lens: lens, container: lens.unresolvedFootprint, steps: steps,
      lend: { root, _, identity, body in
        _ = lend(root) { body($0, &identity) }
        return .ran
      },
      edit: { root, _, body in lens.focus(root, body) },
      forEach: { root, ids, body in
        var isThrough = true
        _ = lend(root) { isThrough = body(ids, $0) }
        return isThrough
      },
      cases: cases ?? { cases in cases.map { $0.lifted(lens) } })
  }

  var depth: Int { Int(elements.count) }

  func appending<Leaf>(_ next: Optic<Child, Leaf>) -> Optic<Root, Leaf> {
    let cases: LiftCases = { [cases] in cases(next.cases($0)) }
    if let lens, let further = next.lens {
      return Optic<Root, Leaf>(lens.appending(further), steps: steps + next.steps, cases: cases)
    }
    return Optic<Root, Leaf>(
      way.appending(next.way), container: footprint(of: next.container),
      steps: steps + next.steps,
      lend: { [lend, depth, childCount = way.childCount] root, ids, identity, body in
        var inner = RunOutcome.ran
        let outcome = lend(root, ids, &identity) { middle, identity in
          inner = next.lend(middle, ids.dropFirst(depth), &identity, body)
        }
        if case .missing(let number) = inner, outcome == .ran {
          return .missing(number + childCount)
        }
        return outcome == .ran ? inner : outcome
      },
      edit: { [edit, depth] root, ids, body in
        edit(root, ids) { next.edit($0, ids.dropFirst(depth), body) }
      },
      forEach: { [forEach] root, ids, body in
        forEach(root, ids) { next.forEach($1, $0, body) }
      }, cases: cases)
  }

  /// The part of the root that a part of the child lies in: the container, where the child might not be there.
  func footprint(of part: Footprint) -> Footprint { lens.map { part.lifted($0) } ?? container }

  func lifted(_ use: FeatureUse) -> FeatureUse {
    use.lifted(along: way, steps.map { AnyID($0) })
  }

  func read(_ root: StateAddress, _ ids: [AnyID]) -> Child? {
    var identity: ChildIdentity?
    return read(root, ids, &identity)
  }

  /// A copy of the child; nil if it is not there.
  ///
  /// It adds the ids on the way to the identity, where there is one.
  func read(_ root: StateAddress, _ ids: [AnyID], _ identity: inout ChildIdentity?) -> Child? {
    var child: Child?
    _ = lend(root, ids[...], &identity) { place, _ in child = place.read(Child.self) }
    return child
  }

  func identity(_ root: StateAddress, _ ids: [AnyID]) -> ChildIdentity? {
    var identity: ChildIdentity? = ChildIdentity()
    return lend(root, ids[...], &identity) { _, _ in } == .ran ? identity : nil
  }

  /// Whether the child is there, or else which child on the way is missing.
  func outcome(_ root: StateAddress, _ ids: ArraySlice<AnyID>) -> RunOutcome {
    var identity: ChildIdentity?
    return lend(root, ids, &identity) { _, _ in }
  }
}

extension Optic {
  /// Locates the child that an action of the root is for; `ids` returns nil for an action that is for no such child.
  func locator(
    _ ids: @escaping @Sendable (_ action: any Action) -> [AnyID]?
  ) -> ChildLocator {
    ChildLocator(container: container, namesElements: depth > 0) { [self] state, action, search in
      guard let ids = ids(action), ids.count == depth else { return }
      search.add(outcome(state, ids[...]), in: container.name) {
        ChildPlace($0, on: way, ids: ids)
      }
    }
  }

  func transform(_ ids: [AnyID]) -> ActionTransform? {
    var (transform, rest): (ActionTransform?, ArraySlice<AnyID>) = (nil, ids[...])
    for step in steps { transform = ActionTransform(step.bound(to: &rest), next: transform) }
    return transform
  }
}

// MARK: One step

extension Optic where Root == Child {
  static func tag<Tag>(_ tag: Tag.Type) -> Optic {
    Optic(.identity, steps: [TagStep<Tag>()]) { cases in cases.map { $0.tagged(Tag.self) } }
  }

  static func embedding<Wide: Action, Narrow: Action>(_ prism: Prism<Wide, Narrow>) -> Optic {
    var optic = Optic(.identity, steps: [EmbedStep(prism)]) { cases in
      cases.map { $0.lifted(action: prism) }
    }
    optic.embedding = (Wide.self, Narrow.self)
    return optic
  }
}

extension Optic where Root == Child? {
  @inlinable
  static func optional() -> Optic {
    child(
      extract: { $0.read(Child?.self) },
      edit: { root, body in
        guard var part = root.take() else { return false }
        defer { root = part }
        return StateAddress.editing(&part, as: Child.self, body)
      },
      cases: { Reducer<Child>(cases: $0).optional().cases })
  }
}

extension Optic {
  @inlinable
  static func matching(_ prism: Prism<Root, Child>) -> Optic {
    child(
      matching: prism, extract: { prism.extract($0.read(Root.self)) },
      edit: { root, body in
        prism.lend(&root) { StateAddress.editing(&$0, as: Child.self, body) }
      },
      cases: { Reducer<Child>(cases: $0).matching(prism).cases })
  }

  /// That of a part that might not be there, an optional's or a prism's; `extract` returns it, `edit` lends it for
  /// writing.
  @usableFromInline
  static func child(
    matching prism: Prism<Root, Child>? = nil,
    extract: @escaping @Sendable (_ root: StateAddress) -> Child?,
    edit: @escaping @Sendable (inout Root, (StateAddress) -> Bool) -> Bool,
    cases: @escaping @Sendable ([ReducerCase]) -> [ReducerCase]
  ) -> Optic {
    let readID = idReader(of: Child.self)
    return Optic(
      Way(.one(prism.map { .matching($0.id) } ?? .optional)),
      lend: { root, _, identity, body in
        guard let part = extract(root) else { return .missing(1) }
        return lendChild(part, readID, &identity, to: body)
      },
      edit: { root, _, body in root.edit(Root.self) { edit(&$0, body) } },
      forEach: { root, ids, body in
        guard let part = extract(root) else { return true }
        return StateAddress.reading(part, as: Child.self) { body(ids, $0) }
      }, cases: cases)
  }

  /// That of the elements of a collection; `find` returns one by its id, `edit` lends one for writing.
  @usableFromInline
  static func elements<ID: Hashable & Sendable>(
    of id: ID.Type, byOffset: Bool = false,
    cases: @escaping @Sendable ([ReducerCase]) -> [ReducerCase],
    all: @escaping @Sendable (Root, (ID, Child) -> Bool) -> Bool,
    find: @escaping @Sendable (Root, ID) -> Child?,
    edit: @escaping @Sendable (inout Root, ID, (StateAddress) -> Bool) -> Bool
  ) -> Optic {
    let readID = idReader(of: Child.self)
    return Optic(
      Way(.one(.element(byOffset: byOffset))), steps: [ElementStep<ID>()],
      lend: { root, ids, identity, body in
        guard let id = ids.first?.value as? ID, let part = find(root.read(Root.self), id) else {
          return .missing(1)
        }
        return lendChild(part, readID, &identity, to: body)
      },
      edit: { root, ids, body in
        guard let id = ids.first?.value as? ID else { return false }
        return root.edit(Root.self) { edit(&$0, id, body) }
      },
      forEach: { root, ids, body in
        all(root.read(Root.self)) { id, part in
          StateAddress.reading(part, as: Child.self) { body(ids + [AnyID(id)], $0) }
        }
      }, cases: cases)
  }
}

extension Optic where Root == [Child] {
  @inlinable
  static func offset() -> Optic {
    elements(
      of: Int.self, byOffset: true, cases: { Reducer<Child>(cases: $0).offset().cases },
      all: { elements, body in elements.indices.allSatisfy { body($0, elements[$0]) } },
      find: { $0.indices.contains($1) ? $0[$1] : nil },
      edit: { elements, offset, body in
        guard elements.indices.contains(offset) else { return false }
        return StateAddress.editing(&elements[offset], as: Child.self, body)
      })
  }

  @inlinable
  static func identified() -> Optic
  where Child: Identifiable & SendableMetatype, Child.ID: Sendable {
    elements(
      of: Child.ID.self,
      cases: { (Reducer<Child>(cases: $0).identified() as Reducer<[Child]>).cases },
      all: { elements, body in elements.allSatisfy { body($0.id, $0) } },
      find: { elements, id in elements.first { $0.id == id } },
      edit: { elements, id, body in
        guard let index = elements.firstIndex(where: { $0.id == id }) else { return false }
        return StateAddress.editing(&elements[index], as: Child.self, body)
      })
  }
}

extension Optic
where Child: Identifiable & SendableMetatype, Child.ID: Sendable, Root == Entities<Child> {
  @inlinable
  static func entities() -> Optic {
    elements(
      of: Child.ID.self,
      cases: { (Reducer<Child>(cases: $0).identified() as Reducer<Entities<Child>>).cases },
      all: { elements, body in elements.allSatisfy { body($0.id, $0) } },
      find: { elements, id in elements[id: id] },
      edit: { elements, id, body in
        elements.modify(id: id) { StateAddress.editing(&$0, as: Child.self, body) } ?? false
      })
  }
}

extension Optic
where Child: Identifiable & SendableMetatype, Child.ID: Sendable, Root == SortedEntities<Child> {
  static func sortedEntities() -> Optic {
    elements(
      of: Child.ID.self,
      cases: { (Reducer<Child>(cases: $0).identified() as Reducer<SortedEntities<Child>>).cases },
      all: { elements, body in elements.allSatisfy { body($0.id, $0) } },
      find: { elements, id in elements[id: id] },
      edit: { elements, id, body in
        elements.modify(id: id) { StateAddress.editing(&$0, as: Child.self, body) } ?? false
      })
  }
}

extension Optic {
  @inlinable
  static func keyed<Key: Hashable & Sendable>(by key: Key.Type) -> Optic
  where Root == [Key: Child] {
    elements(
      of: Key.self, cases: { Reducer<Child>(cases: $0).keyed(by: Key.self).cases },
      all: { elements, body in elements.allSatisfy { body($0.key, $0.value) } },
      find: { elements, key in elements[key] },
      edit: { elements, key, body in
        guard let index = elements.index(forKey: key) else { return false }
        return StateAddress.editing(&elements.values[index], as: Child.self, body)
      })
  }
}

/// Lends a child for reading, and adds its id where it has one.
private func lendChild<Child>(
  _ child: Child, _ readID: IDReader?, _ identity: inout ChildIdentity?,
  to body: (StateAddress, inout ChildIdentity?) -> Void
) -> RunOutcome {
  StateAddress.reading(child, as: Child.self) { place in
    if let readID, identity != nil { identity?.append(readID(place)) }
    body(place, &identity)
  }
  return .ran
}
