import LensedTestSupport
import Testing

@testable import repo_pulse

@Suite struct RankingTests {
  private struct Item: Equatable {
    let size: Int
    let name: String
  }

  @Test(arguments: 0..<40)
  func `the first few are those that sorting all of them puts first`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...60, using: &random)
    let items = (0..<count).map { number in
      Item(size: Int.random(in: 0...9, using: &random), name: "\(number)")
    }.shuffled(using: &random)
    let limit = Int.random(in: 0...12, using: &random)
    let sorted = items.sorted { ($1.size, $0.name) < ($0.size, $1.name) }
    let ranking = Ranking(items, top: limit, by: \.size, named: \.name)
    #expect(ranking.top == Array(sorted.prefix(limit)), "seed \(seed)")
    #expect(ranking.count == count)
  }

  @Test func `the others of the authors are summed up`() {
    let authors = (1...15).map { number in
      Author(
        name: ByteString("Author \(number)"), commits: number,
        lines: Lines(added: number, deleted: 1))
    }
    let top = AuthorBars.Top(authors)
    #expect(top.first.map(\.commits) == Array((6...15).reversed()))
    #expect(top.others == Author(commits: 15, lines: Lines(added: 15, deleted: 5)))
    #expect(AuthorBars(top).count == 15)
    #expect(AuthorBars.Top([]).others == Author())
  }
}
