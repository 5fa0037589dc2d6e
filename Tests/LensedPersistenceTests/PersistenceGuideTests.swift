import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import Testing

/// What the article `KeepingState` shows, word for word: between the marks stand the very lines of its code.
@Suite("Contract: the code of the article on persistence", .timeLimit(.minutes(30)))
struct PersistenceGuideTests {
  // GUIDE: The board
  struct Board: Sendable {
    var settings = Settings()
    var draft = Draft()
    var cards = Entities<Card>()
    var selection: Int?
  }
  struct Settings: Codable, Sendable, Equatable { var isDark = false }
  struct Draft: Codable, Sendable, Equatable { var title = "", text = "" }
  struct Card: Codable, Sendable, Equatable, Identifiable { let id: Int; var text = "" }
  enum BoardAction: Action { case darken, write(String), add(Card) }
  // GUIDE: end

  struct DraftV1: Codable { var body: String }
  struct OldBoard { var draft = DraftV1(body: "") }

  @Test func `what was kept is there again`() async throws {
    try await withFolder { folder in
      try await keep(in: folder)
      let disk = try Persistence<Board>(in: folder, parts: parts)
      let store = try makeStore(disk)
      #expect(store.settings.isDark && store.cards.ids == [1])
      try await disk.close()
    }
  }

  private func keep(in folder: URL) async throws {
    // GUIDE: A persistence
    let disk = try Persistence<Board>(in: folder) {
      Kept(\.settings)
      Kept(\.draft)
      KeptRows(\.cards)
    }
    // GUIDE: end
    let store = try makeStore(disk)
    try await change(store, disk)
    try await disk.close()
  }

  private func makeStore(_ disk: Persistence<Board>) throws -> Store<Board> {
    // GUIDE: The store
    let store = try Store(initialState: Board(), middleware: [disk]) {
      Mutator(\.settings) { (settings: inout Settings, action: BoardAction) in
        if case .darken = action { settings.isDark = true }
      }
      Mutator(\.draft) { (draft: inout Draft, action: BoardAction) in
        if case .write(let text) = action { draft.text = text }
      }
      Mutator(\.cards) { (cards: inout Entities<Card>, action: BoardAction) in
        if case .add(let card) = action { cards.append(card) }
      }
      Constant(\.selection)
    }
    // GUIDE: end
    return store
  }

  private func change(_ store: Store<Board>, _ disk: Persistence<Board>) async throws {
    // GUIDE: A sync
    store.dispatch([BoardAction.darken, .add(Card(id: 1, text: "first"))])
    try await disk.sync()
    // GUIDE: end
  }

  @Test func `a draft is migrated`() async throws {
    try await withFolder { older in
      // What the first version of the app wrote.
      let old = try Persistence<OldBoard>(in: older) { Kept(\.draft) }
      let store = try Store(initialState: OldBoard(), middleware: [old]) {
        Mutator(\.draft) { (draft: inout DraftV1, _: ClearAction) in draft.body = "old" }
      }
      store.dispatch(ClearAction())
      try await old.close()
      // GUIDE: A migration
      let disk = try Persistence<Board>(in: older) {
        Kept(\.draft, version: 2) { version, old in
          Draft(title: "", text: try old.decode(DraftV1.self).body)
        }
      }
      // GUIDE: end
      #expect(try makeStore(disk).draft.text == "old")
      try await disk.close()
    }
  }

  @Test func `the status is told`() {
    let disk = try? Persistence<Board>(in: .memory, parts: parts)
    let shown = Recorder<String>()
    func show(_ text: String) { shown.append(text) }
    func showNothing() { shown.append("") }
    guard let disk else { return }
    // GUIDE: The status
    switch disk.status {
    case .healthy: showNothing()
    case .failing(let error, since: _): show("Not saved: \(error)")
    case .closed: break
    }
    // GUIDE: end
    #expect(shown.values == [""])
  }

  @PersistenceBuilder<Board> private func parts() -> [PersistedPart<Board>] {
    Kept(\.settings)
    Kept(\.draft)
    KeptRows(\.cards)
  }

  private func show(_ text: String) { Self.shown.append(text) }
  private static let shown = Recorder<String>()

  // GUIDE: Salvage
  func open(_ folder: URL) throws -> Persistence<Board> {
    do throws(PersistenceError) {
      return try Persistence(in: folder, parts: parts)
    } catch .damaged {
      let disk = try Persistence(in: folder, recovering: .salvage, parts: parts)
      for loss in disk.recovery.losses { show("Lost: \(loss)") }
      return disk
    }
  }
  // GUIDE: end

  @Test func `a damaged folder is opened`() async throws {
    try await withFolder { folder in
      try await keep(in: folder)
      let file = folder.appending(path: "segment-1.lensed")
      var bytes = try Data(contentsOf: file)
      bytes[30] ^= 1
      try bytes.write(to: file)
      let disk = try open(folder)
      #expect(!disk.recovery.setAside.isEmpty)
      #expect(Self.shown.values.count == 1)
      try await disk.close()
    }
  }

  private final class App: Sendable {
    let store: Store<Board>
    let disk: Persistence<Board>

    init(_ store: Store<Board>, _ disk: Persistence<Board>) {
      (self.store, self.disk) = (store, disk)
    }

    // GUIDE: The end
    func applicationDidEnterBackground() async throws {
      try await disk.sync()
    }

    func logOut() async throws {
      store.replaceState(Board())
      try await disk.erase()
    }
    // GUIDE: end
  }

  @Test func `a user logs out`() async throws {
    let memory = MemoryStorage()
    let disk = try Persistence(in: memory, parts: parts)
    let app = App(try makeStore(disk), disk)
    app.store.dispatch(BoardAction.write("secret"))
    try await app.applicationDidEnterBackground()
    try await app.logOut()
    try await disk.close()
    #expect(try makeStore(try Persistence(in: memory, parts: parts)).draft == Draft())
  }

