/// Which owner had which sub-state when a commit was made.
final class OwnershipMap: Sendable {
  private let all: [Owner]
  /// Made when they are first asked for: owners that are registered one by one would each make them anew.
  private let known = Locked<[Int: Owner]?>(nil)

  init(_ owners: [Owner]) {
    all = owners
  }

  /// The owners, by the numbers of their sub-states.
  var owners: [Int: Owner] {
    known.withLock { known in
      if let known { return known }
      let owners = Dictionary(all.map { ($0.slot, $0) }) { first, _ in first }
      known = owners
      return owners
    }
  }
}
