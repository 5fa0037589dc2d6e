/// A pure function from a state and an action to the next state, for one or several types of action.
///
/// ```swift
/// let counter = Reducer { (count: inout Int, action: CounterAction) in
///   switch action {
///   case .increase(let amount): count += amount
///   case .reset: count = 0
///   }
/// }
///
/// var count = 0
/// counter.reduce(&count, CounterAction.increase(2))   // no store needed
/// ```
///
/// A reducer runs under the lock of its store: it computes, and touches no store, its own or another.
public struct Reducer<State>: Sendable {
  @usableFromInline
  let cases: [ReducerCase]

  @usableFromInline
  init(cases: [ReducerCase]) { self.cases = cases }

  /// A reducer that edits the state in place: the fast form.
  ///
  /// - Parameter reduce: Edits the state for an action of type `A`.
  @inlinable
  @inline(__always)
  public init<A: Action>(_ reduce: @escaping @Sendable (_ state: inout State, _ action: A) -> Void)
  {
    self.init(cases: [.editing(reduce)])
  }

  /// A reducer that returns a new state.
  ///
  /// - Complexity: The state is copied, so its collections are too when the reducer changes them.
  @inlinable
  public init<A: Action>(pure reduce: @escaping @Sendable (_ state: State, _ action: A) -> State) {
    self.init { (state: inout State, action: A) in state = reduce(state, action) }
  }

  /// A reducer that sees every action: it runs, and counts as having run, without the benefit of routing.
  @_disfavoredOverload  // So that a closure without the label is the one below.
  @inlinable
  public init(
    everyAction reduce: @escaping @Sendable (_ state: inout State, _ action: any Action) -> Void
  ) {
    self.init(cases: [
      ReducerCase(
        .every(
          ReducerCase.EveryRun(alwaysRuns: true) { state, action in
            state.edit(State.self) { reduce(&$0, action) }
            return true
          }))
    ])
  }

  /// Not to be used: a reducer that sees every action is written with its label, `everyAction:`.
  ///
  /// A closure that does not name the type of its action is taken for one of every action.
  @available(
    *, deprecated,
    message: """
      This reducer runs for every action. Name the type of the action, as in \
      { (state: inout State, action: CounterAction) in … }, or write Reducer(everyAction: { … }).
      """
  )
  public init(_ reduce: @escaping @Sendable (_ state: inout State, _ action: any Action) -> Void) {
    self.init(everyAction: reduce)
  }

  /// This reducer, which also handles actions of another type; several closures for one type run in order.
  @inlinable
  public func on<A: Action>(
    _ type: A.Type, _ reduce: @escaping @Sendable (_ state: inout State, _ action: A) -> Void
  ) -> Reducer {
    Reducer(cases: cases + [.editing(reduce)])
  }

  /// One reducer that runs several in order.
  public static func combine(_ reducers: Reducer...) -> Reducer { combine(reducers) }

  /// One reducer that runs several in order.
  public static func combine(_ reducers: [Reducer]) -> Reducer {
    Reducer(cases: reducers.flatMap { $0.cases })
  }

  /// The reducer that handles no action.
  public static var identity: Reducer { Reducer(cases: []) }

  /// Runs the reducer, without a store.
  ///
  /// An action it does not handle leaves the state untouched. A list runs its members in order.
  public func reduce<A: Action>(_ state: inout State, _ action: A) {
    if action is any CompositeAction {
      var list = FlatList { _, _ in .proceed }
      list.append(action)
      if let sequence = list.rest.first { Self.trapAlone(sequence.action) }
      for member in list.leaves { reduce(&state, member) }
      return
    }
    if action is any AsynchronousAction { Self.trapAlone(action) }
    StateAddress.editing(&state, as: State.self) { place in
      for answer in cases where answer.handles(type(of: action)) {
        let part = place.advanced(by: answer.offset)
        switch answer.body {
        case .one(_, let run): _ = StateAddress.reading(action, as: A.self) { run(part, $0) }
        case .every(let every): _ = every.run(part, action)
        }
      }
    }
  }

  private static func trapAlone(_ action: any Action) -> Never {
    fatalError(
      "Lensed: \(type(of: action)) was given to a reducer that runs alone. Its actions arrive over "
        + "time, and only a store can wait for them: dispatch it, or reduce its elements one by one."
    )
  }
}

extension ReducerCase {
  @inlinable
  @inline(__always)
  static func editing<State, A: Action>(
    _ reduce: @escaping @Sendable (_ state: inout State, _ action: A) -> Void
  ) -> ReducerCase {
    ReducerCase(
      .one(
        A.self,
        .always { state, action in state.edit(State.self) { reduce(&$0, action.readFresh(A.self)) }
        }),
      runAll: { state, first, count, stride in
        state.edit(State.self) { state in
          var (action, left) = (first, count)
          // Of an array the compiler knows the distance: 5 % of its time.
          let isArray = stride == MemoryLayout<A>.stride
          while left > 0 {
            reduce(&state, action.read(A.self))
            action = action.advanced(by: isArray ? MemoryLayout<A>.stride : stride)
            left &-= 1
          }
        }
      })
  }
}

