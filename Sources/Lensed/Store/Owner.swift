/// One sub-state and what reduces it, as the store keeps it.
@usableFromInline
struct Owner: Sendable {
  let footprint: Footprint
  let cases: [ReducerCase]
  /// Whether the sub-state is deliberately constant.
  let isConstant: Bool
  /// The number of the sub-state in the table of observers; none until it is registered.
  var slot = -1

  @usableFromInline
  init(footprint: Footprint, cases: [ReducerCase], isConstant: Bool = false) {
    self.footprint = footprint
    self.cases = cases
    self.isConstant = isConstant
  }
}

/// What a store is built of: each a sub-state and who answers for it.
///
/// Made by the store's builder of mutators and of `Unreduced`.
public struct StorePart<State>: Sendable {
  @usableFromInline
  let owner: Owner

  @usableFromInline
  init(owner: Owner) {
    self.owner = owner
  }

  /// The part that a mutator owns.
  @inlinable
  public init<SubState>(_ mutator: Mutator<State, SubState>) {
    self.init(owner: Owner(footprint: mutator.lens.footprint, cases: mutator.cases))
  }
}
