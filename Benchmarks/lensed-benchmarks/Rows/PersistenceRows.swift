import AllocationCounter
import Foundation
import Lensed
import LensedPersistence

/// The cost of keeping a state on the disk.
enum PersistenceRows {
  static var pairs: [Pair] { [idle, groups, largeGroups, restoring] }
  static var memory: [MemoryRow] { [memoryOfRestoring] }

  private static var idle: Pair {
    Pair(
      "persistence-idle",
      "a dispatch beside an idle persistence / beside an idle middleware",
      target: Target(atMost: 2, aim: 1),
      allocations: .atMost(1)
    ) {
      // Nothing is written while it is measured.
      let disk = try Persistence<CounterApp>(
        in: .memory, writing: .debounced(for: .seconds(600), atMost: .seconds(600))
      ) { Kept(\.profile.name) }
      let kept = try CounterApp.store(middleware: [disk])
      let past = try CounterApp.store(middleware: [IdleMiddleware<CounterApp>()])
      let action = CounterAction.sample
      return (
        .synchronous("Store with a persistence", keeping: disk) { turns in
          for _ in 0..<turns { kept.dispatch(action) }
        },
        .synchronous("Store with one middleware") { turns in
          for _ in 0..<turns { past.dispatch(action) }
        }
      )
    }
  }

  /// Four tasks edit rows, and each awaits that its commit is safe: what comes together is a group.
  private static var groups: Pair {
    Pair(
      "persistence-groups",
      "100 commits of four tasks made durable / raw append and sync of the same bytes in the same groups",
      target: Target(atMost: 1.75, aim: 1.2),
      share: 0.1
    ) {
      let folder = try Folder()
      let app = try KeptApp.make(in: folder.url.appending(path: "kept"), rows: 1_000)
      try await app.disk.sync()
      let raw = folder.url.appending(path: "raw")
      _ = FileManager.default.createFile(atPath: raw.path, contents: nil)
      let file = try FileHandle(forWritingTo: raw)
      return (
        .prepared(
          "Store, Persistence.sync", actions: 1,
          prepare: {
            app.noteSize()
            return app
          }
        ) { app in try await app.commitByTasks() },
        .prepared(
          "write, fsync", actions: 1, prepare: { (app.groupsSinceNote(), folder) }
        ) { written, _ in
          let bytes = Data(repeating: 120, count: written.bytes / written.groups)
          for _ in 0..<written.groups {
            try file.write(contentsOf: bytes)
            try file.synchronize()
          }
        }
      )
    }
  }

  /// Groups of 100 commits, each of which edits a row: what encoding costs beside one sync.
  private static var largeGroups: Pair {
    Pair(
      "persistence-large-groups",
      "100 commits made durable in one group / raw append and sync of the same bytes",
      target: Target(atMost: 4, aim: 1.5),
      share: 0.1
    ) {
      let folder = try Folder()
      let app = try KeptApp.make(in: folder.url.appending(path: "kept"), rows: 1_000)
      let raw = folder.url.appending(path: "raw")
      _ = FileManager.default.createFile(atPath: raw.path, contents: nil)
      let file = try FileHandle(forWritingTo: raw)
      let bytes = Data(repeating: 120, count: try await app.bytesOfGroup())
      return (
        .prepared("Store, Persistence.sync", actions: 1, prepare: { app }) { app in
          try await app.commitGroup()
        },
        .prepared("write, fsync", actions: 1, prepare: { folder }) { _ in
          try file.write(contentsOf: bytes)
          try file.synchronize()
        }
      )
    }
  }

  private static var restoring: Pair {
    Pair(
      "persistence-restoring",
      "restoring 50,000 rows / decoding the same JSON",
      target: Target(atMost: 1.5, aim: 1.2),
      share: 0.02
    ) {
      let folder = try Folder()
      let app = try KeptApp.make(in: folder.url, rows: 50_000)
      try await app.disk.close()
      let json = try JSONEncoder().encode(Array(app.store.rows))
      return (
        .prepared("Persistence", actions: 1, prepare: { folder }) { folder in
          let disk = try KeptApp.open(folder.url)
          let store = Store<KeptApp.State>(
            initialState: KeptApp.State(), coverage: .partial, middleware: [disk])
          swallow(store.rows.count)
          try await disk.close()
        },
        .prepared("JSONDecoder, Entities", actions: 1, prepare: { json }) { json in
          let rows = try JSONDecoder().decode(Entities<KeptApp.Row>.self, from: json)
          swallow(rows.count)
        }
      )
    }
  }
}

