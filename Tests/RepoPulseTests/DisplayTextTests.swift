import Testing

@testable import repo_pulse

@Suite struct DisplayTextTests {
  @Test func `what would move the cursor or turn the line around is replaced`() {
    #expect(DisplayText("a\u{1B}[2Jb\tc").text == "a\u{FFFD}[2Jb\u{FFFD}c")
    #expect(DisplayText("c\nd\u{202E}e").text == "c\u{FFFD}d\u{FFFD}e")
    #expect(DisplayText("\u{9B}1m\u{7F}").text == "\u{FFFD}1m\u{FFFD}")
  }

  @Test func `wide characters take two cells, marks none`() {
    #expect(DisplayText("日本").width == 4)
    #expect(DisplayText("e\u{301}").width == 1)
    #expect(DisplayText("👩‍💻 ok").width == 5)
    #expect(DisplayText("Łukasz").width == 6)
  }

  @Test func `text is filled up or cut to its columns`() {
    #expect(DisplayText("ab").padded(to: 4) == "ab  ")
    #expect(DisplayText("abcdef").padded(to: 4) == "abc…")
    #expect(DisplayText("日本語").padded(to: 4) == "日… ")
    #expect(DisplayText("src/long/name.swift").shortenedAtStart(to: 11).text == "…name.swift")
    #expect(DisplayText("short").shortenedAtStart(to: 11).text == "short")
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "-1,234,567"), (12_345, "12,345"),
  ])
  func `numbers are grouped by thousands`(number: Int, text: String) {
    #expect(Figure.count(number) == text)
  }

  @Test func `durations and sizes are short`() {
    #expect(Figure.duration(.milliseconds(1_234)) == "1.23 s")
    #expect(Figure.duration(.milliseconds(9)) == "0.01 s")
    #expect(Figure.duration(.seconds(12)) == "12.0 s")
    #expect(Figure.duration(.seconds(125)) == "2 min 5 s")
    #expect(Figure.megabytes(23 * 1_048_576 + 524_288) == "23.5 MB")
    #expect(Figure.count(1, "commit") == "1 commit")
    #expect(Figure.count(0, "commit") == "0 commits")
  }

  @Test func `a bar is full for the largest, in eighths, and never empty for something`() {
    #expect(Figure.bar(8, of: 8, columns: 3) == "███")
    #expect(Figure.bar(1, of: 2, columns: 3) == "█▌")
    #expect(Figure.bar(1, of: 1_000, columns: 3) == "▏")
    #expect(Figure.bar(0, of: 8, columns: 3) == "")
  }
}
