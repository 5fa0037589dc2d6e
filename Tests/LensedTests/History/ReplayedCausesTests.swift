import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import LensedTesting
import Testing

/// A replayed commit has the causes of the record.
@Suite("Causes in replays", .timeLimit(.minutes(30)))
struct ReplayedCausesTests {
  struct State: Sendable, Equatable, Codable {
    var query = ""
    var found: [String] = []
    var page = ""
    var beeps = 0
  }
  struct Query: Action, Codable { let text: String }
  struct Refresh: Action, Codable {}
  struct Found: Action, Codable { let texts: [String] }
  struct Beep: Action, Codable {}
  struct Load: Action, Codable {}
  struct Unknown: Action, Codable {}

  /// What is known of a commit, and how many commits before it the one lies that set it off.
  private struct Facts: Equatable {
    let cause: CommitCause
    let origin: CommitOrigin
    let distance: UInt64?
    let site: String?
    let function: String?
    let time: Duration?

    init(_ change: Change<State>) {
      (cause, origin, time) = (change.cause, change.origin, change.time)
      distance = change.parent.map { change.revision - $0 }
      (site, function) = (change.site.map { "\($0)" }, change.site?.function)
    }
  }

  private let clock = ManualClock()

  private func makeStore(_ middleware: [any Middleware<State>] = []) throws -> Store<State> {
    try Store(
      initialState: State(), middleware: middleware, onWarning: { _ in }, clock: clock
    ) {
      Mutator(\.query) { (query: inout String, action: Query) in query = action.text }
      Mutator(\.found) { (found: inout [String], action: Found) in found = action.texts }
      Mutator(\.beeps) { (beeps: inout Int, _: Beep) in beeps += 1 }
      AsyncMutator(\.page) { (_: String, _: Load) in
        AsyncResult(value: "loaded").whileLoading("loading")
      }
      Effect(on: Query.self) { action, context in
        context.dispatch(Found(texts: [action.text]), fileID: "Shop/Search.swift", line: 41)
      }
      .named("Search")
      Effect(on: Refresh.self) { _, context in
        context.dispatch(AsyncActions([Beep(), Beep()].async))
      }
      .named("Refreshing")
    }
  }

  private static let count = 13

  /// Commits of all origins, over three seconds.
  private func tell(_ store: Store<State>) async throws {
    let subscription = store.states(\.query).subscribe { [weak store] query in
      if query == "a" { store?.dispatch(Beep(), fileID: "Shop/Bell.swift", line: 3) }
    }
    store.dispatch(Beep(), fileID: "Shop/App.swift", function: "start()", line: 1)
    await clock.advance(by: .seconds(1))
    try await store.dispatch(Query(text: "a"), fileID: "Shop/BookView.swift", line: 31).finish()
    await clock.advance(by: .seconds(1))
    try await store.dispatch(Refresh(), fileID: "Shop/App.swift", line: 7).finish()
    try await store.dispatch(Load(), fileID: "Shop/App.swift", line: 8).finish()
    await clock.advance(by: .seconds(1))
    store.replaceState(State(query: "old"))
    store.dispatch(Unknown(), fileID: "Shop/App.swift", line: 9)
    store.dispatch([Beep(), Beep()], fileID: "Shop/App.swift", line: 10)
    subscription.cancel()
    try await store.settled()
  }

  private func facts(
    _ store: Store<State>, skipping skipped: Int = 0, of body: () async throws -> Void
  ) async throws -> [Facts] {
    var reader = store.changes().makeAsyncIterator()
    try await body()
    var facts: [Facts] = []
    while facts.count < Self.count + skipped, let change = await reader.next() {
      facts.append(Facts(change))
    }
    return Array(facts.dropFirst(skipped))
  }

  private func recorded() async throws -> (session: RecordedSession<State>, facts: [Facts]) {
    let recorder = SessionRecorder<State>()
    let store = try makeStore([recorder])
    store.dispatch(Beep())
    let facts = try await facts(store) { try await tell(store) }
    #expect(facts.count == Self.count)
    return (try #require(recorder.session), facts)
  }

  @Test func `a replayed commit has the causes, the place and the time that were recorded`()
    async throws
  {
    let (session, recorded) = try await recorded()
    let origins = recorded.map(\.origin)
    for origin in [
      CommitOrigin.dispatch, .effect("Search"), .sequence, .asyncResult, .placeholder, .replacement,
    ] {
      #expect(origins.contains(origin))
    }
    #expect(Set(recorded.map(\.time)).count == 4)
    let fresh = try makeStore([History<State>()])
    // The commits here have other numbers.
    for _ in 0..<5 { fresh.dispatch(Beep()) }
    await clock.advance(by: .seconds(100))
    let replayed = try await facts(fresh, skipping: 2) { fresh.replay(session) }
    #expect(replayed == recorded)
  }

  @Test
  func `what is recorded of a replay has the causes of the first record, as often as one likes`()
    async throws
  {
    let (first, recorded) = try await recorded()
    var session = first
    for round in 1...3 {
      let recorder = SessionRecorder<State>()
      let fresh = try makeStore([recorder])
      await clock.advance(by: .seconds(5))
      let replayed = try await facts(fresh, skipping: 1 + round) { fresh.replay(session) }
      #expect(replayed == recorded, "round \(round)")
      session = try #require(recorder.session)
    }
  }

  @Test func `a file keeps them`() async throws {
    let (session, recorded) = try await recorded()
    let registry = ActionRegistry(.json).adding(Query.self).adding(Refresh.self)
      .adding(Found.self).adding(Beep.self).adding(Load.self).adding(Unknown.self)
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).lensed")
    defer { try? FileManager.default.removeItem(at: file) }
    try session.write(to: file, registry)
    let read = try RecordedSession<State>(reading: file, registry)
    let fresh = try makeStore([History<State>()])
    let replayed = try await facts(fresh, skipping: 2) { fresh.replay(read) }
    #expect(replayed == recorded)
  }

