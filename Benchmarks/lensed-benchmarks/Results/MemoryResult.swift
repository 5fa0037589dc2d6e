/// The result of a figure of memory.
struct MemoryResult: Codable {
  let id: String
  let title: String
  let count: Int
  /// Nil if bytes cannot be counted.
  let bytesPerObject: Double?
  let atMost: Int

  var verdict: Verdict {
    guard let bytesPerObject else { return .noted }
    return bytesPerObject <= Double(atMost) ? .met : .missed
  }
}
