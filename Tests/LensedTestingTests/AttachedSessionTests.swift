#if os(Linux)
  import Foundation
  import Lensed
  import LensedPersistence
  import LensedTestSupport
  import LensedTesting
  import Testing

  /// A process of these tests runs one test that fails, and leaves what it attaches in a folder.
  @Suite(.timeLimit(.minutes(30)))
  struct `The session that a failed test attaches` {
    @Test(arguments: FailingRun.Kind.allCases)
    func `is a file in the folder of attachments, and replays to the state of the failure`(
      kind: FailingRun.Kind
    ) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(
        path: "lensed-attachments-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let status = try await FailingRun.run(kind, attachingTo: folder)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      if kind == .passing {
        #expect(status == 0 && files == [])
        return
      }
      #expect(status != 0)
      #expect(files == ["session.lensed"])
      let session = try RecordedSession<Search>(
        reading: folder.appending(path: "session.lensed"), FailingRun.registry(kind))
      let store = try Store(initialState: Search()) { searchParts(.stub, ManualClock()) }
      store.replay(session)
      #expect(store.state == Search(query: "ab", results: ["abc"], log: ["ab"]))
    }
  }

  /// The tests that fail on purpose, where a test asks for one of them.
  @Suite(.enabled(if: FailingRun.kind != nil))
  struct `A test that fails on purpose` {
    @Test func `and attaches its session`() async throws {
      let (clock, kind) = (ManualClock(), try #require(FailingRun.kind))
      let test = try TestStore(initialState: Search()) {
        searchParts(.stub, clock)
        Effect(on: FailingRun.Unwritable.self) { _, _ in }
      }
      if kind == .byRegistry || kind == .passing {
        test.attachSession(by: FailingRun.registry(kind))
      }
      if kind == .unwritable { await test.dispatch(FailingRun.Unwritable()) }
      await test.dispatch(QueryChanged("ab")) {
        $0.query = "ab"
        $0.log = ["ab"]
      }
      await clock.advance(by: .seconds(1))
      await test.receive(Found.self) { $0.results = [kind == .passing ? "abc" : "another"] }
      await test.finish()
    }
  }

  enum FailingRun {
    enum Kind: String, CaseIterable, Sendable {
      case byItself, byRegistry, unwritable, passing
    }

    struct Unwritable: Action {}

    private static let variable = "LENSED_FAILING_TEST"

    /// What the test that fails is to do; nil where none is to fail.
    static var kind: Kind? {
      ProcessInfo.processInfo.environment[variable].flatMap(Kind.init)
    }

    static func registry(_ kind: Kind) -> ActionRegistry {
      switch kind {
      case .byItself, .unwritable:
        ActionRegistry(.json).adding(QueryChanged.self).adding(Found.self)
      case .byRegistry, .passing:
        ActionRegistry(.json).adding(QueryChanged.self, named: "query")
          .adding(Found.self, named: "found")
      }
    }

    /// Runs the test that fails in a process of its own.
    ///
    /// - Returns: Its exit status.
    static func run(_ kind: Kind, attachingTo folder: URL) async throws -> Int32 {
      let program = try Program(
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path,
        [
          "--testing-library", "swift-testing", "--filter", "A test that fails on purpose",
          "--attachments-path", folder.path,
        ],
        environment: ProcessInfo.processInfo.environment.merging([variable: kind.rawValue]) { $1 },
        output: .nothing, errors: .nothing)
      return await program.ended()
    }
  }
#endif
