import Lensed
import Testing

@testable import LensedPersistence

@Suite struct RowSpliceTests {
  private struct Row: Codable, Equatable, Identifiable, Sendable {
    var id: Double
    var text = ""
  }

  @Test func `rows whose id is not equal to itself are written as a whole`() throws {
    let some = try Entities([Row(id: 1), Row(id: 2)])
    var more = some
    more.append(Row(id: 3))
    #expect(more.splices(from: some)?.count == 1)
    #expect(some.splices(from: more)?.count == 1)
    var odd = some
    odd.append(Row(id: .nan))
    #expect(odd.splices(from: some) == nil)
    #expect(some.splices(from: odd) == nil)
  }
}
