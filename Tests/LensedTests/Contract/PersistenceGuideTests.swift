import Lensed
import LensedTestSupport
import Testing

/// What the article `Persistence` shows, word for word: between the marks stand the very lines of its code.
@Suite("Contract: the code of the guide to persistence", .timeLimit(.minutes(30)))
struct PersistenceGuideTests {
  // GUIDE: The app
  struct AppState: Sendable, Codable, Equatable {
    var list: [String] = []
    var failure: String?
  }
  enum ListAction: Action {
    case add(String)
    case loaded([String])
  }
  struct Load: Action {}
  struct SaveFailed: Action { let reason: String }

  protocol Disk: Sendable {
    func read() async throws -> [String]
    func write(_ list: [String]) async throws
  }
  // GUIDE: end

  private final class MemoryDisk: Disk {
    private let content: Locked<[String]>
    private let isBroken: Bool
    let writes = Recorder<[String]>()

    init(_ content: [String] = [], isBroken: Bool = false) {
      self.content = Locked(content)
      self.isBroken = isBroken
    }

    func read() async throws -> [String] { content.withLock { $0 } }

    func write(_ list: [String]) async throws {
      if isBroken { throw Full() }
      content.withLock { $0 = list }
      writes.append(list)
    }
  }

  private struct Full: Error, CustomStringConvertible {
    var description: String { "The disk is full." }
  }

  // GUIDE: The effects
  static func saving(on disk: any Disk, _ clock: some Clock<Duration>) -> Service<AppState> {
    Service("saving") {
      Effect(on: Load.self, .first) { _, _ in
        ListAction.loaded(try await disk.read())
      }
      Effect(
        whenChanged: \.list, .serial,
        catch: { error, context in context.dispatch(SaveFailed(reason: "\(error)")) },
        { list, _ in try await disk.write(list) }
      )
      .debounced(for: .seconds(1), clock: clock)
    }
  }
  // GUIDE: end

  private func makeStore(
    _ disk: any Disk, _ clock: ManualClock, onWarning: StoreWarningHandler? = nil
  ) throws -> Store<AppState> {
    // GUIDE: The store
    let store = try Store(initialState: AppState(), onWarning: onWarning) {
      Mutator(\.list) { (list: inout [String], action: ListAction) in
        switch action {
        case .add(let line): list.append(line)
        case .loaded(let lines): list = lines
        }
      }
      Mutator(\.failure) { (failure: inout String?, action: SaveFailed) in
        failure = action.reason
      }
      Self.saving(on: disk, clock)
    }
    // GUIDE: end
    return store
  }

  @Test func `the list is loaded, and saved after a lull`() async throws {
    let (disk, clock) = (MemoryDisk(["milk"]), ManualClock())
    let store = try makeStore(disk, clock)
    // GUIDE: Loading
    store.dispatch(Load())
    // GUIDE: end
    while store.list.isEmpty { await Task.yield() }
    store.dispatch([ListAction.add("bread"), .add("tea")])
    await clock.waitForSleepers()
    #expect(disk.writes.count == 0)
    clock.move(by: .seconds(1))
    try await store.settled()
    #expect(disk.writes.values == [["milk", "bread", "tea"]])
  }

  @Test func `flush saves at once`() async throws {
    let (disk, clock) = (MemoryDisk(), ManualClock())
    let store = try makeStore(disk, clock)
    store.dispatch(ListAction.add("milk"))
    // GUIDE: Flushing
    func applicationDidEnterBackground() async throws {
      try await store.flush()
    }
    // GUIDE: end
    try await applicationDidEnterBackground()
    #expect(disk.writes.values == [["milk"]])
  }

  @Test func `a tool ends when the store has settled`() async throws {
    let (disk, clock) = (MemoryDisk(), ManualClock())
    let store = try makeStore(disk, clock)
    let lines = ["a", "b"]
    // GUIDE: A tool
    for line in lines { store.dispatch(ListAction.add(line)) }
    try await store.flush()
    // GUIDE: end
    #expect(disk.writes.values == [["a", "b"]])
  }

  @Test func `an error is a part of the state`() async throws {
    let (disk, clock) = (MemoryDisk(isBroken: true), ManualClock())
    let store = try makeStore(disk, clock)
    store.dispatch(ListAction.add("milk"))
    try await store.flush()
    #expect(store.failure == "The disk is full.")
  }

  @Test func `a store that is released before its save says so`() async throws {
    let (disk, clock) = (MemoryDisk(), ManualClock())
    let warnings = Recorder<StoreWarning>()
    do {
      let store = try makeStore(disk, clock, onWarning: { warnings.append($0) })
      store.dispatch(ListAction.add("milk"))
      await clock.waitForSleepers()
    }
    #expect(warnings.values.map(\.kind) == [.lostEffect])
    #expect(disk.writes.count == 0)
  }

  @Test func `the guide shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 6)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "Persistence") == marked)
  }
}
