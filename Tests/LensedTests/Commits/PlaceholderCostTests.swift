import LensedTestSupport
import Testing

@testable import Lensed

/// Counted in bytes: a list that is copied for each commit shows there.
@Suite("What a placeholder costs beside others", .timeLimit(.minutes(30)))
struct PlaceholderCostTests {
  /// How many bytes the end of one placeholder asks for, where each commit keeps those that were shown.
  private static func bytesOfEach(of count: Int) throws -> UInt64 {
    let core = try Desk.makeStore().core
    var list = core.withLock("counted placeholders") { $0.placeholders }
    let shown = (0..<count).map { _ in
      Placeholder(of: OwnershipEpoch(slot: 0, owner: 0), hasGone: { false }, restore: { _ in })
    }
    for placeholder in shown { PlaceholderStep(shows: placeholder).apply(to: &list) }
    var kept = [list]
    kept.reserveCapacity(count + 1)
    let bytes = allocatedBytes {
      for placeholder in shown {
        PlaceholderStep(ends: placeholder).apply(to: &list)
        kept.append(list)
      }
    }
    #expect(kept.map(\.count) == Array((0...count).reversed()))
    return bytes / UInt64(count)
  }

  @Test(.enabled(if: countsAllocations))
  func `is not that of a list of them`() throws {
    let (few, many) = (try Self.bytesOfEach(of: 100), try Self.bytesOfEach(of: 1_000))
    #expect(many < 5 * few, "\(few) bytes each among 100, \(many) among 1,000")
  }
}
