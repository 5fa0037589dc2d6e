import Lensed
import Testing

@testable import repo_pulse

@Suite struct HeatMapTests {
  private func calendar(_ commits: [String: Int]) throws -> [Tally<Day>] {
    try commits.map { Tally(id: try #require(Day($0.key)), count: $0.value) }
  }

  @Test func `no commits make no map`() {
    #expect(HeatMap([]) == nil)
  }

  @Test func `the darker a day, the busier, by quarters of the days that have commits`() throws {
    let map = try #require(
      HeatMap(
        try calendar([
          "2024-01-01": 1, "2024-01-02": 2, "2024-01-03": 3, "2024-01-04": 4, "2024-01-05": 500,
        ])))
    let levels = try ["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05"].map {
      map.level(of: try #require(Day($0)))
    }
    #expect(levels == [1, 1, 2, 3, 4])
    #expect(map.level(of: try #require(Day("2023-12-31"))) == 0)
  }

  @Test func `the last column ends with the last day, and months are named where they begin`()
    throws
  {
    let map = try #require(HeatMap(try calendar(["2024-03-06": 2, "2024-01-01": 1])))
    let rows = map.rows(on: Canvas())
    #expect(rows[0] == "Activity  2024-01-01 to 2024-03-06")
    #expect(rows[1] == "         Apr  May Jun Jul  Aug Sep Oct  Nov Dec  Jan Feb Mar")
    #expect(rows[2] == "  Mon " + String(repeating: "·", count: 43) + "░·········")
    #expect(rows[4] == "  Wed " + String(repeating: "·", count: 52) + "█")
    #expect(rows[5] == "      " + String(repeating: "·", count: 52))
    #expect(rows[9] == "      less · ░ ▒ ▓ █ more   busiest: 2024-03-06, 2 commits")
  }

  @Test func `a wide page sets the weeks apart`() throws {
    let map = try #require(HeatMap(try calendar(["2024-03-10": 1])))
    let sunday = try #require(map.rows(on: Canvas(width: 120)).first { $0.hasPrefix("  Sun ") })
    #expect(sunday.count == 6 + 2 * HeatMap.weeks - 1)
  }

  @Test func `commits of earlier years darken nothing`() throws {
    let map = try #require(HeatMap(try calendar(["2024-03-10": 3, "2020-01-01": 900])))
    #expect(map.level(of: try #require(Day("2024-03-10"))) == 1)
    #expect(map.rows(on: Canvas()).last?.hasSuffix("busiest: 2024-03-10, 3 commits") == true)
  }
}