  @Test func `a group has two boards`() async throws {
    try await withFolder { boards in
      // GUIDE: A group
      let group = try PersistenceGroup(in: boards)
      let first: Persistence<Board> = try group.persistence(named: "board-1", parts: parts)
      let second: Persistence<Board> = try group.persistence(named: "board-2", parts: parts)
      // GUIDE: end
      try await first.close()
      try await second.close()
      #expect(try group.names() == ["board-1", "board-2"])
    }
  }

  // GUIDE: A server
  final class Boards: Sendable {
    let group: PersistenceGroup
    let blueprint: StoreBlueprint<Board>

    init(in folder: URL, _ blueprint: StoreBlueprint<Board>) throws {
      (group, self.blueprint) = (try PersistenceGroup(in: folder), blueprint)
    }

    /// Opens a board with what was kept; once, as long as it is open.
    func open(_ name: String) throws -> (store: Store<Board>, disk: Persistence<Board>) {
      let disk: Persistence<Board> = try group.persistence(named: name) {
        Kept(\.draft)
        KeptRows(\.cards)
      }
      return (blueprint.makeStore(initialState: Board(), middleware: [disk]), disk)
    }
  }

  /// When this returns, the card is on the disk, and the request can be answered.
  func add(_ card: Card, to store: Store<Board>, _ disk: Persistence<Board>) async throws {
    store.dispatch(BoardAction.add(card))
    try await disk.sync()
  }
  // GUIDE: end

  @Test func `a server adds to two boards, and has them again`() async throws {
    try await withFolder { folder in
      let blueprint = try StoreBlueprint<Board> {
        Mutator(\.cards) { (cards: inout Entities<Card>, action: BoardAction) in
          if case .add(let card) = action { cards.append(card) }
        }
        Constant(\.settings)
        Constant(\.draft)
        Constant(\.selection)
      }
      let boards = try Boards(in: folder, blueprint)
      for round in 1...2 {
        for name in ["a", "b"] {
          let (store, disk) = try boards.open(name)
          try await add(Card(id: round), to: store, disk)
          #expect(store.cards.map(\.id) == Array(1...round))
          try await disk.close()
        }
      }
    }
  }

  @Test func `memory is a storage`() async throws {
    // GUIDE: Memory
    let memory = MemoryStorage()
    let disk = try Persistence(in: memory, parts: parts)
    // GUIDE: end
    try await disk.close()
    #expect(memory.files.isEmpty)
  }

  // GUIDE: A storage
  struct TableStorage: PersistenceStorage {
    let table: Table
    var name: String { table.name }

    func lock() throws {
      guard table.acquire() else { throw DiskFault(.locked, .lock, name) }
    }
    func unlock() { table.release() }
    func list() throws -> [String] { try table.keys() }
    func read(_ file: String, from offset: UInt64, count: Int) throws -> [UInt8] {
      try table.bytes(of: file, from: Int(offset), count: count)
    }
    func append(_ bytes: [UInt8], to file: String) throws { try table.append(bytes, to: file) }
    func sync(_ file: String) throws { try table.commit() }
    func publish(_ file: String, as name: String) throws {
      try table.rename(file, to: name)
      try table.commit()
    }
    func remove(_ file: String) throws { try table.delete(file) }
  }
  // GUIDE: end

  /// A table of blobs.
  final class Table: Sendable {
    let name = "a table"
    private let memory = MemoryStorage()

    func acquire() -> Bool { (try? memory.lock()) != nil }
    func release() { memory.unlock() }
    func keys() throws -> [String] { memory.list() }
    func bytes(of file: String, from offset: Int, count: Int) throws -> [UInt8] {
      try memory.read(file, from: UInt64(offset), count: count)
    }
    func append(_ bytes: [UInt8], to file: String) throws { memory.append(bytes, to: file) }
    func commit() throws {}
    func rename(_ file: String, to name: String) throws { try memory.publish(file, as: name) }
    func delete(_ file: String) throws { memory.remove(file) }
  }

  @Test func `a table keeps a board`() async throws {
    let table = Table()
    for round in 0..<3 {
      let disk = try Persistence(in: TableStorage(table: table), parts: parts)
      #expect(throws: PersistenceError.locked(folder: "a table")) {
        _ = try Persistence(in: TableStorage(table: table), parts: parts)
      }
      let store = try makeStore(disk)
      #expect(store.cards.count == round)
      store.dispatch(BoardAction.add(Card(id: round)))
      try await disk.close()
    }
  }

  @Test func `the article shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "KeepingState") == marked)
  }

  @Test func `the landing page shows a persistence`() async throws {
    try await withFolder { folder in
      typealias AppState = Board
      struct AddCard: Action { var text: String }
      let addCard = Mutator(\AppState.cards) { (cards: inout Entities<Card>, action: AddCard) in
        cards.append(Card(id: cards.count, text: action.text))
      }
      let settings = Constant<AppState>(\.settings)
      let draft = Constant<AppState>(\.draft)
      let selection = Constant<AppState>(\.selection)
      // LANDING: The example
      let disk = try Persistence<AppState>(in: folder) {
        Kept(\.settings)
        KeptRows(\.cards)
      }
      let store = try Store(initialState: AppState(), middleware: [disk]) {
        addCard; settings; draft; selection
      }
      store.dispatch(AddCard(text: "first"))
      try await disk.sync()
      // LANDING: end
      #expect(store.cards.count == 1)
    }
    let marked = try CodeRegions.marked("LANDING", in: #filePath)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "LensedPersistence") == marked)
  }
}
