import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import Testing

@testable import repo_pulse

@Suite("Recordings with right sums, written by anybody", .warnsOnPurpose)
struct HostileRecordingTests {
  private let folder: TemporaryRepository
  private var file: String { "\(folder.path)/recording" }

  init() throws {
    folder = try TemporaryRepository(isRepository: false)
  }

  /// Records actions, writes the records anew with some text in them replaced, and replays that.
  private func replay(
    _ actions: [any Action], from initial: PulseState = PulseState(), _ former: String = "",
    by latter: String = ""
  ) async throws -> Outcome {
    let place = "\(folder.path)/\(UUID().uuidString)"
    let recorder = try SessionRecorder<PulseState>(
      to: URL(fileURLWithPath: place), Recording.registry)
    let store = try PulseState.store(from: initial, recordedBy: recorder)
    for action in actions { store.dispatch(action) }
    var reader = try RecordReader(URL(fileURLWithPath: place))
    var records: [String] = []
    while let record = try reader.next() {
      records.append(String(decoding: record.json, as: UTF8.self))
    }
    try #require(former.isEmpty || records.contains { $0.contains(former) }, "\(former)")
    return try await replay(
      records: former.isEmpty ? records : records.map { $0.replacing(former, with: latter) })
  }

  private func replay(records: [String]) async throws -> Outcome {
    try? FileManager.default.removeItem(atPath: file)
    let written = try RecordFile(creating: URL(fileURLWithPath: file))
    for record in records { try written.append(Array(record.utf8), .commit) }
    try written.mark()
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
    "NaN", "null", "\"7\"", "1e19", "18446744073709551616", "4611686018427387904", "68719476737",
  ]

  @Test(arguments: numbers) func `lines of a file are a number that can be counted`(number: String)
    async throws
  {
    let file = FileAction(path: "a", lines: Lines(added: 4_711, deleted: 1))
    refuses(try await replay([file, file], "\"added\":4711", by: "\"added\":\(number)"))
  }

  @Test(arguments: numbers) func `an author's share is a number that can be counted`(number: String)
    async throws
  {
    let share = AuthorAction.changed(Lines(added: 1, deleted: 4_711)).element("Ada" as ByteString)
    refuses(try await replay([share, share], "\"deleted\":4711", by: "\"deleted\":\(number)"))
  }

  private func commit() throws -> CommitAction {
    CommitAction(
      id: "1", author: "Ada", moment: Moment(day: try #require(Day("2024-01-01")), hour: 17),
      subject: "", isMerge: false)
  }

  @Test(arguments: [
    "\"2024-02-30T1\"", "\"2024-13-01T1\"", "\"99999999999999999-01-01T1\"", "\"-1-01-01T1\"",
    "\"+2024-01-01T1\"", "\"9223372036854775807-12-31T1\"", "\"10000-01-01T1\"",
    "\"2024-1-1-1T1\"", "\"\"", "7", "\"2024--01T1\"", "\"2024-01-01\"", "\"T1\"",
    "\"2024-01-01T24\"", "\"2024-01-01T-1\"", "\"2024-01-01T\"", "\"2024-01-01T1T2\"",
    "\"2024-01-01T9223372036854775807\"",
  ])
  func `a day is one of the calendar, and an hour one of the day`(moment: String) async throws {
    refuses(try await replay([commit()], "\"2024-01-01T17\"", by: moment))
  }

  /// A state with a number of its own in each place.
  private func initial() -> PulseState {
    var state = PulseState()
    state.totals.commits = 1_001
    state.totals.merges = 1_002
    state.totals.fileChanges = 1_003
    state.totals.binaryChanges = 1_004
    state.totals.actions = 1_005
    state.totals.lines = Lines(added: 1_006, deleted: 1_007)
    state.authors = [Author(name: "A", commits: 1_008, lines: Lines(added: 1_009, deleted: 1_010))]
    state.files = [File(name: "a", changes: 1_011, lines: Lines(added: 1_012, deleted: 1_013))]
    state.days = [Tally(id: Day(ordinal: 0), count: 1_014)]
    state.hours = [Tally(id: 3, count: 1_015)]
    state.words = [Tally(id: "word", count: 1_016)]
    return state
  }

  @Test(arguments: 1_001...1_016)
  func `every number of a state is one that can be counted`(number: Int) async throws {
    for other in ["-1", "9223372036854775807", "9223372036854775808", "1e300", "null"] {
      let outcome = try await replay(
        [commit()], from: initial(), ":\(number)", by: ":\(other)")
      refuses(outcome, "\(number): \(other)")
    }
    #expect(try await replay([commit()], from: initial()).status == 0)
  }

  @Test(arguments: ["99", "-1", "9223372036854775807"])
  func `an hour of no day is in no column`(hour: String) async throws {
    let outcome = try await replay([commit()], from: initial(), "\"id\":3", by: "\"id\":\(hour)")
    #expect(outcome.status == 0)
    #expect(await run("--replay", file, in: folder).output.contains("·················▁······"))
  }

  @Test func `words that are all frequent are forgotten at once`() async throws {
    var state = PulseState()
    for number in 0...Words.limit { state.words.append(Tally(id: "w\(number)", count: 1 << 36)) }
    #expect(try await replay([commit()], from: state).status == 0)
  }

  @Test func `two rows of one name are refused`() async throws {
    var state = PulseState()
    state.authors = [Author(name: "Ada"), Author(name: "Bob")]
    refuses(try await replay([commit()], from: state, "\"name\":\"Bob\"", by: "\"name\":\"Ada\""))
  }

  @Test(arguments: ["", " ", "{", "[", "x", "\u{0}", "null", "{}", "[]", "\"\"", "1e300"])
  func `a file that is no recording is refused, be its sums right or not`(text: String) async throws
  {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    refuses(await run("--replay", file, in: folder))
    refuses(try await replay(records: [text.replacing("\n", with: "")]))
  }

  @Test func `what is nested without end is refused`() async throws {
    for opening in ["[", "{\"a\":", "{\"record\":\"head\",\"format\":1,\"parts\":["] {
      refuses(try await replay(records: [String(repeating: opening, count: 100_000)]))
    }
  }

  @Test func `very many actions are replayed as they were recorded`() async throws {
    let file = FileAction(path: "a", lines: Lines(added: 1, deleted: 0))
    let list = ActionList(Array(repeating: file, count: 200))
    let count = VerificationLength.big(100)
    let outcome = try await replay(Array(repeating: list, count: count))
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("\"fileChanges\" : \(count * 200)"))
  }
}
