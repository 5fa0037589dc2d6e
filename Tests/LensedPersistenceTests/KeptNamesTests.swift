import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import LensedTesting
import Testing

/// Names of parts, keys and rows that some file system would take for one, and names of files.
@Suite(.timeLimit(.minutes(30))) struct KeptNamesTests {
  /// A text that is compared byte by byte.
  private struct Key: Hashable, Codable, Sendable, CustomStringConvertible {
    var text: String

    init(_ text: String) { self.text = text }

    static func == (left: Key, right: Key) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) { hasher.combine(Array(text.utf8)) }

    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }

    var description: String { text }
  }

  private struct Row: Codable, Sendable, Equatable, Identifiable {
    var id: Key
    var number: Int
  }

  private struct Names: Sendable, Equatable {
    var first = 0
    var second = 0
    var third = 0
    var byKey: [Key: Int] = [:]
    var rows = Entities<Row>()
  }

  private enum Edit: Action {
    case put([Key: Int])
    case remove(Key)
  }

  private static let texts = [
    "a", "A", "ä", "a\u{308}", "Ä", "A\u{308}", "ß", "ẞ", "ss", "ı", "i", "I", "İ", "ﬁ", "fi", "K",
    "\u{212A}", "", " ", "\u{0}", "\u{FEFF}", "a/b", "..", ".", "lock", "a\nb", "\u{2028}", "\"",
    "\\",
    "e\u{301}\u{327}", "e\u{327}\u{301}", "\u{1F469}\u{200D}\u{1F469}",
    String(repeating: "x", count: 300),
  ]

  private func open(_ memory: MemoryStorage) throws -> (Persistence<Names>, Store<Names>) {
    let disk = try Persistence<Names>(in: memory, writing: .eachCommit, onFailure: { _ in }) {
      Kept(\.first, named: "title")
      Kept(\.second, named: "Title")
      Kept(\.third, named: "a/../title\n\u{0}")
      KeptRows(\.byKey)
      KeptRows(\.rows)
    }
    let store = try Store(initialState: Names(), middleware: [disk]) {
      Mutator(\.first) { (number: inout Int, action: Edit) in number += 1 }
      Mutator(\.second) { (number: inout Int, action: Edit) in number += 10 }
      Mutator(\.third) { (number: inout Int, action: Edit) in number += 100 }
      Mutator(\.byKey) { (byKey: inout [Key: Int], action: Edit) in
        switch action {
        case .put(let new): byKey.merge(new) { $1 }
        case .remove(let key): byKey[key] = nil
        }
      }
      Mutator(\.rows) { (rows: inout Entities<Row>, action: Edit) in
        switch action {
        case .put(let new):
          for (key, number) in new.sorted(by: { $0.value < $1.value }) {
            _ = rows.upsert(Row(id: key, number: number))
          }
        case .remove(let key): _ = rows.remove(id: key)
        }
      }
    }
    return (disk, store)
  }

  @Test func `names and keys that differ in case or in their Unicode form alone stay apart`()
    async throws
  {
    let memory = MemoryStorage()
    let all = Dictionary(
      uniqueKeysWithValues: Self.texts.enumerated().map { (Key($1), $0) })
    try #require(all.count == Self.texts.count)
    var expected = Names()
    for text in Self.texts {
      let (disk, store) = try open(memory)
      #expect(store.state == expected, "\(text)")
      store.dispatch(Edit.put(all))
      try await disk.sync()
      store.dispatch(Edit.remove(Key(text)))
      expected = store.state
      #expect(expected.byKey.count == all.count - 1 && expected.rows.count == all.count - 1)
      try await disk.close()
    }
    #expect(memory.files.keys.allSatisfy { $0.hasPrefix("segment-") || $0.hasPrefix("snapshot-") })
  }

  /// A storage that looks at the names that it is given.
  private final class WatchedStorage: PersistenceStorage {
    let memory = MemoryStorage()
    let names = Locked<Set<String>>([])
    let renames = Locked<[[String]]>([])

    var name: String { memory.name }
    func lock() throws { try memory.lock() }
    func unlock() { memory.unlock() }
    func list() -> [String] { memory.list() }
    func read(_ file: String, from offset: UInt64, count: Int) throws -> [UInt8] {
      note(file)
      return try memory.read(file, from: offset, count: count)
    }
    func append(_ bytes: [UInt8], to file: String) {
      note(file)
      memory.append(bytes, to: file)
    }
    func sync(_ file: String) { note(file) }
    func publish(_ file: String, as name: String) throws {
      note(file)
      note(name)
      renames.withLock { $0.append([file, name]) }
      try memory.publish(file, as: name)
    }
    func remove(_ file: String) {
      note(file)
      memory.remove(file)
    }

    private func note(_ file: String) { _ = names.withLock { $0.insert(file) } }
  }

  @Test func `files have few names, of one case, and what is renamed lies in the same folder`()
    async throws
  {
    let storage = WatchedStorage()
    for round in 0..<2 {
      let disk = try Persistence(
        board: storage, recovering: round == 0 ? .strictly : .salvage, compactingAt: 300)
      let store = try Board.makeStore(disk)
      for number in 0..<20 {
        store.dispatch([BoardAction.limit(number), .rename("\(number)")])
        try await disk.sync()
      }
      try await disk.erase()
      store.dispatch(BoardAction.limit(1))
      try await disk.sync()
      store.dispatch(BoardAction.limit(2))
      try await disk.close()
      // For the second round.
      for file in storage.memory.files.keys where file.hasSuffix(".lensed") {
        storage.memory.append([UInt8]("x".utf8), to: file)
        var (writer, mark) = (
          RecordWriter(at: UInt64(storage.memory.files[file]?.count ?? 0) + 1), [UInt8]()
        )
        storage.memory.append([UInt8]("\n".utf8), to: file)
        mark = writer.mark()
        storage.memory.append(mark, to: file)
      }
    }
    let names = storage.names.withLock { $0 }
    let plain = try Regex("(damaged-)?(segment|snapshot)-[0-9]+\\.(lensed|new)")
    for name in names { #expect(try plain.wholeMatch(in: name) != nil, "\(name)") }
    #expect(Set(names.map { $0.lowercased() }).count == names.count)
    let renames = storage.renames.withLock { $0 }
    #expect(renames.contains { $0[1].hasPrefix("snapshot-") })
    #expect(renames.contains { $0[1].hasPrefix("damaged-") })
    for rename in renames {
      #expect(rename[0].hasSuffix(".new") && rename[1].hasSuffix(".lensed"), "\(rename)")
    }
  }

  @Test func `a file that cannot be renamed across devices is named, and nothing is lost`()
    async throws
  {
    // A snapshot of the compaction, of a rewrite, of an erasure, and what a salvage sets aside.
    let faulty = FaultyStorage()
    faulty.fail(.publish, with: EXDEV, lasts: true)
    let disk = try Persistence(board: faulty, compactingAt: 300)
    let store = try Board.makeStore(disk)
    for number in 0..<30 {
      store.dispatch(BoardAction.limit(number))
      try await disk.sync()
      let kept = try Persistence(board: MemoryStorage(faulty.afterPowerCut(seed: UInt64(number))))
      #expect(Board.makeBoard(kept).limits.cards == number)
    }
    await #expect {
      try await disk.erase()
    } throws: { error in
      let text = "\(error)"
      return text.contains("failed to rename snapshot-") && text.contains("one file system")
    }
    try await disk.sync()
    #expect(Board.makeBoard(try Persistence(board: MemoryStorage(faulty.files))).limits.cards == 29)
    faulty.heal()
    try await disk.close()
    var files = faulty.files
    let name = try #require(files.keys.filter { $0.hasPrefix("segment") }.min())
    files[name]?[30] ^= 1
    let damaged = FaultyStorage(files)
    damaged.fail(.publish, with: EXDEV, lasts: true)
    #expect {
      _ = try Persistence(board: damaged, recovering: .salvage)
    } throws: {
      "\($0)".contains("failed to rename damaged-") && "\($0)".contains("one file system")
    }
    for (name, bytes) in files { #expect(damaged.files[name] == bytes) }
  }

  #if os(Linux) || os(macOS)
    @Test func `a file that somebody else makes in the folder is never written to, or removed`()
      async throws
    {
      try await withFolder { folder in
        func open() throws -> Persistence<Board> {
          try Persistence<Board>(in: folder, writing: .eachCommit, onFailure: { _ in }) {
            for part in Board.kept() { part }
          }
        }
        let disk = try open()
        let foreign = [1, 2, 4].map { folder.appending(path: "segment-\($0).lensed") }
        for file in foreign { try Data("foreign".utf8).write(to: file) }
        let store = try Board.makeStore(disk)
        for number in 0..<4 {
          store.dispatch(BoardAction.limit(number))
          var isSafe = false
          while !isSafe { isSafe = (try? await disk.sync()) != nil }
        }
        try await disk.close()
        for file in foreign { #expect(try Data(contentsOf: file) == Data("foreign".utf8)) }
        for file in foreign { try FileManager.default.removeItem(at: file) }
        #expect(Board.makeBoard(try open()).limits.cards == 3)
      }
    }
  #endif
}
