import Foundation
import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@testable import LensedPersistence

/// A recorder behind a slow disk: what waits while another thread writes.
@Suite(.timeLimit(.minutes(30))) struct WaitingCommitsTests {
  private static let registry = ActionRegistry(.json).adding(Add.self)
  private let lines = GatedLines()
  private var sink: SessionSink<Sum> {
    SessionSink(writingTo: lines, Self.registry) { _, _ in nil }
  }

  private func makeStore(_ recorder: SessionRecorder<Sum>) throws -> Store<Sum> {
    try Store(initialState: Sum(), middleware: [recorder]) {
      Mutator(\.count) { (count: inout Int, action: Add) in count += action.number }
      Effect(on: Tick.self) { _, _ in }
    }
  }

  /// Does something while another thread is at the disk with the first commit, and returns the records of commits.
  private func commits(
    of store: Store<Sum>, _ body: () throws -> Void
  ) async rethrows -> [JSONText] {
    let written = Threads.start { store.dispatch(Add(number: 1)) }
    await lines.waitForCommit()
    try body()
    lines.open()
    written.wait()
    store.dispatch(Add(number: 501))
    return lines.records.withLock { $0 }.filter { $0["record"]?.string == "commit" }
  }

  /// The run of an effect, as a recorder is given it.
  private func run() async throws -> RecordedRun {
    let runs = Recorder<RecordedRun>()
    let sink = SessionSink<Sum>(
      begin: { _ in }, record: { _ in nil }, afterwards: {}, run: { runs.append($0) })
    try await makeStore(SessionRecorder(writingTo: sink)).dispatch(Tick()).finish()
    return try #require(runs.last)
  }

  @Test func `there wait 64 states, and of further commits the actions`() async throws {
    let store = try makeStore(SessionRecorder(writingTo: sink))
    let commits = await commits(of: store) {
      for number in 2...500 { store.dispatch(Add(number: number)) }
    }
    #expect(commits.map { $0["revision"]?.int } == (1...501).map { $0 })
    #expect(
      commits.map { $0["actions"]?.list?.first?["value"]?["number"]?.int } == (1...501).map { $0 })
    // A record without a change had no state any more when it was written.
    #expect(commits.filter { $0["changed"] == nil }.count == 499 - 64)
    #expect(commits[499]["changed"]?["count"]?["to"]?.int == 500 * 501 / 2)
  }

  @Test func `no more states wait where effects run between the commits`() async throws {
    let (run, sink) = (try await run(), sink)
    let store = try makeStore(SessionRecorder(writingTo: sink))
    let commits = await commits(of: store) {
      for number in 2...500 {
        store.dispatch(Add(number: number))
        sink.run(run)
      }
    }
    #expect(commits.map { $0["revision"]?.int } == (1...501).map { $0 })
    #expect(commits.filter { $0["changed"] == nil }.count >= 499 - 64)
    #expect(commits[499]["changed"]?["count"]?["to"]?.int == 500 * 501 / 2)
  }

  @Test func `one that does not replay waits with its state, and has what those before it changed`()
    async throws
  {
    let store = try makeStore(SessionRecorder(writingTo: sink))
    let commits = await commits(of: store) {
      for number in 2...500 {
        if number == 300 { store.replaceState(Sum(count: 7)) }
        store.dispatch(Add(number: number))
      }
    }
    // The replacement is commit 300.
    #expect(commits[299]["changed"]?["count"]?["to"]?.int == 7)
    #expect(commits[298]["changed"] == nil)
    #expect(commits[500]["changed"]?["count"]?["to"]?.int == 7 + (300...500).reduce(0, +))
  }

  @Test(.enabled(if: countsAllocations))
  func `a commit is taken in at the same cost, however many wait`() async throws {
    func bytes(_ count: Int) async throws -> UInt64 {
      let lines = GatedLines()
      let sink = SessionSink<Sum>(writingTo: lines, Self.registry) { _, _ in nil }
      let store = try makeStore(SessionRecorder(writingTo: sink))
      let written = Threads.start { store.dispatch(Add(number: 1)) }
      await lines.waitForCommit()
      let bytes = allocatedBytes {
        for _ in 0..<count { store.dispatch(Add(number: 1)) }
      }
      lines.open()
      written.wait()
      return bytes
    }
    let (few, many) = (try await bytes(300), try await bytes(3_000))
    // Ten times as many; where each copied the names of those before it, fifty times as much.
    #expect(few > 0 && many < 20 * few, "\(few) \(many)")
  }
}

private struct Sum: Codable, Sendable, Equatable { var count = 0 }
private struct Add: Action, Codable { var number: Int }
private struct Tick: Action {}

/// Takes the records of a session, the commits once it is open.
private final class GatedLines: SessionLines {
  let records = Locked<[JSONText]>([])
  private let state = Locked((isOpen: false, isWaiting: false))
  private let condition = NSCondition()

  func open() {
    condition.lock()
    state.withLock { $0.isOpen = true }
    condition.broadcast()
    condition.unlock()
  }

  func waitForCommit() async {
    while !state.withLock({ $0.isWaiting }) { await Task.yield() }
  }

  func append(_ json: [UInt8], _ kind: SessionLineKind) throws {
    if kind == .commit {
      condition.lock()
      state.withLock { $0.isWaiting = true }
      while !state.withLock({ $0.isOpen }) { condition.wait() }
      condition.unlock()
    }
    let record = try JSONText(parsing: json)
    records.withLock { $0.append(record) }
  }

  func flush() {}
  func mark() {}
}
