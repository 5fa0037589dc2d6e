import Lensed
import Testing

@testable import repo_pulse

@Suite struct ReadingTests {
  @Test func `a log fills every part of the state`() async throws {
    let log = LogBytes.history(of: "Ada", adding: Array(1...200))
    let state = try await Reading().state(after: CommitFeed(chunks: Chunks(log.chunks(of: 100))))
    #expect(state.totals.commits == 200)
    #expect(state.totals.actions == 800)
    #expect(state.authors[id: "Ada"]?.commits == 200)
    #expect(state.authors[id: "Ada"]?.lines.added == 20_100)
    #expect(state.files[id: "file"]?.changes == 200)
    #expect(state.hours == [Tally(id: 23, count: 200)])
    #expect(state.words == [Tally(id: "fix", count: 200), Tally(id: "parser", count: 200)])
  }

  @Test func `who watches an author hears of the last change before the state is given`()
    async throws
  {
    var log = LogBytes.history(of: "Ada", adding: Array(repeating: 2, count: 500))
    log.bytes += LogBytes.history(of: "Bob", adding: [9]).bytes
    let output = Output.collecting()
    var reading = Reading()
    reading.watch = AuthorWatch(name: "Ada", output: output, canvas: Canvas())
    _ = try await reading.state(after: CommitFeed(chunks: Chunks(log.chunks(of: 512))))
    let lines = output.collected.split(separator: "\n")
    #expect(lines.last?.hasSuffix("now 500 since 2024-02-29") == true)
    #expect(lines.allSatisfy { $0.hasPrefix("Ada  +") })
    let commits = lines.map { Int($0.split(separator: " ")[1]) ?? 0 }
    #expect(commits.reduce(0, +) == 500)
  }

  @Test func `progress leaves a clean line behind`() async throws {
    let log = LogBytes.history(of: "Ada", adding: [1, 2, 3])
    let errors = Output.collecting(width: 40)
    var reading = Reading()
    reading.progress = Progress(output: errors)
    _ = try await reading.state(after: CommitFeed(chunks: Chunks([log.bytes])))
    #expect(errors.collected.isEmpty || errors.collected.hasSuffix("\r\u{1B}[K"))
  }

  @Test func `a log that fails gives its failure, and nobody is left waiting`() async {
    let log = LogBytes.history(of: "Ada", adding: [1, 2, 3])
    let reading = Reading(
      progress: Progress(output: .collecting(width: 40)),
      watch: AuthorWatch(name: "Ada", output: .collecting(), canvas: Canvas()))
    let feed = CommitFeed(chunks: Chunks([log.bytes], failure: .unreadable("a reason")))
    await #expect(throws: Failure.unreadable("a reason")) {
      try await reading.state(after: feed)
    }
  }

  @Test func `a cancelled reading ends, though its log never would`() async {
    let (chunks, ticks) = AsyncStream.makeStream(of: [UInt8].self)
    let reading = Task { try await Reading().state(after: CommitFeed(chunks: chunks)) }
    ticks.yield(LogBytes.history(of: "Ada", adding: [1]).bytes)
    reading.cancel()
    await #expect(throws: CancellationError.self) { try await reading.value }
    ticks.finish()
  }
}
