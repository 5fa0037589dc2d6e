import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import Testing

@testable import repo_pulse

@Suite("Recording a run, and replaying it") struct RecordingTests {
  private let repository: TemporaryRepository
  private let folder: String
  private var file: String { "\(folder)/run.lensed" }

  init() throws {
    repository = try TemporaryRepository.sample()
    folder = URL(fileURLWithPath: repository.path).deletingLastPathComponent().path
  }

  private func bytes() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: file)))
  }

  private func write(_ bytes: some Sequence<UInt8>) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: file))
  }

  private func record(in path: String? = nil, _ arguments: String...) async -> Outcome {
    let all = ["--record", path ?? file] + arguments + [repository.path]
    let (output, errors) = (Output.collecting(), Output.collecting())
    let status = await Pulse(environment: repository.environment, output: output, errors: errors)
      .run(all)
    return Outcome(status: status, output: output.collected, errors: errors.collected)
  }

  private func replay(_ arguments: String...) async -> Outcome {
    let (output, errors) = (Output.collecting(), Output.collecting())
    // No git is found in this environment, so nothing can be read but the file.
    let status = await Pulse(environment: [:], output: output, errors: errors)
      .run(["--replay", file] + arguments)
    return Outcome(status: status, output: output.collected, errors: errors.collected)
  }

  // MARK: The same again

  @Test func `the replay gives the same JSON to the byte, without a repository`() async throws {
    let plain = await run("--json", repository.path, in: repository)
    let recorded = await record("--json")
    #expect(recorded.status == 0)
    #expect(recorded.errors == "")
    #expect(recorded.output == plain.output)
    try FileManager.default.removeItem(atPath: repository.path)
    let replayed = await replay("--json")
    #expect(replayed.status == 0)
    #expect(replayed.errors == "")
    #expect(replayed.output == recorded.output)
  }

  @Test func `the replay gives the same report, but for what it cost`() async throws {
    let recorded = await record()
    let replayed = await replay()
    #expect(replayed.status == 0)
    let rows = [recorded, replayed].map {
      $0.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast(2)
    }
    #expect(rows[0].first == "sample  2024-01-01 to 2024-01-06")
    #expect(rows[0] == rows[1])
  }

  @Test func `an author is watched in a replay as in the run`() async throws {
    _ = await record()
    let replayed = await replay("--watch", "Bob")
    #expect(replayed.status == 0)
    let watched = replayed.output.split(separator: "\n").prefix { $0.hasPrefix("Bob  +") }
    #expect(watched.last?.hasSuffix("now 2 since 2024-01-02") == true)
    #expect(await replay("--watch", "Nobody").status == 67)
  }

  @Test func `a run that ends with a fault after the reading is recorded`() async throws {
    let recorded = await record("--json", "--watch", "Nobody")
    #expect(recorded.status == 67)
    #expect(await replay("--json").output == recorded.output)
  }

  @Test func `a link to a recording is replayed`() async throws {
    let recorded = await record("--json")
    try FileManager.default.moveItem(atPath: file, toPath: "\(folder)/other")
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "other")
    #expect(await replay("--json").output == recorded.output)
  }

  /// What makes the file one that `lensed-inspect` answers from.
  @Test func `the file is a session: each commit says what it changed, row by row`() async throws {
    let recorded = await record("--json")
    #expect(recorded.status == 0)
    var session = try SessionFile(URL(fileURLWithPath: file))
    #expect(session.head["state"]?.string == "PulseState")
    var (state, states) = (SessionState(), [SessionState]())
    while let record = try session.next() {
      let fits = state.apply(record)
      try #require(fits)
      if record["record"]?.string == "commit" { states.append(state) }
      for change in record["changed"]?.members ?? [] where change.key != "title" {
        #expect(change.value["rows"] != nil || change.key == "totals", "\(change.key)")
      }
    }
    // The title, and the commits, the newest first.
    #expect(states.map { $0.value(at: "totals.commits")?.int } == [0, 1, 2, 3, 4, 5, 6])
    #expect(states.map { $0.value(at: "authors[#Bob].commits")?.int } == [nil, nil, 1, 1, 1, 2, 2])
    #expect(state.value(at: "files[#old name.txt].today")?.string == "tab\tnew.txt")
    #expect(state.value(at: "words[#story].count")?.int == 4)
  }

  @Test(.warnsOnPurpose)
  func `every kind of action goes into the file and comes back, whatever its texts hold`()
    async throws
  {
    var actions: [any Action] = [Opened(title: "a \"title\"\u{0}\n"), Follow()]
    for text in ["", "\u{0}\u{1B}[31m", "日本語 🎉 e\u{301} \u{FFFD}", "\\\"\r\n\u{2028}/"] {
      let name = ByteString(text)
      var commit = LogCommit(
        header: CommitAction(
          id: text, author: name, moment: nil, subject: "a word \(text)", isMerge: true))
      commit.files = [
        FileAction(path: name, formerPath: "former \(text)", lines: nil),
        FileAction(path: "\(text) other", lines: Lines(added: 1 << 36, deleted: 0)),
        FileAction(path: ByteString([0xFF, 0x61]), lines: Lines(added: 1, deleted: 0)),
      ]
      actions.append(commit.actions())
      commit.header.moment = Moment(day: Day(ordinal: -10_000), hour: 23)
      actions.append(commit.actions(asNews: true))
    }
    let state = try await state(after: actions, in: "\(file).1")
    #expect(state.totals.commits == 8)
    actions.append(StartOver())
    #expect(
      try await self.state(after: actions, in: "\(file).2")
        == PulseState(title: "a \"title\"\u{0}\n"))
  }

  /// The state after actions that went through a file, once it is seen that they survived it.
  private func state(after actions: [any Action], in file: String) async throws -> PulseState {
    let recording = try Recording(ByteString(file))
    let store = try PulseState.store(recordedBy: recording.recorder)
    for action in actions { store.dispatch(action) }
    try recording.finish()
    let state = try await Reading().state(replaying: Recording.session(ByteString(file)))
    #expect(state == store.state)
    return state
  }

  // MARK: Files that are refused

  @Test func `a file that was cut off is refused within a record, and else replayed up to there`()
    async throws
  {
    _ = await record()
    let whole = try bytes()
    let beginning = whole.firstIndex(of: UInt8(ascii: "\n")) ?? 0
    for length in stride(from: 0, to: whole.count, by: 97) {
      try write(whole.prefix(length))
      let outcome = await replay("--json")
      #expect(outcome.status == 65, "cut off after \(length) bytes")
      #expect(outcome.output == "")
      let fault =
        length <= beginning ? "it is no recording of repo-pulse" : "it was cut off or altered"
      #expect(
        outcome.errors == "repo-pulse: the recording \(file) makes no sense: \(fault)\n",
        "cut off after \(length) bytes")
    }
    // Behind the last commit stands the fingerprint of its state.
    let lastCommit = whole.dropLast().lastIndex(of: UInt8(ascii: "\n")) ?? 0
    let last = whole.prefix(lastCommit).lastIndex(of: UInt8(ascii: "\n")) ?? 0
    try write(whole[...last])
    #expect(await replay("--json").output.contains("\"commits\" : 5,"))
  }

  @Test func `a file that was altered is refused, wherever it was`() async throws {
    _ = await record()
    let whole = try bytes()
    for index in stride(from: 0, to: whole.count, by: 41) {
      var altered = whole
      altered[index] = altered[index] == UInt8(ascii: "7") ? UInt8(ascii: "8") : UInt8(ascii: "7")
      try write(altered)
      let outcome = await replay("--json")
      #expect(outcome.status == 65, "altered at \(index)")
      #expect(outcome.output == "")
      #expect(outcome.errors.hasPrefix("repo-pulse: the recording \(file) makes no sense: "))
    }
  }

  private struct Stray: Action, Codable {}

  @Test(.warnsOnPurpose)
  func `an action that nobody knows is told by its name, and nothing is shown`() async throws {
    let registry = Recording.registry.adding(Stray.self, named: "stray")
    let recorder = try SessionRecorder<PulseState>(to: URL(fileURLWithPath: file), registry)
    let store = try PulseState.store(recordedBy: recorder)
    store.dispatch(Opened(title: "sample"))
    store.dispatch(Stray())
    let outcome = await replay("--json")
    #expect(outcome.status == 65)
    #expect(outcome.output == "")
    #expect(
      outcome.errors == """
        repo-pulse: the recording \(file) makes no sense: commit 2 holds an action named stray, \
        which this repo-pulse does not know

        """)
  }

  @Test(.warnsOnPurpose) func `an action that no recording holds is told at the end`() throws {
    struct Unwritten: Action {}
    let recording = try Recording(ByteString(file))
    try PulseState.store(recordedBy: recording.recorder).dispatch(Unwritten())
    let failure = #expect(throws: Failure.self) { try recording.finish() }
    #expect(failure?.status == 74)
  }

  @Test func `a recording of another program is refused`() async throws {
    let recorder = try SessionRecorder<Int>(to: URL(fileURLWithPath: file), Recording.registry)
    _ = Store(initialState: 0, coverage: .partial, middleware: [recorder])
    let outcome = await replay()
    #expect(outcome.status == 65)
    #expect(outcome.errors.hasPrefix("repo-pulse: the recording \(file) makes no sense: "))
  }

  @Test func `a file that is not there is told, and so are a folder and a device`() async throws {
    var outcome = await replay()
    #expect(outcome.status == 66)
    #expect(outcome.errors.hasPrefix("repo-pulse: the recording \(file) cannot be read: "))
    try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
    outcome = await replay()
    #expect(outcome.status == 66)
    #expect(outcome.errors.hasPrefix("repo-pulse: the recording \(file) cannot be read: "))
    #expect(await run("--replay", "/dev/zero", in: repository).status == 66)
  }

  // MARK: Where it is written

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test func `a file that is there stays as it is, and so does a link`() async throws {
    try write("former".utf8)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/link", withDestinationPath: "nowhere")
    for path in [file, "\(folder)/link"] {
      let outcome = await record(in: path)
      #expect(outcome.status == 74)
      #expect(outcome.output == "")
      #expect(outcome.errors.hasPrefix("repo-pulse: the recording \(path) cannot be written: "))
    }
    #expect(try bytes() == Array("former".utf8))
    #expect(try names() == ["link", "run.lensed", "sample"])
  }

  @Test func `only its user may read it`() async throws {
    #expect(await record().status == 0)
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `a tilde is a tilde`() async throws {
    let path = "~/nowhere-\(UUID().uuidString)/file"
    let outcome = await record(in: path)
    #expect(outcome.status == 74)
    #expect(outcome.errors.hasPrefix("repo-pulse: the recording \(path) cannot be written: "))
  }

  @Test(arguments: ["a b", "%00", "a?b#c", "Ä\u{308}", "-x", "a:b", "*"])
  func `no character of its name stands for another`(name: String) async throws {
    #expect(await record(in: "\(folder)/\(name)").status == 0)
    #expect(try names().map { Array($0.utf8) }.contains(Array(name.utf8)))
  }

  @Test func `a name as long as names may be is taken`() async throws {
    let name = String(repeating: "n", count: 255)
    #expect(await record(in: "\(folder)/\(name)").status == 0)
    #expect(try names() == [name, "sample"].sorted())
    #expect(await record(in: "\(folder)/\(name)n").status == 74)
    #expect(try names() == [name, "sample"].sorted())
  }

  @Test(arguments: ["", ".", "..", "sample", "sample/", "nowhere/", "sample/../", "nowhere/run"])
  func `what can be no new file is told before anything is read`(name: String) async throws {
    let outcome = await record(in: "\(folder)/\(name)")
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains(" cannot be written: "))
    #expect(outcome.output == "")
    #expect(try names() == ["sample"])
  }

  @Test func `a reading that fails leaves nothing behind`() async throws {
    try FileManager.default.removeItem(atPath: "\(repository.path)/.git/objects")
    #expect(await record().status != 0)
    #expect(try names() == ["sample"])
  }
}
