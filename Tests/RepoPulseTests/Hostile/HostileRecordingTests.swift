import Foundation
import Lensed
import LensedTestSupport
import Testing

@testable import repo_pulse

/// The text of a value, as it is to stand in a journal.
private struct Raw: Action, Codable {
  let text: String
}

@Suite("Recordings with a right sum, written by anybody", .warnsOnPurpose)
struct HostileRecordingTests {
  private let folder: TemporaryRepository
  private var file: String { "\(folder.path)/recording" }

  init() throws {
    folder = try TemporaryRepository(isRepository: false)
  }

  /// Writes a recording of any texts, all of one kind of action, and replays it.
  private func replay(_ actions: [(name: String, text: String)], from initial: String = "{}")
    async throws -> Outcome
  {
    let coder = JournalCoder(
      encode: { ($0 as? Raw)?.text ?? initial }, decode: { _, _ in throw CancellationError() })
    let registry = ActionRegistry(coder).adding(Raw.self, named: actions.first?.name ?? "none")
    let recorder = SessionRecorder<PulseState>()
    let store = Store(initialState: PulseState(), coverage: .partial, middleware: [recorder])
    for (_, text) in actions { store.dispatch(Raw(text: text)) }
    let text = try JSONEncoder().encode(registry.journal(of: try #require(recorder.session)))
    try text.write(to: URL(fileURLWithPath: file))
    return await run("--json", "--replay", file, in: folder)
  }

  private func refuses(_ outcome: Outcome, _ comment: Comment? = nil) {
    #expect(outcome.status == 65, comment)
    #expect(outcome.output == "", comment)
    #expect(
      outcome.errors.hasPrefix("repo-pulse: the recording \(file) makes no sense: "), comment)
  }

  private static let numbers = [
    "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e300", "-0.5",
    "NaN",
    "null", "\"7\"", "1e19", "18446744073709551616", "4611686018427387904",
  ]

  @Test(arguments: numbers) func `lines of a file are a number that can be counted`(number: String)
    async throws
  {
    let file = (
      name: "file", text: #"{"path":"a","lines":{"added":\#(number),"deleted":1},"isNews":false}"#
    )
    refuses(try await replay([file, file], from: try initial()))
  }

  @Test(arguments: numbers) func `an author's share is a number that can be counted`(number: String)
    async throws
  {
    let share = (
      name: "share",
      text: #"{"id":"Ada","action":{"changed":{"_0":{"added":1,"deleted":\#(number)}}}}"#
    )
    refuses(try await replay([share, share], from: try initial()))
  }

  @Test(arguments: [
    "\"2024-02-30\"", "\"2024-13-01\"", "\"99999999999999999-01-01\"", "\"-1-01-01\"",
    "\"+2024-01-01\"",
    "\"9223372036854775807-12-31\"", "\"10000-01-01\"", "\"2024-1-1-1\"", "\"\"", "7", "null",
    "\"2024--01\"", "\"2024-01-01T00\"",
  ])
  func `a day is one of the calendar`(day: String) async throws {
    refuses(try await replay([commit(day: day)], from: try initial()))
  }

  @Test(arguments: ["24", "-1", "9223372036854775807", "1e300", "null", "0.5"])
  func `an hour is one of the day`(hour: String) async throws {
    refuses(try await replay([commit(hour: hour)], from: try initial()))
  }

  private func commit(day: String = "\"2024-01-01\"", hour: String = "1") -> (
    name: String, text: String
  ) {
    (
      "commit",
      #"{"id":"1","author":"Ada","moment":{"day":\#(day),"hour":\#(hour)},"subject":"","isMerge":false,"isNews":false}"#
    )
  }

  /// The text of a state, some of it replaced.
  private func initial(_ former: String = "", by latter: String = "") throws -> String {
    var state = PulseState()
    state.totals.commits = 101
    state.totals.lines = Lines(added: 102, deleted: 0)
    state.activity.calendar = [Day(ordinal: 0): 103]
    state.words.counts = ["word": 104]
    state.words.forgotten = 105
    state.files.records[id: "a"] = Files.Record(
      name: "a", changes: 106, lines: Lines(added: 107, deleted: 0))
    state.authors[id: "Ada"] = Author(
      name: "Ada", commits: 108, lines: Lines(added: 0, deleted: 109))
    state.activity.clock[3] = 110
    let text = String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
    try #require(text.contains(former) || former.isEmpty)
    return former.isEmpty ? text : text.replacing(former, with: latter)
  }

  @Test(arguments: 101...110)
  func `every number of a state is one that can be counted`(number: Int) async throws {
    let former = number == 110 ? ",110," : ":\(number)"
    for other in ["-1", "9223372036854775807", "9223372036854775808", "1e300", "null"] {
      let latter = number == 110 ? ",\(other)," : ":\(other)"
      let initial = try initial(former, by: latter)
      refuses(try await replay([commit()], from: initial), "\(number)")
    }
    #expect(try await replay([commit()], from: try initial()).status == 0)
  }

  @Test func `a clock has the hours of a day`() async throws {
    refuses(try await replay([commit()], from: try initial(",110,", by: ",")))
  }

  @Test func `numbers that are too many together are refused`() async throws {
    let text = #"{"path":"a","lines":{"added":\#(Int.max / 8),"deleted":0},"isNews":false}"#
    refuses(
      try await replay(Array(repeating: (name: "file", text: text), count: 9), from: try initial()))
  }

  @Test func `words that are all frequent are forgotten at once`() async throws {
    var state = PulseState()
    for number in 0...Words.limit { state.words.counts["w\(number)"] = 1_000_000_000_000 }
    let initial = String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
    let outcome = try await replay([commit()], from: initial)
    #expect(outcome.status == 0)
  }

  @Test(arguments: ["", " ", "{", "[", "x", "\u{0}", "null", "{}", "[]", "\"\"", "1e300"])
  func `a file that is no recording is refused`(text: String) async throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    refuses(await run("--replay", file, in: folder))
  }

  @Test func `a file that is nested without end is refused`() async throws {
    for opening in ["[", "{\"a\":", "{\"format\":1,\"steps\":["] {
      let text = String(repeating: opening, count: 200_000)
      try Data("{\"x\":\(text)".utf8).write(to: URL(fileURLWithPath: file))
      refuses(await run("--replay", file, in: folder))
    }
  }

  @Test(.timeLimit(.minutes(30))) func `a device without end is refused`() async throws {
    let outcome = await run("--replay", "/dev/zero", in: folder)
    #expect(outcome.status == 65)
    #expect(outcome.errors.hasPrefix("repo-pulse: the recording /dev/zero makes no sense: "))
  }

  @Test func `100,000 actions are replayed as they were recorded`() async throws {
    let text = #"{"path":"a","lines":{"added":1,"deleted":0},"isNews":false}"#
    let outcome = try await replay(
      Array(repeating: (name: "file", text: text), count: 100_000), from: try initial())
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("\"fileChanges\" : 100000"))
  }
}
