import Synchronization

/// How often each finding was computed.
final class FindingsTally: Sendable {
  /// A finding, by its name in JSON.
  enum Finding: String, CaseIterable {
    case topAuthors, authorTable, topFiles, fileTable, topWords, wordCloud, heatMap, years, rhythm
  }

  private let counts = Mutex<[Finding: Int]>([:])

  /// Computes a finding, and counts that.
  func counting<Value>(_ finding: Finding, _ compute: () -> Value) -> Value {
    counts.withLock { $0[finding, default: 0] += 1 }
    return compute()
  }

  /// The counts since they were last asked for; a finding that stood is zero.
  func take() -> [String: Int] {
    let counts = counts.withLock { counts in
      defer { counts = [:] }
      return counts
    }
    return Dictionary(
      uniqueKeysWithValues: Finding.allCases.map { ($0.rawValue, counts[$0] ?? 0) })
  }
}
