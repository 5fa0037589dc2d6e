/// What of the state an effect looks at, wherever that state lies in its store.
@usableFromInline
struct ObservedPath<State: Sendable>: Sendable {
  /// What it covers of the store's state, by the way to the part that the effect knows.
  let footprint: @Sendable (_ part: PartPath<State>) -> Footprint

  private init(footprint: @escaping @Sendable (_ part: PartPath<State>) -> Footprint) {
    self.footprint = footprint
  }

  init<Leaf>(_ leaf: PartPath<Leaf>) {
    self.init { $0.appending(leaf).footprint }
  }

  /// The same, inside a larger state.
  func lifted<Root: Sendable>(_ lens: Lens<Root, State>) -> ObservedPath<Root> {
    let footprint = footprint
    return ObservedPath<Root> { footprint($0.appending(PartPath(lens))) }
  }
}
