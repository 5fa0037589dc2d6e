/// What of the state an effect looks at, wherever that state lies in its store.
@usableFromInline
struct Sight<State: Sendable>: Sendable {
  /// What it covers of the store's state, by the way to the part that the effect knows.
  let footprint: @Sendable (_ part: PartReader<State>) -> Footprint

  private init(footprint: @escaping @Sendable (_ part: PartReader<State>) -> Footprint) {
    self.footprint = footprint
  }

  init<Leaf>(_ leaf: PartReader<Leaf>) {
    self.init { $0.appending(leaf).footprint }
  }

  /// The same, inside a larger state.
  func lifted<Root: Sendable>(_ lens: Lens<Root, State>) -> Sight<Root> {
    let footprint = footprint
    return Sight<Root> { footprint($0.appending(PartReader(lens))) }
  }
}
