/// The result of one side of a pair.
struct SideResult: Codable {
  let name: String
  let medianNanoseconds: Double
  let minimumNanoseconds: Double
  /// The allocations in all samples together; nil if they cannot be counted.
  ///
  /// It is a sum, so a single allocation in a million turns is not rounded away.
  let allocations: UInt64?
  let actions: Int

  var allocationsPerAction: Double? { allocations.map { Double($0) / Double(max(actions, 1)) } }
}
