internal import Synchronization

/// One sub-state and the cases of its reducer, as the store keeps them.
@usableFromInline
struct Owner: Sendable {
  let footprint: Footprint
  let cases: [ReducerCase]
  /// Whether the sub-state is deliberately constant.
  let isConstant: Bool
  /// The children in the sub-state, where it is they that are owned and not the sub-state itself.
  let children: ChildClaim?
  /// What was registered: unique, even for one sub-state, because its reducers can differ. Several where
  /// features were made parts of one.
  let identities: [UInt64]
  /// The number of the sub-state in the table of observers; none until it is registered.
  var slot = -1

  @usableFromInline
  init(footprint: Footprint, cases: [ReducerCase], isConstant: Bool = false) {
    self.init(
      footprint: footprint, cases: cases, isConstant: isConstant, children: nil,
      identities: [Self.makeIdentity()])
  }

  init(
    footprint: Footprint, cases: [ReducerCase], isConstant: Bool, children: ChildClaim?,
    identities: [UInt64]
  ) {
    self.footprint = footprint
    self.cases = cases
    self.isConstant = isConstant
    self.children = children
    self.identities = identities
  }

  /// The number of the owner among all that there were.
  var identity: UInt64 { identities[0] }

  private static func makeIdentity() -> UInt64 {
    last.wrappingAdd(1, ordering: .relaxed).newValue
  }

  private static let last = Atomic<UInt64>(0)
}
