/// What came out of one side of a pair.
struct SideResult: Codable {
  let name: String
  let medianNanoseconds: Double
  let minimumNanoseconds: Double
  /// Allocations in all samples together, so that a single one in a million turns is not rounded
  /// away; nil where they cannot be counted.
  let allocations: UInt64?
  let actions: Int

  var allocationsPerAction: Double? { allocations.map { Double($0) / Double(max(actions, 1)) } }
}
