extension Reducer {
  /// The reducer of a whole that reduces one part of it.
  ///
  /// Lift 100 times at most: each lift that has no byte offset takes some of the stack.
  @inlinable
  public func lifted<Root>(_ lens: some LensLike<Root, State>) -> Reducer<Root> {
    let lens = lens.asLens
    return Reducer<Root>(cases: cases.map { $0.lifted(lens) })
  }

  /// The reducer of a whole that reduces the property at a key path.
  @inlinable
  public func lifted<Root>(
    _ keyPath: any WritableKeyPath<Root, State> & Sendable
  ) -> Reducer<Root> {
    lifted(Lens(keyPath, for: .lift))
  }

  /// Not available: a reducer writes, and this key path only reads.
  @available(*, unavailable, message: "a lift needs a WritableKeyPath; this one only reads")
  public func lifted<Root>(_ keyPath: any KeyPath<Root, State> & Sendable) -> Reducer<Root> {
    ReadOnlyKeyPath.refuse(keyPath)
  }

  /// The reducer of an enum that reduces the payload of one of its cases.
  ///
  /// A state in another case is left untouched: the reducer does not run.
  @inlinable
  public func matching<Root>(_ prism: Prism<Root, State>) -> Reducer<Root> {
    Reducer<Root>(
      cases: cases.map { answer in
        answer.through { place, body in
          place.edit(Root.self) { root in
            prism.lend(&root) { part in StateAddress.editing(&part, as: State.self, body) }
          }
        }
      })
  }

  /// The same as `matching(_:)`.
  @inlinable
  public func lifted<Root>(_ prism: some PrismLike<Root, State>) -> Reducer<Root> {
    matching(prism.asPrism)
  }

  /// The reducer of an optional that reduces the wrapped value.
  ///
  /// A nil is left untouched: the reducer does not run.
  @inlinable
  public func optional() -> Reducer<State?> {
    Reducer<State?>(
      cases: cases.map { answer in
        answer.through { place, body in
          place.edit(State?.self) { optional in
            // Taken out and put back, so that no second reference makes the edit a copy.
            guard var wrapped = optional.take() else { return false }
            defer { optional = wrapped }
            return StateAddress.editing(&wrapped, as: State.self, body)
          }
        }
      })
  }

  /// This reducer for an app with one wide action enum: it handles the actions that `prism` matches.
  ///
  /// It does not run for other wide actions. Its cases for types other than `Narrow` stay unchanged; a
  /// reducer without a case for `Narrow` is a registration error.
  ///
  /// - Parameters:
  ///   - prism: The case of the wide enum that holds the actions.
  ///   - narrow: The actions, where the prism does not say of which type they are.
  /// - Returns: The reducer, of wide actions.
  @inlinable
  public func lifted<Wide: Action, Narrow: Action>(
    action prism: Prism<Wide, Narrow>, of narrow: Narrow.Type = Narrow.self
  ) -> Reducer {
    Reducer(cases: ReducerCase.lifted(cases, action: prism))
  }

  /// This reducer for one of several instances: it handles `Tagged<Tag, A>` in place of `A`.
  public func tagged<Tag>(_ tag: Tag.Type) -> Reducer {
    Reducer(cases: cases.map { $0.tagged(tag) })
  }
}

extension ReducerCase {
  @inlinable
  func lifted<Root, Part>(_ lens: Lens<Root, Part>) -> ReducerCase {
    switch lens.location {
    case .stored(let offset): moved(by: offset).named(lens)
    case .closures: through(lens).named(lens)
    }
  }

  /// This case, run on the part that a lens focuses on.
  ///
  /// The part always exists, and a lens that does not lend it traps; so a case that always ran still does.
  @inlinable
  func through<Root, Part>(_ lens: Lens<Root, Part>) -> ReducerCase {
    guard case .one(let type, .always(let run)) = body else {
      return through(alwaysRuns: true) { place, body in lens.focus(place, body) }
    }
    let offset = offset
    let lifted = Run.always { place, action in
      _ = lens.focus(place) { part in
        run(part.advanced(by: offset), action)
        return true
      }
    }
    return ReducerCase(.one(type, lifted), fault: fault, elementDepth: elementDepth)
  }

  /// The cases of a reducer, lifted together: a prism that fits none of them is a fault.
  @usableFromInline
  static func lifted<Wide: Action, Narrow: Action>(
    _ cases: [ReducerCase], action prism: Prism<Wide, Narrow>
  ) -> [ReducerCase] {
    if cases.contains(where: { $0.handles(Narrow.self) }) {
      return cases.map { $0.lifted(action: prism) }
    }
    let fault = ReducerFault.prism(wide: "\(Wide.self)", narrow: "\(Narrow.self)")
    return cases.map { $0.refused(because: fault) }
  }

  func lifted<Wide: Action, Narrow: Action>(action prism: Prism<Wide, Narrow>) -> ReducerCase {
    guard case .one(let type, let run) = body, type == Narrow.self else { return self }
    return ReducerCase(
      Wide.self, offset: offset, fault: fault, elementDepth: elementDepth,
      perhaps: { state, action in
        guard let narrow = prism.extract(action.read(Wide.self)) else { return false }
        return StateAddress.reading(narrow, as: Narrow.self) { run(state, $0) }
      }
    ).reading(of: self) { $0.lifted(action: prism) }.finding(child(extracting: prism))
  }

  func tagged<Tag>(_ tag: Tag.Type) -> ReducerCase {
    switch body {
    case .one(let type, let run):
      let (tagged, distance) = Self.tagged(type, tag)
      return ReducerCase(
        .one(tagged, run.behind(distance)), offset: offset,
        fault: fault, elementDepth: elementDepth, element: element?.moved(by: distance)
      ).reading(of: self) { $0.tagged(Tag.self) }.finding(child(behind: distance))
    case .every(let every):
      let run = EveryRun(alwaysRuns: false) { state, action in
        guard let action = action as? any AnyTagged, Swift.type(of: action).tag == Tag.self
        else { return false }
        return every.run(state, action.untagged)
      }
      return ReducerCase(.every(run), offset: offset, fault: fault)
    }
  }

  private static func tagged<Tag, A: Action>(
    _ type: A.Type, _ tag: Tag.Type
  ) -> (type: any Action.Type, distance: Int) {
    (Tagged<Tag, A>.self, requiredOffset(of: \Tagged<Tag, A>.action))
  }

  static func requiredOffset<Root, Value>(of keyPath: KeyPath<Root, Value>) -> Int {
    // Asked of stored properties of this module alone, so only a change to them can trap here.
    guard let offset = MemoryLayout<Root>.offset(of: keyPath) else {
      fatalError("Lensed: \(keyPath) is no longer a stored property; it has to be one.")
    }
    return offset
  }
}