// MARK: Lifts

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
    refuseReadOnly(keyPath)
  }

  /// The reducer of an enum that reduces the payload of one case; in another case, it does not run.
  @inlinable
  public func matching<Root>(_ prism: Prism<Root, State>) -> Reducer<Root> {
    Reducer<Root>(
      cases: cases.map { answer in
        answer.inChild { place, body in
          place.edit(Root.self) { root in
            var outcome = RunOutcome.missing(1)
            _ = prism.lend(&root) { part in
              outcome = StateAddress.editing(&part, as: State.self, body).insideChild
              return outcome.didRun
            }
            return outcome
          }
        }
      })
  }

  /// The same as `matching(_:)`.
  @inlinable
  public func lifted<Root>(_ prism: some PrismLike<Root, State>) -> Reducer<Root> {
    matching(prism.asPrism)
  }

  /// The reducer of an optional that reduces the wrapped value; where that is nil, it does not run.
  @inlinable
  public func optional() -> Reducer<State?> {
    Reducer<State?>(
      cases: cases.map { answer in
        answer.inChild { place, body in
          place.edit(State?.self) { optional in
            // Taken out and put back, so that no second reference makes the edit a copy.
            guard var wrapped = optional.take() else { return .missing(1) }
            defer { optional = wrapped }
            return StateAddress.editing(&wrapped, as: State.self, body).insideChild
          }
        }
      })
  }

  /// This reducer for an app with one wide action enum: it handles the actions that `prism` matches.
  ///
  /// It does not run for other wide actions. Its cases for types other than `Narrow` stay unchanged; a
  /// reducer without a case for `Narrow` is a registration error.
  ///
  /// `narrow` is the type of the actions, where the prism does not say it.
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

extension Lens {
  @inlinable
  func run(in place: StateAddress, _ body: (StateAddress) -> RunOutcome) -> RunOutcome {
    var outcome = RunOutcome.passedOver
    _ = focus(place) { part in
      outcome = body(part)
      return outcome.didRun
    }
    return outcome
  }
}

extension ReducerCase {
  @inlinable
  func lifted<Root, Part>(_ lens: Lens<Root, Part>) -> ReducerCase {
    if case .stored(let offset) = lens.location { return moved(by: offset, along: lens.way) }
    // The part always exists: so a case that always ran still does.
    guard case .one(let type, .always(let run)) = body else {
      return through(lens.way, alwaysRuns: true) { place, body in lens.run(in: place, body) }
    }
    let offset = offset
    return always(type, along: lens.way) { place, action in
      _ = lens.focus(place) { part in
        run(part.advanced(by: offset), action)
        return true
      }
    }
  }

  /// The cases of a reducer, lifted together: a prism that fits none of them is a fault.
  fileprivate static func lifted<Wide: Action, Narrow: Action>(
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
    let wide = Run.perhaps { state, action in
      guard let narrow = prism.extract(action.read(Wide.self)) else { return .notMeant }
      return StateAddress.reading(narrow, as: Narrow.self) { run(state, $0) }
    }
    return with(.one(Wide.self, wide), offset: offset, child: child?.extracting(prism)) {
      $0.lifted(action: prism)
    }
  }

  func tagged<Tag>(_ tag: Tag.Type) -> ReducerCase {
    switch body {
    case .one(let type, let run):
      let (tagged, distance) = Self.tagged(type, tag)
      return with(
        .one(tagged, run.behind(distance)), offset: offset, element: element?.moved(by: distance),
        child: child?.behind(distance)
      ) { $0.tagged(Tag.self) }
    case .every(let every):
      let run = EveryRun(alwaysRuns: false) { state, action in
        guard let action = action as? any AnyTagged, Swift.type(of: action).tag == Tag.self
        else { return false }
        return every.run(state, action.untagged)
      }
      return with(.every(run), offset: offset, child: child) { $0 }
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

// MARK: Collections

extension Reducer {
  /// The reducer of a dictionary that reduces the value of one key, in place.
  ///
  /// It handles `ElementAction(id: key, action: a)`. A key that is not there leaves the dictionary
  /// untouched: the reducer does not run.
  ///
  /// - Complexity: O(1) on average, whatever the size of the dictionary.
  @inlinable
  public func keyed<Key: Hashable & Sendable>(
    by key: Key.Type = Key.self
  ) -> Reducer<[Key: State]> {
    overRows { (elements: inout [Key: State], key: Key, body) in
      guard let index = elements.index(forKey: key) else { return .missing(1) }
      return StateAddress.editing(&elements.values[index], as: State.self, body)
    }
  }

  /// The reducer of an array that reduces the element at one offset, in place.
  ///
  /// It handles `ElementAction(id: offset, action: a)`. An offset out of range leaves the array
  /// untouched: the reducer does not run.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func offset() -> Reducer<[State]> {
    overElements { (elements: inout [State], offset: Int, body) in
      guard elements.indices.contains(offset) else { return .missing(1) }
      return StateAddress.editing(&elements[offset], as: State.self, body)
    }
  }

  /// The reducer of an array that reduces the element with one identity, in place.
  ///
  /// It handles `ElementAction(id: element.id, action: a)`. An identity that is not there leaves the
  /// array untouched: the reducer does not run.
  ///
  /// - Complexity: O(*n*) in the number of elements; a dictionary and `keyed()` are O(1).
  @inlinable
  public func identified() -> Reducer<[State]>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    overRows { (elements: inout [State], id: State.ID, body) in
      guard let index = elements.firstIndex(where: { $0.id == id }) else { return .missing(1) }
      return Self.keeping(id, of: &elements[index], body)
    }
  }

  /// The reducer of `Entities` that reduces the element with one identity, in place.
  ///
  /// It handles `ElementAction(id: element.id, action: a)`. An identity that is not there leaves the
  /// collection untouched: the reducer does not run.
  ///
  /// - Complexity: O(log *n*).
  @_disfavoredOverload
  @inlinable
  public func identified() -> Reducer<Entities<State>>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    overRows { (elements: inout Entities<State>, id: State.ID, body) in
      elements.modify(id: id) { Self.keeping(id, of: &$0, body) } ?? .missing(1)
    }
  }

