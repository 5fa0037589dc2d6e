/// A registered pair: work done by Lensed, and the same work written by hand for that one case.
struct Pair {
  let id: String
  let title: String
  let target: Target?
  let allocations: AllocationLimit
  /// The share of the usual rounds; less than 1 for samples that take long.
  let share: Double
  let sides: () async throws -> (subject: Side, baseline: Side)

  init(
    _ id: String,
    _ title: String,
    target: Target?,
    allocations: AllocationLimit = .noLimit,
    share: Double = 1,
    sides: @escaping () async throws -> (subject: Side, baseline: Side)
  ) {
    self.id = id
    self.title = title
    self.target = target
    self.allocations = allocations
    self.share = share
    self.sides = sides
  }
}
