import Lensed
import LensedTestSupport
import Testing

extension Visit {
  /// Reducers that are given every action as an existential.
  static var seeingEvery: [Way] {
    [
      ("a mutator of every action", everyMutator),
      ("a reducer function of any Action", everyFunction),
      ("Reducer(everyAction:) alone", everyAlone),
      ("Reducer(everyAction:) in a store", everyReducer),
      ("Reducer(everyAction:), lifted", everyLifted),
      ("Mutator of every action, lifted", everyFeature),
    ]
  }

  private static func text(_ action: any Action) -> S? { action as? S }

  private func expect(
    _ mutator: some StorePartConvertible<State>, writes read: (State) -> S?,
    from initial: State? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let store = try Store(
      initialState: initial ?? State(value(0)), coverage: .partial
    ) { mutator }
    func found() -> [S] { [read(store.state)].compactMap(\.self) }
    store.dispatch(value(1))
    expect(found(), 1, sourceLocation: sourceLocation)
    store.dispatch(CountAction.keep)
    expect(found(), 1, sourceLocation: sourceLocation)
    store.dispatch(values([2, 3]))
    expect(found(), 3, sourceLocation: sourceLocation)
    store.dispatch([value(4), CountAction.keep, ActionList([value(5)])] as [any Action])
    expect(found(), 5, sourceLocation: sourceLocation)
    store.dispatch(value(6) as any Action)
    expect(found(), 6, sourceLocation: sourceLocation)
    try await store.dispatch(stream(7)).finish()
    expect(found(), 7, sourceLocation: sourceLocation)
    try await store.dispatch(mixedStream(8)).finish()
    expect(found(), 8, sourceLocation: sourceLocation)
    expect(
      [store.dispatch(value(9), focusingOn: \.self)].compactMap(read), 9,
      sourceLocation: sourceLocation)
    store.scope(\.part).dispatch(value(10))
    expect(found(), 10, sourceLocation: sourceLocation)
  }

  private func everyMutator() async throws {
    let mutator = Mutator<State, S>(
      lens: Lens(\.part), everyAction: { state, action in Self.text(action) ?? state.part })
    try await expect(mutator) { $0.part }
  }

  private func everyFunction() async throws {
    let mutator = Mutator<State, S>(
      lens: Lens(\.part),
      reducer: { (state: State, action: any Action) -> S in Self.text(action) ?? state.part })
    try await expect(mutator) { $0.part }
  }

  private static var every: Reducer<S> {
    Reducer(everyAction: { part, action in part = text(action) ?? part })
  }

  private func everyAlone() async throws {
    var part = value(0)
    Self.every.reduce(&part, value(1))
    expect([part], 1)
    Self.every.reduce(&part, values([2, 3]))
    expect([part], 3)
    Self.every.reduce(&part, ActionList([CountAction.keep, value(4)]))
    expect([part], 4)
    let one: any Action = value(5)
    Self.every.reduce(&part, one)
    expect([part], 5)
  }

  private func everyReducer() async throws {
    try await expect(Mutator(\.part, Self.every)) { $0.part }
    try await expect(Mutator(lens: Lens(\.part), reducer: Self.every)) { $0.part }
    try await expect(Mutator(\.part, .combine(.identity, Self.every))) { $0.part }
  }

  private func everyLifted() async throws {
    let inner = Self.every.lifted(Lens<ZooInner<S>, S>(\.part))
    try await expect(Mutator(\.inner, inner)) { $0.inner.part }
    var state = State(value(0))
    state.choice = .some(value(0))
    state.optional = value(0)
    let chosen = Self.every.matching(ZooChoice<S>.prism)
    try await expect(
      Mutator(\.choice, chosen), writes: { ZooChoice<S>.prism.extract($0.choice) }, from: state)
    try await expect(
      Mutator(\.optional, Self.every.optional()), writes: { $0.optional }, from: state)
  }

  private func everyFeature() async throws {
    let feature = Mutator<ZooInner<S>, S>(
      lens: Lens(\.pair.1), everyAction: { inner, action in Self.text(action) ?? inner.pair.1 })
    try await expect(feature.lifted(Lens<State, ZooInner<S>>(\.inner))) { $0.inner.pair.1 }
  }
}
