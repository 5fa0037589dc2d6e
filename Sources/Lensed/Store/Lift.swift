/// One step up, from what a feature knows to what holds it: all that a feature's parts need to take it.
struct Lift<Root: Sendable, Part: Sendable>: Sendable {
  let path: ChildPath<Root, Part>
  /// Lifts the cases of reducers.
  let cases: @Sendable ([ReducerCase]) -> [ReducerCase]
  /// The first identity that occurs twice among the parts of a state; nil where none can.
  var double: (@Sendable (_ root: StateAddress) -> AnyID?)?
  /// The wide and the narrow type of action, where the lift is by a prism of actions.
  var embedding: (wide: any Action.Type, narrow: any Action.Type)?

  private init(
    _ path: ChildPath<Root, Part>, cases: @escaping @Sendable ([ReducerCase]) -> [ReducerCase]
  ) {
    (self.path, self.cases) = (path, cases)
  }

  /// The use of a feature in what holds its state.
  func lifted(_ use: FeatureUse) -> FeatureUse {
    use.lifted(along: path.way, path.steps.map { AnyID($0) })
  }

  static func lens(_ lens: Lens<Root, Part>) -> Lift {
    Lift(ChildPath(lens)) { cases in cases.map { $0.lifted(lens) } }
  }
}

extension Lift where Root == Part {
  static func tag<Tag>(_ tag: Tag.Type) -> Lift {
    let path = ChildPath(Lens<Root, Root>.identity, steps: [TagStep<Tag>()])
    return Lift(path) { cases in
      cases.map { $0.tagged(Tag.self) }
    }
  }

  static func embedding<Wide: Action, Narrow: Action>(_ prism: Prism<Wide, Narrow>) -> Lift {
    let path = ChildPath(Lens<Root, Root>.identity, steps: [EmbedStep(prism)])
    var lift = Lift(path) { cases in
      cases.map { $0.lifted(action: prism) }
    }
    lift.embedding = (Wide.self, Narrow.self)
    return lift
  }
}

extension Lift where Root == Part? {
  static func optional() -> Lift {
    child(
      .optional, extract: { $0.read(Part?.self) },
      edit: { root, body in
        guard var part = root.take() else { return false }
        defer { root = part }
        return StateAddress.editing(&part, as: Part.self, body)
      },
      cases: { Reducer<Part>(cases: $0).optional().cases })
  }
}

extension Lift {
  static func matching(_ prism: Prism<Root, Part>) -> Lift {
    child(
      .matching(prism.id), extract: { prism.extract($0.read(Root.self)) },
      edit: { root, body in
        prism.lend(&root) { StateAddress.editing(&$0, as: Part.self, body) }
      },
      cases: { Reducer<Part>(cases: $0).matching(prism).cases })
  }

  /// The lift to a part that might not be there; `extract` returns it, `edit` lends it for writing.
  private static func child(
    _ step: Way.Step, extract: @escaping @Sendable (_ root: StateAddress) -> Part?,
    edit: @escaping @Sendable (inout Root, (StateAddress) -> Bool) -> Bool,
    cases: @escaping @Sendable ([ReducerCase]) -> [ReducerCase]
  ) -> Lift {
    let reader = identityReader(of: Part.self)
    let path = ChildPath<Root, Part>(
      Way(.one(step)),
      lend: { root, _, identity, body in
        guard let part = extract(root) else { return false }
        return lend(part, reader, &identity, to: body)
      },
      edit: { root, _, body in root.edit(Root.self) { edit(&$0, body) } },
      forEach: { root, ids, body in
        guard let part = extract(root) else { return true }
        return StateAddress.reading(part, as: Part.self) { body(ids, $0) }
      })
    return Lift(path, cases: cases)
  }

