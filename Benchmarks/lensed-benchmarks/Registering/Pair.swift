/// A registered pair: work done by Lensed, and the same work written by hand for that one case.
struct Pair {
  /// The sides that must not allocate.
  enum AllocationFree: String, Codable {
    case neither
    case subject
    case both
  }

  let id: String
  let title: String
  let target: Target?
  let allocationFree: AllocationFree
  /// The share of the usual rounds; less than 1 for samples that take long.
  let share: Double
  let sides: () async throws -> (subject: Side, baseline: Side)

  init(
    _ id: String,
    _ title: String,
    target: Target?,
    allocationFree: AllocationFree = .neither,
    share: Double = 1,
    sides: @escaping () async throws -> (subject: Side, baseline: Side)
  ) {
    self.id = id
    self.title = title
    self.target = target
    self.allocationFree = allocationFree
    self.share = share
    self.sides = sides
  }
}
