/// The part of the state that an effect observes, relative to the state that the effect knows.
@usableFromInline
struct ObservedPath<State: Sendable>: Sendable {
  /// The footprint in the store's state; `part` is the way to the state that the effect knows.
  let footprint: @Sendable (_ part: PartPath<State>) -> Footprint

  /// Whether the changes that the effect is given need the way back to the store.
  let needsHome: Bool

  init(
    needsHome: Bool = false,
    footprint: @escaping @Sendable (_ part: PartPath<State>) -> Footprint
  ) {
    self.footprint = footprint
    self.needsHome = needsHome
  }

  init<Leaf>(_ leaf: PartPath<Leaf>) {
    self.init { $0.appending(leaf).footprint }
  }

  /// The same part, of a larger state.
  func lifted<Root: Sendable>(_ lens: Lens<Root, State>) -> ObservedPath<Root> {
    let footprint = footprint
    return ObservedPath<Root>(needsHome: needsHome) { footprint($0.appending(PartPath(lens))) }
  }
}
