/// The result of a figure of memory.
struct MemoryResult: Codable {
  let id: String
  let title: String
  /// The resident bytes of one object; nil where the system does not say.
  let bytes: Int?
  let atMost: Int
  let aim: Int

  var verdict: Verdict {
    guard let bytes else { return .noted }
    return bytes <= aim ? .aim : bytes <= atMost ? .met : .missed
  }
}
