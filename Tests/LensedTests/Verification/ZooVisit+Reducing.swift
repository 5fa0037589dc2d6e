import Lensed
import LensedTestSupport
import Testing

extension Visit {
  static var reducing: [Way] {
    [
      ("a reducer alone", alone), ("mutators of each initialiser", mutators),
      ("lenses of each kind", lenses), ("the whole state", whole), ("optional", optional),
      ("keyed, offset, identified", elements), ("a prism", prism), ("lifted mutators", lifted),
      ("several cases", cases), ("AsyncMutator", asyncMutator),
      ("AsyncMutator, lifted and tagged", liftedAsyncMutator), ("AsyncResult", asyncResult),
    ]
  }

  private func alone() async throws {
    var part = value(0)
    Self.write.reduce(&part, value(1))
    expect([part], 1)
    Self.write.reduce(&part, values([2, 3]))
    expect([part], 3)
    Self.write.reduce(&part, ActionList([value(4), CountAction.keep]))
    expect([part], 4)
    let one: any Action = value(5)
    Self.write.reduce(&part, one)
    expect([part], 5)
    Reducer<S>(pure: { (_: S, action: S) in action }).reduce(&part, value(6))
    expect([part], 6)
  }

  /// Whether a mutator writes the actions that it is given into a part.
  private func expect<Part: Sendable>(
    _ mutator: Mutator<State, Part>, writes read: (State) -> S?,
    from initial: State? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expect(
      mutator, of: mutator.lens, writes: read, from: initial, sourceLocation: sourceLocation)
  }

  private func expect<Part: Sendable>(
    _ mutator: some StorePartConvertible<State>, of lens: Lens<State, Part>,
    writes read: (State) -> S?, from initial: State? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let store = try Store(
      initialState: initial ?? State(value(0)), coverage: .partial
    ) { mutator }
    store.dispatch(value(1))
    expect([read(store.state)].compactMap(\.self), 1, sourceLocation: sourceLocation)
    store.dispatch(values([2, 3]))
    expect([read(store.state)].compactMap(\.self), 3, sourceLocation: sourceLocation)
    store.dispatch([value(4), CountAction.keep])
    expect([read(store.state)].compactMap(\.self), 4, sourceLocation: sourceLocation)
    store.dispatch(value(5) as any Action)
    expect([read(store.state)].compactMap(\.self), 5, sourceLocation: sourceLocation)
    let scope = store.scope(lens)
    scope.dispatch(value(6))
    expect([read(store.state)].compactMap(\.self), 6, sourceLocation: sourceLocation)
  }

  private func mutators() async throws {
    try expect(Self.writePart) { $0.part }
    try expect(Mutator(\.part, Self.write)) { $0.part }
    try expect(Mutator(lens: Lens(\.part), reducer: Self.write)) { $0.part }
    try expect(Mutator(lens: Lens(\.part)) { (part: inout S, action: S) in part = action }) {
      $0.part
    }
    try expect(Mutator(lens: Lens(\.part)) { (_: State, action: S) -> S in action }) { $0.part }
    try expect(Mutator(\.part, Reducer<S>.identity).on(S.self) { $0 = $1 }) { $0.part }
    try expect(Mutator(\.part, .combine(.identity, Self.write))) { $0.part }
  }

  private func lenses() async throws {
    let functional = Lens<State, S>(
      name: "part", get: { $0.part },
      set: { state, part in
        var state = state
        state.part = part
        return state
      })
    try expect(Mutator(lens: functional, reducer: Self.write)) { $0.part }
    let inPlace = Lens<State, S>(
      name: "part", get: { $0.part }, modify: { state, edit in edit(&state.part) })
    try expect(Mutator(lens: inPlace, reducer: Self.write)) { $0.part }
    try expect(Mutator(\.inner.part, Self.write)) { $0.inner.part }
    try expect(Mutator(\.inner.pair.1, Self.write)) { $0.inner.pair.1 }
    let nested = Lens<State, ZooInner<S>>(\.inner).appending(path: \.part)
    try expect(Mutator(lens: nested, reducer: Self.write)) { $0.inner.part }
    let viaClosure = Lens<State, ZooInner<S>>(
      name: "inner", get: { $0.inner }, modify: { state, edit in edit(&state.inner) })
    let mixed = viaClosure.appending(Lens(\.pair.1))
    try expect(Mutator(lens: mixed, reducer: Self.write)) { $0.inner.pair.1 }
    var state = State(value(0))
    for lens in [functional, inPlace, nested, mixed, Lens(\.inner.part)] {
      expect([lens.get(lens.set(state, value(7)))], 7)
      lens.modify(&state) { $0 = value(8) }
      expect([lens.get(state)], 8)
    }
  }

  private func whole() async throws {
    let store = try Store(initialState: value(0), coverage: .partial) {
      Mutator<S, S>(lens: Lens.identity, reducer: Self.write)
    }
    store.dispatch(value(1))
    expect([store.state, store[.identity]], 1, 1)
    expect([store.dispatch(value(2), focusingOn: \.self)], 2)
    store.replaceState(value(3))
    expect([store.state], 3)
  }

  private func optional() async throws {
    var state = State(value(0))
    let mutator = Mutator<State, S?>(\.optional, Self.write.optional())
    let store = try Store(initialState: state, coverage: .partial) { mutator }
    store.dispatch(value(1))
    #expect(store.state.optional == nil)
    state.optional = value(0)
    try expect(mutator, writes: { $0.optional }, from: state)
  }