  /// The reducer of `SortedEntities` that reduces the element with one identity, in place, and then moves it to
  /// its place.
  ///
  /// It handles `ElementAction(id: element.id, action: a)`. An identity that is not there leaves the
  /// collection untouched: the reducer does not run.
  ///
  /// - Complexity: O(log *n*), also where the element moves.
  @_disfavoredOverload
  public func identified() -> Reducer<SortedEntities<State>>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    overRows { (elements: inout SortedEntities<State>, id: State.ID, body) in
      elements.modify(id: id) { Self.keeping(id, of: &$0, body) } ?? .missing(1)
    }
  }

  /// Runs a reducer on an element, and notes whether the element keeps the id by which it was found.
  @inlinable
  static func keeping(
    _ id: State.ID, of element: inout State, _ body: (StateAddress) -> RunOutcome
  ) -> RunOutcome where State: Identifiable {
    let outcome = StateAddress.editing(&element, as: State.self, body)
    return outcome.didRun && element.id != id ? .changedID : outcome
  }

  /// The reducer of a collection whose elements have ids that others know.
  @inlinable
  func overRows<Elements, ID: Hashable & Sendable>(
    _ access:
      @escaping @Sendable (inout Elements, ID, (StateAddress) -> RunOutcome) -> RunOutcome
  ) -> Reducer<Elements> {
    let element = ElementIdentity(
      of: ObjectIdentifier(Elements.self), hash: { id in id.edit(ID.self) { $0.hashValue } })
    return overElements(element, access)
  }

  @inlinable
  func overElements<Elements, ID: Hashable & Sendable>(
    _ element: ElementIdentity? = nil,
    _ access:
      @escaping @Sendable (inout Elements, ID, (StateAddress) -> RunOutcome) -> RunOutcome
  ) -> Reducer<Elements> {
    Reducer<Elements>(
      cases: cases.map { answer in
        answer.overElements(ID.self, element: element) { place, id, body in
          place.edit(Elements.self) { access(&$0, id.read(ID.self), body) }
        }
      })
  }
}

extension ReducerCase {
  /// The case of a collection that runs this one on the element that an `ElementAction` names: by its id, or, where
  /// `element` is nil, by its offset.
  @usableFromInline
  func overElements<ID: Hashable & Sendable>(
    _ id: ID.Type, element: ElementIdentity? = nil,
    _ access:
      @escaping @Sendable (StateAddress, StateAddress, (StateAddress) -> RunOutcome) -> RunOutcome
  ) -> ReducerCase {
    guard case .one(let type, let run) = body else {
      // No run would know the element.
      return with(.every(EveryRun(alwaysRuns: false) { _, _ in false }), child: nil) { $0 }
        .refused(because: .everyActionOverElements)
    }
    let offset = offset
    let layout = Self.elementAction(type, id)
    let elements = Run.perhaps { elements, action in
      access(elements, action.advanced(by: layout.id)) { element in
        run(element.advanced(by: offset), action.advanced(by: layout.action)).insideElement
      }
    }
    let way = ChildWay(
      Way(.one(.element(byOffset: false))), then: child, actionAt: layout.action,
      id: { AnyID($0.advanced(by: layout.id).read(ID.self)) })
    return changed(
      with(.one(layout.type, elements), element: element?.moved(by: layout.id), child: way) {
        $0.overElements(ID.self, element: element, access)
      }
    ) { $0.elementDepth = elementDepth.inside(byOffset: element == nil) }
  }

  private static func elementAction<ID: Sendable, A: Action>(
    _ type: A.Type, _ id: ID.Type
  ) -> (type: any Action.Type, id: Int, action: Int) {
    (
      ElementAction<ID, A>.self,
      requiredOffset(of: \ElementAction<ID, A>.id),
      requiredOffset(of: \ElementAction<ID, A>.action)
    )
  }
}
