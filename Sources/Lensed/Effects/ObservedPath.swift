/// The part of the state that an effect observes, relative to the state that the effect knows.
@usableFromInline
struct ObservedPath<State: Sendable>: Sendable {
  /// The footprint in the store's state; `part` is the way to the state that the effect knows.
  let footprint: @Sendable (_ part: PartPath<State>) -> Footprint

  private init(footprint: @escaping @Sendable (_ part: PartPath<State>) -> Footprint) {
    self.footprint = footprint
  }

  init<Leaf>(_ leaf: PartPath<Leaf>) {
    self.init { $0.appending(leaf).footprint }
  }

  /// The same part, of a larger state.
  func lifted<Root: Sendable>(_ lens: Lens<Root, State>) -> ObservedPath<Root> {
    let footprint = footprint
    return ObservedPath<Root> { footprint($0.appending(PartPath(lens))) }
  }
}