  private func elements() async throws {
    var state = State(value(0))
    state.keyed = [7: value(0), 8: value(9)]
    state.list = values([0, 0, 9])
    state.rows = [ZooRow(id: 1, part: value(9)), ZooRow(id: 2, part: value(0))]
    let row = Reducer<ZooRow<S>> { (row: inout ZooRow<S>, action: S) in row.part = action }
    let store = try Store(initialState: state, coverage: .partial) {
      Mutator(\State.keyed, Self.write.keyed(by: Int.self))
      Mutator(\State.list, Self.write.offset())
      Mutator(\State.rows, row.identified())
    }
    store.dispatch(ElementAction(id: 7, action: value(1)))
    expect([store.keyed[7]].compactMap(\.self), 1)
    // A key, an offset and an identity of one type: the action is for all three.
    store.dispatch([ElementAction(id: 1, action: value(2))])
    expect([store.list[1], store.rows[0].part], 2, 2)
    store.dispatch([ElementAction(id: 2, action: value(3)), CountAction.keep] as [any Action])
    expect([store.list[2], store.rows[1].part], 3, 3)
    store.dispatch(ElementAction(id: 8, action: value(4)) as any Action)
    expect([store.keyed[7], store.keyed[8]].compactMap(\.self), 1, 4)
    expect([store.list[0], store.rows[0].part], 0, 2)
  }

  private func prism() async throws {
    var state = State(value(0))
    state.choice = .some(value(0))
    for prism in [ZooChoice<S>.prism, ZooChoice<S>.editingPrism] {
      let mutator = Mutator<State, ZooChoice<S>>(\.choice, Self.write.matching(prism))
      try expect(mutator, writes: { prism.extract($0.choice) }, from: state)
      let store = try Store(initialState: State(value(0)), coverage: .partial) { mutator }
      store.dispatch(value(1))
      #expect(store.state.choice == .nothing)
    }
  }

  private func lifted() async throws {
    let feature = Mutator<ZooInner<S>, S>(\.part, Self.write)
    let inner = Lens<State, ZooInner<S>>(\.inner)
    try expect(feature.lifted(inner), of: inner.appending(feature.lens)) { $0.inner.part }
    let reading = Mutator<ZooInner<S>, S>(lens: Lens(\.pair.1)) {
      (inner: ZooInner<S>, action: S) -> S in inner.byte == 1 ? action : inner.part
    }
    try expect(reading.lifted(inner), of: inner.appending(reading.lens)) { $0.inner.pair.1 }
    let whole = Self.write.lifted(Lens<ZooInner<S>, S>(\.part))
    try expect(Mutator(\State.inner, whole)) { $0.inner.part }
  }

  private func cases() async throws {
    let store = try store {
      Self.writePart.on(CountAction.self) { part, _ in part = value(9) }
    }
    store.dispatch([value(1), CountAction.keep])
    expect([store.part], 9)
    store.dispatch([CountAction.keep, value(2)])
    expect([store.part], 2)
  }

  private func asyncMutator() async throws {
    let given = Recorder<S>()
    let after = Recorder<S>()
    let shown = Recorder<S>()
    let store = try store {
      AsyncMutator(\State.part) { (part: S, event: S) -> AsyncResult<S> in
        given.append(part)
        return AsyncResult { event }.whileLoading(value(8))
      }
      .afterEach { part, event in
        after.append(part)
        if let event = event as? S { after.append(event) }
      }
    }
    let subscription = store.states(\.part, repeats: .kept).subscribe { shown.append($0) }
    try await store.dispatch(value(1)).finish()
    try await store.dispatch([value(2)]).finish()
    subscription.cancel()
    expect(given.values, 0, 1)
    expect(after.values, 1, 1, 2, 2)
    if Self.hasBytes { expect(shown.values, 0, 8, 1, 8, 2) }
  }

  private enum Right {}

  private func liftedAsyncMutator() async throws {
    let feature = AsyncMutator<ZooInner<S>, S>(\.part) { (_: S, event: S) in
      AsyncResult(value: event)
    }
    let lens = Lens<State, ZooInner<S>>(\.inner)
    for (mutator, wrap) in [
      (feature.lifted(lens), { $0 }),
      (feature.lifted(lens).tagged(Right.self), { $0.tagged(Right.self) }),
      (feature.lifted(action: ZooWide<S>.prism).lifted(lens), { ZooWide.narrow($0) }),
    ] as [(Feature<State>, (S) -> any Action)] {
      let store = try store { mutator }
      try await store.dispatch(wrap(value(1))).finish()
      expect([store.inner.part], 1)
    }
  }

  private func asyncResult() async throws {
    let (first, second) = (AsyncResult<S>(value: value(1)), AsyncResult<S> { value(2) })
    expect([try await first.value(), try await second.value()], 1, 2)
    expect([try await first.map { _ in value(2) }.value()], 2)
    expect([try await first.flatMap { _ in AsyncResult<S>(value: value(3)) }.value()], 3)
    let failed = AsyncResult<S>(error: CancellationError())
    expect([try await failed.recover { _ in value(4) }.value()], 4)
    let all = try await AsyncResult<(S, S, S)>.zip(first, second, first).value()
    expect([all.0, all.1, all.2], 1, 2, 1)
    expect(try await AsyncResult<[S]>.all([first, second]).value(), 1, 2)
  }
}