/// What restoring takes of memory.
extension PersistenceRows {
  /// Counted, by every block of the heap that any thread has.
  fileprivate static var memoryOfRestoring: MemoryRow {
    MemoryRow(
      "memory-restoring",
      "restoring 50,000 rows: the most at once, for each 100 bytes of the state",
      atMost: 200, aim: 150
    ) {
      if !allocation_counter_available() { return nil }
      let folder = try Folder()
      let app = try KeptApp.make(in: folder.url, rows: 50_000)
      try await app.disk.close()
      let json = try JSONEncoder().encode(Array(app.store.rows))
      allocation_counter_peak_begin()
      let rows = try JSONDecoder().decode(Entities<KeptApp.Row>.self, from: json)
      let state = allocation_counter_peak_now()
      swallow(rows.count)
      allocation_counter_peak_begin()
      let disk = try KeptApp.open(folder.url)
      let store = Store<KeptApp.State>(
        initialState: KeptApp.State(), coverage: .partial, middleware: [disk])
      let most = allocation_counter_peak_end()
      swallow(store.rows.count)
      try await disk.close()
      return 100 * Double(most) / Double(max(1, state))
    }
  }
}

/// Rows that are kept in a folder.
private final class KeptApp: Sendable {
  struct State: Sendable { var rows = Entities<Row>() }
  struct Row: Codable, Sendable, Equatable, Identifiable {
    let id: Int
    var title: String
    var count = 0
  }
  struct Raise: Action { let id: Int }
  struct Fill: Action { let count: Int }

  let store: Store<State>
  let disk: Persistence<State>
  private let folder: URL

  private init(_ store: Store<State>, _ disk: Persistence<State>, _ folder: URL) {
    (self.store, self.disk, self.folder) = (store, disk, folder)
  }

  static func open(_ folder: URL) throws -> Persistence<State> {
    try Persistence<State>(
      in: folder, writing: .debounced(for: .seconds(600), atMost: .seconds(600))
    ) { KeptRows(\.rows) }
  }

  static func make(in folder: URL, rows: Int) throws -> KeptApp {
    let disk = try open(folder)
    let store = try Store(initialState: State(), middleware: [disk]) {
      Mutator(\.rows) { (rows: inout Entities<Row>, action: Raise) in
        rows[id: action.id]?.count += 1
      }
      .on(Fill.self) { rows, action in
        for id in 0..<action.count { rows.append(Row(id: id, title: "The row of number \(id)")) }
      }
    }
    store.dispatch(Fill(count: rows))
    return KeptApp(store, disk, folder)
  }

  func commitGroup() async throws {
    for id in 0..<100 { store.dispatch(Raise(id: id)) }
    try await disk.sync()
  }

  /// Four tasks, 25 commits each, each of them awaited.
  func commitByTasks() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask { [store, disk] in
          for number in 0..<25 {
            store.dispatch(Raise(id: task * 25 + number))
            try await disk.sync()
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private let noted = Locked((bytes: 0, groups: 0))
  private let newest = Locked((bytes: 2_500, groups: 25))

  /// Notes what the folder has.
  func noteSize() {
    if let contents = try? contents() { noted.withLock { $0 = contents } }
  }

  /// What has been written since; what it was the last time, where a snapshot has taken the place of it.
  func groupsSinceNote() -> (bytes: Int, groups: Int) {
    let before = noted.withLock { $0 }
    if let after = try? contents(), after.bytes > before.bytes, after.groups > before.groups {
      newest.withLock { $0 = (after.bytes - before.bytes, after.groups - before.groups) }
    }
    return newest.withLock { $0 }
  }

  private func contents() throws -> (bytes: Int, groups: Int) {
    let commit = Data(#"{"commit":"#.utf8)
    var (bytes, groups) = (0, 0)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let content = try Data(contentsOf: folder.appending(path: name))
      bytes += content.count
      var start = content.startIndex
      while let found = content.range(of: commit, in: start..<content.endIndex) {
        groups += 1
        start = found.upperBound
      }
    }
    return (bytes, groups)
  }

  /// How many bytes a group has on the disk.
  func bytesOfGroup() async throws -> Int {
    try await disk.sync()
    let before = try size()
    try await commitGroup()
    return try size() - before
  }

  private func size() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(0) { sum, name in
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
      return sum + (attributes[.size] as? Int ?? 0)
    }
  }
}

/// A folder that goes with its object.
private final class Folder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "lensed-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