  /// The lift to the elements of a collection; `find` returns one by its id, `edit` lends one for writing.
  private static func elements<ID: Hashable & Sendable>(
    of id: ID.Type, byOffset: Bool = false,
    cases: @escaping @Sendable ([ReducerCase]) -> [ReducerCase],
    all: @escaping @Sendable (Root, (ID, Part) -> Bool) -> Bool,
    find: @escaping @Sendable (Root, ID) -> Part?,
    isDoubled: (@Sendable (Root, ID) -> Bool)? = nil,
    edit: @escaping @Sendable (inout Root, ID, (StateAddress) -> Bool) -> Bool
  ) -> Lift {
    let reader = identityReader(of: Part.self)
    let way = Way(.one(.element(byOffset: byOffset)))
    let path = ChildPath<Root, Part>(
      way, steps: [ElementStep<ID>()],
      lend: { root, ids, identity, body in
        guard let id = ids.first?.value as? ID, let part = find(root.read(Root.self), id) else {
          return false
        }
        return lend(part, reader, &identity, to: body)
      },
      edit: { root, ids, body in
        guard let id = ids.first?.value as? ID else { return false }
        return root.edit(Root.self) { edit(&$0, id, body) }
      },
      forEach: { root, ids, body in
        all(root.read(Root.self)) { id, part in
          StateAddress.reading(part, as: Part.self) { body(ids + [AnyID(id)], $0) }
        }
      },
      presence: { root, ids in
        guard let id = ids.first?.value as? ID else { return .notMeant }
        let elements = root.read(Root.self)
        if isDoubled?(elements, id) ?? false { return .isDoubled(DoubledIdentity(AnyID(id))) }
        if find(elements, id) != nil { return .isThere }
        return .isMissing(ChildPlace(way, ids: [AnyID(id)]))
      })
    return Lift(path, cases: cases)
  }
}

extension Lift where Root == [Part] {
  static func offset() -> Lift {
    elements(
      of: Int.self, byOffset: true, cases: { Reducer<Part>(cases: $0).offset().cases },
      all: { elements, body in elements.indices.allSatisfy { body($0, elements[$0]) } },
      find: { $0.indices.contains($1) ? $0[$1] : nil },
      edit: { elements, offset, body in
        guard elements.indices.contains(offset) else { return false }
        return StateAddress.editing(&elements[offset], as: Part.self, body)
      })
  }

  static func identified() -> Lift
  where Part: Identifiable & SendableMetatype, Part.ID: Sendable {
    var lift = elements(
      of: Part.ID.self,
      cases: { (Reducer<Part>(cases: $0).identified() as Reducer<[Part]>).cases },
      all: { elements, body in elements.allSatisfy { body($0.id, $0) } },
      find: { elements, id in elements.first { $0.id == id } },
      isDoubled: { elements, id in
        elements.firstIndex { $0.id == id } != elements.lastIndex { $0.id == id }
      },
      edit: { elements, id, body in
        guard let index = elements.firstIndex(where: { $0.id == id }) else { return false }
        return StateAddress.editing(&elements[index], as: Part.self, body)
      })
    lift.double = { root in
      var seen: Set<Part.ID> = []
      return root.read(Root.self).first { !seen.insert($0.id).inserted }.map { AnyID($0.id) }
    }
    return lift
  }
}

extension Lift
where Part: Identifiable & SendableMetatype, Part.ID: Sendable, Root == Entities<Part> {
  static func entities() -> Lift {
    elements(
      of: Part.ID.self,
      cases: { (Reducer<Part>(cases: $0).identified() as Reducer<Entities<Part>>).cases },
      all: { elements, body in elements.allSatisfy { body($0.id, $0) } },
      find: { elements, id in elements[id: id] },
      edit: { elements, id, body in
        elements.modify(id: id) { StateAddress.editing(&$0, as: Part.self, body) } ?? false
      })
  }
}

extension Lift
where Part: Identifiable & SendableMetatype, Part.ID: Sendable, Root == SortedEntities<Part> {
  static func sortedEntities() -> Lift {
    elements(
      of: Part.ID.self,
      cases: { (Reducer<Part>(cases: $0).identified() as Reducer<SortedEntities<Part>>).cases },
      all: { elements, body in elements.allSatisfy { body($0.id, $0) } },
      find: { elements, id in elements[id: id] },
      edit: { elements, id, body in
        elements.modify(id: id) { StateAddress.editing(&$0, as: Part.self, body) } ?? false
      })
  }
}

extension Lift {
  static func keyed<Key: Hashable & Sendable>(by key: Key.Type) -> Lift
  where Root == [Key: Part] {
    elements(
      of: Key.self, cases: { Reducer<Part>(cases: $0).keyed(by: Key.self).cases },
      all: { elements, body in elements.allSatisfy { body($0.key, $0.value) } },
      find: { elements, key in elements[key] },
      edit: { elements, key, body in
        guard let index = elements.index(forKey: key) else { return false }
        return StateAddress.editing(&elements.values[index], as: Part.self, body)
      })
  }
}

/// Lends a child for reading, and adds its id where it has one.
private func lend<Child>(
  _ child: Child, _ reader: (any IdentityReading)?, _ identity: inout ChildIdentity?,
  to body: (StateAddress, inout ChildIdentity?) -> Void
) -> Bool {
  StateAddress.reading(child, as: Child.self) { place in
    if let reader, identity != nil { identity?.append(reader.readID(at: place)) }
    body(place, &identity)
  }
  return true
}
