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
