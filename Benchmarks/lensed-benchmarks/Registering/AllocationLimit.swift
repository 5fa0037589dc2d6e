/// The most allocations of each side for one action, counted exactly; nil where any number passes.
struct AllocationLimit: Codable {
  let subject: Double?
  let baseline: Double?

  static let noLimit = AllocationLimit(subject: nil, baseline: nil)
  /// Lensed allocates nothing.
  static let none = atMost(0)
  /// Neither side allocates.
  static let noneOnEitherSide = AllocationLimit(subject: 0, baseline: 0)

  /// Lensed allocates so often, and no more.
  static func atMost(_ count: Double) -> AllocationLimit {
    AllocationLimit(subject: count, baseline: nil)
  }

  var isNone: Bool { subject == nil && baseline == nil }

  /// Whether a side allocates more than it may.
  func isExceeded(by subject: SideResult, _ baseline: SideResult) -> Bool {
    Self.exceeds(subject, self.subject) || Self.exceeds(baseline, self.baseline)
  }

  /// A limit of none is kept exactly; of others, what the runtime allocates now and then is left out.
  private static func exceeds(_ side: SideResult, _ limit: Double?) -> Bool {
    guard let limit, let count = side.allocationsPerAction else { return false }
    return count > limit * 1.01
  }

  private static func text(of count: Double) -> String {
    count == count.rounded() ? "\(Int(count))" : "\(count)"
  }

  var text: String {
    guard let subject else { return "" }
    return Self.text(of: subject) + (baseline.map { " / \(Self.text(of: $0))" } ?? "")
  }
}
