import AllocationCounter

extension MemoryRow {
  /// Measures the objects some times, and takes the median: the pages of other code come and go.
  func measure(progress: (_ round: Int, _ count: Int) -> Void) async throws -> MemoryResult {
    let rounds = 5
    var figures: [Double] = []
    for round in 1...rounds {
      progress(round, rounds)
      if let counting {
        if let figure = try await counting() { figures.append(figure) }
        continue
      }
      guard let all = try Self.bytes(of: make, count) else { break }
      let rest = try without.flatMap { try Self.bytes(of: $0, count) } ?? 0
      figures.append(Double(all - rest) / Double(count))
    }
    return MemoryResult(
      id: id, title: title,
      bytes: figures.isEmpty ? nil : Int(Distribution(figures).median.rounded()),
      atMost: atMost, aim: aim)
  }

  private static func bytes(
    of make: (_ count: Int) throws -> [AnyObject], _ count: Int
  ) rethrows -> Int? {
    allocation_counter_trim()
    guard let before = ResidentBytes.now else { return nil }
    let objects = try make(count)
    allocation_counter_trim()
    defer { withExtendedLifetime(objects) {} }
    return ResidentBytes.now.map { max(0, $0 - before) }
  }
}
