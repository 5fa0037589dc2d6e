import Lensed
import LensedPersistence
import LensedPresenters
import LensedTestSupport
import Testing

/// What a presenter makes of an old state that comes back: its lines of the list of the article `Undo`.
@Suite("Old states, and a presenter that looks on", .warnsOnPurpose, .timeLimit(.minutes(30)))
@MainActor
struct OldStatesPresentationTests {
  /// A way in which an old state comes back.
  enum Way: CaseIterable, Sendable { case undo, redo, jump, replay, replaceState, restore }

  /// A store with two commits, the second of which is the present one; before it is restored it has none.
  private struct Scene {
    let history = History<Desk>()
    let store: Store<Desk>
    private let session: RecordedSession<Desk>
    private let way: Way
    private let disk: Persistence<Desk>

    init(_ way: Way) async throws {
      func makeStore(_ middleware: [any Middleware<Desk>]) throws -> Store<Desk> {
        try Store(initialState: Desk(), coverage: .partial, middleware: middleware) {
          Desk.countMutator
          Desk.titleMutator
        }
      }
      func makeDisk(_ memory: MemoryStorage) throws -> Persistence<Desk> {
        try Persistence(in: memory, writing: .eachCommit) { Kept(\.count) }
      }
      let (memory, recorder) = (MemoryStorage(), SessionRecorder<Desk>())
      let former = try makeDisk(memory)
      let made = try makeStore([former, recorder])
      for amount in [1, 2] { made.dispatch(CountAction.add(amount)) }
      try await former.close()
      session = try #require(recorder.session)
      disk = try makeDisk(memory)
      self.way = way
      store = try makeStore([history])
      if way == .restore { return }
      for amount in [1, 2] { store.dispatch(CountAction.add(amount)) }
      if way == .redo { history.undo() }
    }

    /// Brings an old state back; what it returns keeps what was attached.
    func go() throws -> StoreSubscription? {
      switch way {
      case .undo: #expect(history.undo())
      case .redo: #expect(history.redo())
      case .jump: #expect(history.jump(to: 1))
      case .replay: store.replay(session)
      case .replaceState: store.replaceState(Desk(count: 1))
      case .restore: return try store.attach(disk)
      }
      return nil
    }

    /// What is counted at first, and in each commit.
    var counts: [Int] {
      switch way {
      case .undo, .jump, .replaceState: [3, 1]
      case .redo: [1, 3]
      case .replay: [3, 0, 1, 3]
      case .restore: [0, 3]
      }
    }

    func end() async throws { try await disk.close() }
  }

  @Test(arguments: Way.allCases)
  func `it is asked about each commit that brings it back, and shows it`(_ way: Way) async throws {
    let scene = try await Scene(way)
    let (heard, presenter) = (Recorder<Int>(), DeskPresenter())
    let presentation = scene.store.present(presenter) { heard.append($0.count) }
    presentation.start()
    let kept = try scene.go()
    #expect(await heard.waitForCount(scene.counts.count) == scene.counts)
    #expect(
      presenter.calls.values
        == ["start \(scene.counts[0])"] + scene.counts.dropFirst().map { "reaction \($0)" })
    presentation.stop()
    kept?.cancel()
    try await scene.end()
  }

  @Test(arguments: Way.allCases, [false, true])
  func `what its command dispatches is an ordinary commit, and a step`(
    _ way: Way, _ isRoute: Bool
  ) async throws {
    let scene = try await Scene(way)
    let (store, history) = (scene.store, scene.history)
    let tasks = Recorder<DispatchTask>()
    var presenter = DeskPresenter()
    presenter.react = { [weak store] change in
      guard change.cause == .replacement else { return .props }
      let command = Command { [weak store] in
        if let task = store?.dispatch(TitleAction.rename("seen")) { tasks.append(task) }
      }
      return isRoute ? .route(command) : .command(command)
    }
    let presentation = store.present(presenter) { _ in }
    presentation.start()
    let kept = try scene.go()
    let task = try #require(await tasks.waitForCount(1).first)
    #expect(task.isHandled == true)
    #expect(store.state == Desk(count: try #require(scene.counts.last), title: "seen"))
    // A step of its own, which drops the redo list.
    #expect(!history.canRedo)
    #expect(history.undo())
    #expect(store.state == Desk(count: try #require(scene.counts.last)))
    presentation.stop()
    kept?.cancel()
    try await scene.end()
  }
}
