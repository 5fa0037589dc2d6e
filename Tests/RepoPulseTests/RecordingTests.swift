import Foundation
import Lensed
import LensedTestSupport
import Testing

@testable import repo_pulse

@Suite("Recording a run, and replaying it") struct RecordingTests {
  private let repository: TemporaryRepository
  private let file: String

  init() throws {
    repository = try TemporaryRepository.sample()
    file = repository.path.replacing("/sample", with: "/run.json")
  }

  private func bytes(of path: String? = nil) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path ?? file)))
  }

  private func write(_ bytes: some Sequence<UInt8>) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: file))
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
    let recorded = await run("--json", "--record", file, repository.path, in: repository)
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
    let recorded = await run("--record", file, repository.path, in: repository)
    let replayed = await replay()
    #expect(replayed.status == 0)
    let rows = [recorded, replayed].map {
      $0.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast(2)
    }
    #expect(rows[0].first == "sample  2024-01-01 to 2024-01-06")
    #expect(rows[0] == rows[1])
  }

  @Test func `the same history gives the same file, which takes the place of a former one`()
    async throws
  {
    _ = await run("--record", file, repository.path, in: repository)
    let first = try bytes()
    try write(Array(repeating: 7, count: first.count * 2))
    _ = await run("--record=\(file)", "--json", repository.path, in: repository)
    #expect(try bytes() == first)
  }

  @Test func `an author is watched in a replay as in the run`() async throws {
    _ = await run("--record", file, repository.path, in: repository)
    let replayed = await replay("--watch", "Bob")
    #expect(replayed.status == 0)
    let watched = replayed.output.split(separator: "\n").prefix { $0.hasPrefix("Bob  +") }
    #expect(watched.last?.hasSuffix("now 2 since 2024-01-02") == true)
    #expect(await replay("--watch", "Nobody").status == 67)
  }

  @Test(.warnsOnPurpose)
  func `every kind of action goes into the file and comes back, whatever its texts hold`()
    async throws
  {
    let file = RecordingFile(path: ByteString(file))
    var actions: [any Action] = [Opened(title: "a \"title\"\u{0}\n"), Follow()]
    for text in ["", "\u{0}\u{1B}[31m", "日本語 🎉 e\u{301} \u{FFFD}", "\\\"\r\n\u{2028}/"] {
      let name = ByteString(text)
      var commit = LogCommit(
        header: CommitAction(
          id: text, author: name, moment: nil, subject: "a word \(text)", isMerge: true))
      commit.files = [
        FileAction(path: name, formerPath: "former \(text)", lines: nil),
        FileAction(path: "\(text) other", lines: Lines(added: .max / 16, deleted: 0)),
      ]
      actions.append(commit.actions)
      commit.header.moment = Moment(day: Day(ordinal: -10_000), hour: 23)
      actions.append(commit.asNews.actions)
    }
    let state = try await state(after: actions, through: file)
    #expect(state.totals.commits == 8)
    actions.append(StartOver())
    #expect(
      try await self.state(after: actions, through: file)
        == PulseState(title: "a \"title\"\u{0}\n"))
  }

  /// The state after actions that went through a file, once it is seen that they survived it.
  private func state(after actions: [any Action], through file: RecordingFile) async throws
    -> PulseState
  {
    let draft = try RecordingDraft(file, initial: PulseState())
    let store = try PulseState.store(recordedBy: CommitRecorder(draft))
    for action in actions { store.dispatch(action) }
    try draft.finish()
    let state = try await Reading().state(replaying: file.session())
    #expect(state == store.state)
    return state
  }

  @Test func `a run that ends with a fault after the reading is recorded`() async throws {
    let recorded = await run(
      "--json", "--watch", "Nobody", "--record", file, repository.path, in: repository)
    #expect(recorded.status == 67)
    #expect(await replay("--json").output == recorded.output)
  }

  // MARK: Files that are refused

  /// The file of a run, byte by byte.
  private func recordedBytes() async throws -> [UInt8] {
    _ = await run("--record", file, repository.path, in: repository)
    return try bytes()
  }

  @Test(.warnsOnPurpose) func `a file that was cut off is refused, wherever it ends`() async throws
  {
    let whole = try await recordedBytes()
    for length in stride(from: 0, to: whole.count, by: 97) {
      try write(whole.prefix(length))
      let outcome = await replay("--json")
      #expect(outcome.status == 65, "cut off after \(length) bytes")
      #expect(outcome.output == "")
      #expect(
        outcome.errors
          == "repo-pulse: the recording \(file) makes no sense: it is cut off, or no recording\n")
    }
  }

  @Test(.warnsOnPurpose) func `a file that was altered is refused, wherever it was`() async throws {
    let whole = try await recordedBytes()
    for index in stride(from: 0, to: whole.count, by: 41) {
      var altered = whole
      altered[index] = altered[index] == UInt8(ascii: "7") ? UInt8(ascii: "8") : UInt8(ascii: "7")
      try write(altered)
      let outcome = await replay("--json")
      #expect(outcome.status == 65, "altered at \(index)")
      #expect(outcome.output == "")
      #expect(outcome.errors.hasPrefix("repo-pulse: the recording \(file) makes no sense: "))
    }
    let title = String(decoding: whole, as: UTF8.self).replacing("sample", with: "simple")
    try write(title.utf8)
    #expect(
      await replay().errors
        == "repo-pulse: the recording \(file) makes no sense: it was cut off or altered\n")
  }

  private struct Stray: Action, Codable {}

  @Test(.warnsOnPurpose)
  func `an action that nobody knows is told by its name, and nothing is shown`() async throws {
    let recorder = SessionRecorder<PulseState>()
    let store = try PulseState.store(recordedBy: recorder)
    store.dispatch(Opened(title: "sample"))
    store.dispatch(Stray())
    let journal = try ActionRegistry.pulse.adding(Stray.self, named: "stray")
      .journal(of: try #require(recorder.session))
    try write(try JSONEncoder().encode(journal))
    let outcome = await replay("--json")
    #expect(outcome.status == 65)
    #expect(outcome.output == "")
    #expect(
      outcome.errors == """
        repo-pulse: the recording \(file) makes no sense: commit 2 holds an action named stray, \
        which this repo-pulse does not know

        """)
  }

  @Test func `a recording of another program is refused`() async throws {
    let recorder = SessionRecorder<Int>()
    _ = Store(initialState: 0, coverage: .partial, middleware: [recorder])
    let journal = try ActionRegistry.pulse.journal(of: try #require(recorder.session))
    try write(try JSONEncoder().encode(journal))
    let outcome = await replay()
    #expect(outcome.status == 65)
    #expect(outcome.errors.hasSuffix("it is no recording of repo-pulse\n"))
  }

  @Test func `a file that is not there is told, and so is a folder`() async throws {
    var outcome = await replay()
    #expect(outcome.status == 66)
    #expect(
      outcome.errors
        == "repo-pulse: the recording \(file) cannot be read: No such file or directory\n")
    try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
    outcome = await replay()
    #expect(outcome.status == 66)
    #expect(outcome.errors.hasSuffix("cannot be read: Is a directory\n"))
  }

  // MARK: Files that cannot be written

  @Test func `a file that will not be written is told before anything is read`() async throws {
    for (path, reason) in [
      ("\(repository.path)/nowhere/run", "there is no folder \(repository.path)/nowhere"),
      (repository.path, "it is no file"),
      ("/dev/null", "it is no file"),
    ] {
      let outcome = await run("--record", path, repository.path, in: repository)
      #expect(outcome.status == 74)
      #expect(outcome.output == "")
      #expect(
        outcome.errors == "repo-pulse: the recording \(path) cannot be written: \(reason)\n")
    }
  }

  @Test func `a file whose folder went away meanwhile is told after the report`() async throws {
    let folder = try TemporaryRepository(isRepository: false)
    let file = RecordingFile(path: "\(folder.path)/run")
    let draft = try RecordingDraft(file, initial: PulseState())
    let store = try PulseState.store(recordedBy: CommitRecorder(draft))
    store.dispatch(Opened(title: "sample"))
    try FileManager.default.removeItem(atPath: folder.path)
    let failure = #expect(throws: Failure.self) { try draft.finish() }
    #expect(failure?.status == 74)
  }

  @Test func `a reading that fails leaves a former recording as it was`() async throws {
    let former = try await recordedBytes()
    let empty = try TemporaryRepository()
    #expect(await run("--record", file, empty.path, in: empty).status == 65)
    #expect(try bytes() == former)
  }

  @Test func `a link to a file stays a link`() async throws {
    let target = file.replacing("run", with: "target")
    try FileManager.default.createSymbolicLink(
      atPath: file, withDestinationPath: URL(fileURLWithPath: target).lastPathComponent)
    try Data().write(to: URL(fileURLWithPath: target))
    _ = await run("--record", file, repository.path, in: repository)
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.type] as? FileAttributeType == .typeSymbolicLink)
    #expect(try bytes(of: target).count > 100)
    #expect(await replay("--json").status == 0)
  }
}
