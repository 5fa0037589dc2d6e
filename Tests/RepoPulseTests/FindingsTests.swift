import Lensed
import Testing

@testable import repo_pulse

@Suite("What a new commit makes the report compute") struct FindingsTests {
  /// Every finding, computed so many times.
  private static func all(_ count: Int) -> [String: Int] {
    Dictionary(
      uniqueKeysWithValues: Findings.Finding.allCases.map { ($0.rawValue, count) })
  }

  /// Every finding zero times, but these once.
  private static func once(_ findings: Findings.Finding...) -> [String: Int] {
    findings.reduce(into: all(0)) { $0[$1.rawValue] = 1 }
  }

  /// Twelve files, of which ten have changed twice, and two authors.
  private static func repository() throws -> TemporaryRepository {
    let repository = try TemporaryRepository()
    let names = (10...21).map { "file \($0)" }
    for name in names { try repository.write("one\n", to: name) }
    try repository.commit("Add stories", by: "Ada", at: "2024-01-01T10:00:00+00:00")
    for name in names.prefix(10) { try repository.write("two\n", to: name) }
    try repository.commit("Rewrite stories", by: "Bob", at: "2024-01-02T10:00:00+00:00")
    return repository
  }

  @Test(.timeLimit(.minutes(30)))
  func `one commit to one file, by a known author, computes what it has touched, and nothing else`()
    async throws
  {
    let scene = try await FollowingScene("--json", of: Self.repository())
    try scene.repository.write("two\n", to: "file 21")
    // Neither the file nor a word of the subject comes to the top.
    try scene.repository.commit("so it is", by: "Bob", at: "2024-01-03T10:00:00+00:00")
    await scene.look(1)
    #expect(
      try scene.computed() == [
        Self.all(1),
        Self.once(.topAuthors, .authorTable, .topFiles, .topWords, .heatMap, .years, .rhythm),
      ])
    #expect(await scene.interrupt() == 130)
    #expect(scene.errors.collected == "")
  }

  @Test(.timeLimit(.minutes(30)))
  func `a commit without files leaves them alone, and two that come at once are computed once`()
    async throws
  {
    let scene = try await FollowingScene("--json", of: Self.repository())
    try scene.repository.commit("so it is", by: "Bob", at: "2024-01-03T10:00:00+00:00")
    try scene.repository.commit("so it was", by: "Bob", at: "2024-01-03T10:00:00+00:00")
    await scene.look(1)
    await scene.look(2)
    try scene.repository.write("three\n", to: "file 10")
    try scene.repository.commit("A new story", by: "Cleo", at: "2024-01-03T10:00:00+00:00")
    await scene.look(3)
    #expect(
      try scene.computed() == [
        Self.all(1),
        Self.once(.topAuthors, .authorTable, .topWords, .heatMap, .years, .rhythm),
        Self.all(1),
      ])
    #expect(await scene.interrupt() == 130)
  }

  @Test func `an action to one part computes what is derived of that part`() throws {
    let (store, findings) = (try PulseState.store(), Findings())
    #expect(findings.update(in: store) == Self.all(1))
    #expect(findings.update(in: store) == Self.all(0))
    store.dispatch(Opened(title: "another"))
    #expect(findings.update(in: store) == Self.all(0))
    store.dispatch(FileAction(path: "a", lines: Lines(added: 1, deleted: 0)))
    #expect(findings.update(in: store) == Self.once(.topFiles, .fileTable))
    store.dispatch(ElementAction(id: "Nobody" as ByteString, action: AuthorAction.committed(nil)))
    #expect(findings.update(in: store) == Self.all(0))
    #expect(store[findings.shown].files.count == 1)
  }

  @Test func `a run counts what is computed for itself alone`() throws {
    let (first, second) = (Findings(), Findings())
    let store = try PulseState.store()
    #expect(first.update(in: store) == Self.all(1))
    #expect(second.update(in: store) == Self.all(1))
    #expect(first.update(in: store) == Self.all(0))
  }

  @Test func `plain JSON says nothing of it`() async throws {
    let repository = try Self.repository()
    let outcome = await run("--json", repository.path, in: repository)
    #expect(!outcome.output.contains("computed"))
  }
}
