internal import Synchronization

/// One sub-state and the cases of its reducer, as the store keeps them.
@usableFromInline
struct Owner: Sendable {
  var footprint: Footprint
  let cases: [ReducerCase]
  /// Whether the sub-state is deliberately constant.
  let isConstant: Bool
  /// Unique among owners, even of one sub-state, because their reducers can differ.
  let identity: UInt64
  /// The number of the sub-state in the table of observers; none until it is registered.
  var slot = -1

  @usableFromInline
  init(footprint: Footprint, cases: [ReducerCase], isConstant: Bool = false) {
    self.footprint = footprint
    self.cases = cases
    self.isConstant = isConstant
    identity = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
  }

  private static let last = Atomic<UInt64>(0)
}
