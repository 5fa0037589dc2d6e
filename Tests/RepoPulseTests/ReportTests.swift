import Lensed
import Testing

@testable import repo_pulse

@Suite struct ReportTests {
  /// Twelve authors, one of them with a name that is a trap, and a few files.
  private func state() throws -> PulseState {
    var state = PulseState()
    state.totals.commits = 1_234
    state.totals.merges = 1
    state.totals.actions = 5_000
    state.totals.lines = Lines(added: 12_345, deleted: 678)
    for number in 1...11 {
      state.authors.append(
        Author(
          name: "Author \(number)", commits: number, lines: Lines(added: number, deleted: 0)))
    }
    state.authors.append(
      Author(name: "Eve\u{1B}[31m", commits: 100, lines: Lines(added: 9_000, deleted: 10)))
    state.files = [
      File(name: "b", changes: 2), File(name: "a", changes: 2), File(name: "former", today: "b"),
      File(
        name: "deep/\(String(repeating: "er/", count: 30))file.swift", changes: 4),
    ]
    state.days = [
      Tally(id: try #require(Day("2024-03-01")), count: 3),
      Tally(id: try #require(Day("2022-05-05")), count: 6),
    ]
    state.hours = [Tally(id: 9, count: 8), Tally(id: 23, count: 1)]
    state.words = [
      Tally(id: "fix", count: 20), Tally(id: "add", count: 20), Tally(id: "日本語", count: 3),
    ]
    return state
  }

  private func report(of state: PulseState) -> Report {
    Report(
      title: "sample", totals: state.totals, shown: Findings().shown.value(in: state))
  }

  private func rows(isColored: Bool = false, width: Int? = nil) throws -> [String] {
    report(of: try state()).text(on: Canvas(width: width, isColored: isColored))
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func `the first lines say what there is`() throws {
    let rows = try rows()
    #expect(rows[0] == "sample  2022-05-05 to 2024-03-01")
    #expect(rows[1] == "  1,234 commits (1 merge) by 12 authors")
    #expect(rows[2] == "  3 files, +12,345 -678 lines")
  }

  @Test func `authors go by their commits, and the last row sums up the others`() throws {
    let authors = try rows().drop { !$0.hasPrefix("Authors") }.dropFirst().prefix { !$0.isEmpty }
    #expect(authors.count == 11)
    #expect(authors.first?.hasPrefix("  Eve\u{FFFD}[31m   100  ████") == true)
    #expect(authors.dropFirst().first?.hasPrefix("  Author 11   11  ████") == true)
    #expect(authors.last?.contains("2 others     3      ") == true)
    #expect(authors.last?.hasSuffix("    +3     -0") == true)
  }

  @Test func `files alike go by name, and a long path keeps its end`() throws {
    let files = try rows().drop { !$0.hasPrefix("Files") }.dropFirst().prefix { !$0.isEmpty }
    #expect(files.map { $0.split(separator: " ").dropFirst(2).first }.dropFirst() == ["a", "b"])
    #expect(files.first?.contains("…") == true)
    #expect(files.first?.contains("er/er/file.swift ") == true)
  }

  @Test func `words alike go by name`() throws {
    #expect(try rows().contains("  add 20  fix 20  日本語 3"))
  }

  @Test func `hours and years are a row of columns each`() throws {
    let rows = try rows()
    #expect(rows.contains("  Hours    ·········█·············▁"))
    #expect(rows.contains("  Years    █·▄  2022 to 2024"))
  }

  @Test(arguments: [nil, 1, 64, 100, 120, 500])
  func `no row is wider than the page`(width: Int?) throws {
    let page = Canvas(width: width).width
    for row in try rows(width: width) {
      #expect(DisplayText(row).width <= page, "\(row)")
    }
  }

  @Test func `without colours there is no escape code`() throws {
    #expect(try !rows().joined().contains("\u{1B}"))
  }

  @Test func `colours change nothing but colours`() throws {
    let plain = try rows().joined(separator: "\n").map { "░▒▓█".contains($0) ? "■" : $0 }
    let colored = try rows(isColored: true).joined(separator: "\n")
    #expect(colored.contains("\u{1B}[38;5;"))
    let stripped = colored.replacing(/\u{1B}\[[0-9;]*m/, with: "")
      .map { "░▒▓█".contains($0) ? "■" : $0 }
    #expect(String(stripped) == String(plain))
  }

  @Test func `colours are for terminals, and for those that want them`() {
    let terminal = Output.collecting(width: 80)
    #expect(Canvas(for: terminal, environment: [:]).isColored)
    #expect(Canvas(for: terminal, environment: ["NO_COLOR": ""]).isColored)
    #expect(!Canvas(for: terminal, environment: ["NO_COLOR": "1"]).isColored)
    #expect(!Canvas(for: terminal, environment: ["TERM": "dumb"]).isColored)
    #expect(!Canvas(for: .collecting(), environment: [:]).isColored)
  }

  @Test func `the cost comes last`() throws {
    var report = report(of: try state())
    report.cost = Report.Cost(duration: .milliseconds(500), peakMemory: 30 * 1_048_576)
    #expect(
      report.text(on: Canvas()).hasSuffix(
        "\n\n0.50 s: 2,468 commits/s, 10,000 actions/s, peak memory 30.0 MB\n"))
  }

  @Test func `an empty state has a report too`() {
    let text = report(of: PulseState()).text(on: Canvas())
    #expect(text.hasPrefix("sample\n  0 commits by 0 authors\n  0 files, +0 -0 lines\n"))
  }

  @Test func `a status line gives way to text`() throws {
    let terminal = Output.collecting(width: 80)
    terminal.show(status: "reading")
    try terminal.write("done\n")
    terminal.show(status: nil)
    #expect(terminal.collected == "\r\u{1B}[Kreading\r\u{1B}[Kdone\n")
    let file = Output.collecting()
    file.show(status: "reading")
    #expect(file.collected == "")
  }
}