  @Test func `a history of a replay says the chain of the record`() async throws {
    let (recorder, first) = (SessionRecorder<State>(), History<State>())
    let store = try makeStore([recorder, first])
    try await store.dispatch(
      Query(text: "a"), fileID: "Shop/BookView.swift", line: 31
    ).finish()
    let history = History<State>()
    let fresh = try makeStore([history])
    fresh.replay(try #require(recorder.session))
    let reason = try #require(history.why(\.found))
    #expect(
      reason.description == """
        `found` is ["a"] since #3, `Found(texts: ["a"])` by the effect Search (Shop/Search.swift:41), \
        set off by #2 `Query(text: "a")` dispatched at Shop/BookView.swift:31
        """)
    #expect(history.entries.dropFirst(2).map(\.time) == [.zero, .zero])
    // And the session of a history has them too.
    let second = History<State>()
    let third = try makeStore([second])
    third.replay(try #require(RecordedSession(first)))
    #expect(second.why(\.found)?.description == reason.description)
  }

  @Test func `a parent that the session does not have is nil`() async throws {
    let recorder = SessionRecorder<State>()
    let store = try makeStore()
    let gate = Gate()
    let installed = store.install(
      Effect(on: Load.self) { _, context in
        try await gate.wait()
        context.dispatch(Beep())
      }.named("Late"))
    let load = store.dispatch(Load())
    try await load.finish(.applied)
    await clock.advance(by: .seconds(1))
    let attached = store.attach(recorder)
    gate.open()
    try await store.settled()
    store.dispatch(Query(text: "b"))
    try await store.settled()
    let session = try #require(recorder.session)
    let history = History<State>()
    let fresh = try makeStore([history])
    fresh.replay(session)
    let late = try #require(history.entries.first { $0.origin == .effect("Late") })
    #expect(late.parent == nil)
    let found = try #require(history.entries.first { $0.origin == .effect("Search") })
    #expect(found.parent == found.revision - 1)
    attached.cancel()
    withExtendedLifetime(installed) {}
  }

  @Test
  func `sessions that follow each other do not take the numbers of one for those of the other`()
    async throws
  {
    func session(_ beeps: Int) async throws -> RecordedSession<State> {
      let recorder = SessionRecorder<State>()
      let store = try makeStore([recorder])
      for _ in 0..<beeps { store.dispatch(Beep()) }
      try await store.dispatch(Query(text: "a")).finish()
      return try #require(recorder.session)
    }
    for (first, second) in [(0, 3), (3, 0), (2, 2)] {
      let whole = try await session(first).followed(by: try await session(second))
      let history = History<State>()
      let fresh = try makeStore([history])
      fresh.replay(whole)
      let found = history.entries.filter { $0.origin == .effect("Search") }
      #expect(found.map(\.parent) == found.map { $0.revision - 1 })
      #expect(found.count == 2)
    }
  }

  @Test
  func `whoever asks what a replayed commit touched is told of a replacement, whatever its cause`()
    async throws
  {
    let (session, _) = try await recorded()
    let fresh = try makeStore()
    var reader = fresh.changes(keepingPrevious: true).makeAsyncIterator()
    fresh.replay(session)
    // A logger that is given such changes says what made them.
    let lines = Recorder<String>()
    let logger = ActionLogger<State> { lines.append($0) }
    for _ in 0..<Self.count + 2 {
      let change = try #require(await reader.next())
      logger.didReduce(change)
      #expect(change.isReplayed)
      if change.cause == .asyncResult || change.cause == .placeholder {
        #expect(change.touches(\.page) && change.touches(\.query) && change.didChange(\.page))
      }
    }
    let found = lines.values.first { $0.contains("Found(") }
    #expect(found?.contains(" by the effect Search at Shop/Search.swift:41 in ") == true)
    // The replay itself begins with a replacement, so numbers are one higher.
    #expect(found?.contains(", set off by #4\n") == true)
  }
}

extension Array where Element: Sendable {
  /// The elements as an asynchronous sequence.
  fileprivate var async: AsyncStream<Element> {
    AsyncStream { continuation in
      for element in self { continuation.yield(element) }
      continuation.finish()
    }
  }
}
