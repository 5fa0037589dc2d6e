/// Which owner had which sub-state when a commit was made.
final class OwnershipMap: Sendable {
  private let owners: [Owner]
  /// Made when it is first asked for: parts that are registered one by one would each make it anew.
  private let known = Locked<[Int: Owner]?>(nil)

  static let empty = OwnershipMap([])

  init(_ owners: [Owner]) {
    self.owners = owners
  }

  /// The owners, by the numbers of their sub-states.
  var bySlot: [Int: Owner] {
    known.withLock { known in
      if let known { return known }
      let bySlot = Dictionary(owners.map { ($0.slot, $0) }) { first, _ in first }
      known = bySlot
      return bySlot
    }
  }
}
