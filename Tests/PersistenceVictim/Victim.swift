import Foundation
import Lensed
import LensedPersistence

// A process that keeps a tally, and is killed by a test. It says on standard output, a line each, what is on the disk.

/// A count for each of four writers, told three times: nothing but whole commits keep them in step.
///
/// However long it goes on, it stays small, so that a process that reads it is soon there to be killed again.
struct Tally: Sendable, Equatable, Codable {
  var counts = [0, 0, 0, 0]
  var total = 0
  var rows = Entities<Row>()

  struct Row: Sendable, Equatable, Codable, Identifiable {
    var id: String
    var writer: Int
    var number: Int
  }

  /// How many rows of a writer stay: its newest ones.
  static let rowsOfWriter = 6

  /// Counts one of a writer, as a new row, and removes its oldest one.
  static func count(_ writer: Int, in rows: inout Entities<Row>) {
    let newest = rows.last { $0.writer == writer }?.number ?? 0
    rows.append(Row(id: "\(writer)-\(newest + 1)", writer: writer, number: newest + 1))
    _ = rows.remove(id: "\(writer)-\(newest + 1 - rowsOfWriter)")
  }

  /// What does not fit together; nil if all does.
  var fault: String? {
    if counts.reduce(0, +) != total { return "the counts \(counts) are not the total \(total)" }
    for (writer, count) in counts.enumerated() {
      let numbers = rows.filter { $0.writer == writer }.map(\.number)
      if numbers != Array((1...max(1, count)).suffix(min(count, Self.rowsOfWriter))) {
        return "\(count) counted, and the rows are \(numbers)"
      }
    }
    return nil
  }
}

/// One more of a writer.
struct Count: Action, Codable {
  var writer: Int
  /// Changes nothing, and is long.
  var note = ""
}

extension Tally {
  static func makeDisk(
    _ folder: URL, onFailure: @escaping @Sendable (PersistenceError) -> Void = { _ in }
  ) throws(PersistenceError) -> Persistence<Tally> {
    var options = PersistenceOptions(writing: .eachCommit, onFailure: onFailure)
    // A snapshot is soon due, so that some processes are killed while they write one.
    options.minimalSegments = 2_000
    return try Persistence(in: folder, kept(), options)
  }

  @PersistenceBuilder<Tally> static func kept() -> [PersistedPart<Tally>] {
    Kept(\.counts)
    Kept(\.total)
    KeptRows(\.rows)
  }

  static let registry = ActionRegistry(.json).adding(Count.self)

  static func makeStore(_ middleware: any Middleware<Tally>...) throws -> Store<Tally> {
    try Store(initialState: Tally(), middleware: middleware) {
      Mutator(\.counts) { (counts: inout [Int], action: Count) in counts[action.writer] += 1 }
      Mutator(\.total) { (total: inout Int, action: Count) in total += 1 }
      Mutator(\.rows) { (rows: inout Entities<Row>, action: Count) in
        Tally.count(action.writer, in: &rows)
      }
    }
  }
}

@main
enum Victim {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else { return }
    let folder = URL(filePath: arguments[2])
    do {
      switch arguments[1] {
      case "count": try await count(in: folder)
      case "hold": try await hold(folder)
      case "hold-group": try await holdGroup(folder)
      case "fill": try await fill(folder)
      case "record": try record(in: folder)
      case "fill-partly": try await fillPartly(folder)
      case "fill-group":
        try await fillGroup(folder, arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0)
      case "group": try await group(folder, arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0)
      default: break
      }
    } catch {
      say("fault \(error)")
    }
  }

  /// Says something at once.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  /// Four writers count for ever, and say what is safe.
  private static func count(in folder: URL) async throws {
    let disk = try Tally.makeDisk(folder)
    let store = try Tally.makeStore(disk)
    if let fault = store.state.fault { return say("fault \(fault)") }
    let start = store.counts
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          var count = start[writer]
          while true {
            store.dispatch(Count(writer: writer))
            count += 1
            do throws(PersistenceError) {
              try await disk.sync()
              say("safe \(writer) \(count)")
            } catch {
              say("fault \(error)")
            }
          }
        }
      }
    }
  }

  /// Counts, and says how many commits the session in the folder has by then.
  private static func record(in folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let recorder = try SessionRecorder<Tally>(
      to: folder.appending(path: "a.lensed"), Tally.registry)
    let store = try Tally.makeStore(recorder)
    // So long that some are killed in the middle of one.
    let note = String(repeating: "x", count: 20_000)
    for number in 1...200 {
      store.dispatch(Count(writer: number % 4, note: note))
      say("\(number)")
    }
    _ = FileHandle.standardInput.readDataToEndOfFile()
  }

  /// Holds a folder until standard input ends.
  private static func hold(_ folder: URL) async throws {
    let disk = try Tally.makeDisk(folder)
    say("held")
    _ = FileHandle.standardInput.readDataToEndOfFile()
    try await disk.close()
  }

  /// Holds the folder of a group, and a store of it, until standard input ends.
  private static func holdGroup(_ folder: URL) async throws {
    let group = try PersistenceGroup(in: folder)
    let disk = try group.persistence(named: "one") { for part in Tally.kept() { part } }
    say("held")
    _ = FileHandle.standardInput.readDataToEndOfFile()
    try await disk.close()
    try group.close()
  }

  /// Many stores, a folder each, with fewer open files than there are stores; and again from what they have kept.
  private static func group(_ folder: URL, _ count: Int) async throws {
    limit(openFiles, to: 32)
    let group = try PersistenceGroup(in: folder)
    let watch = Watch()
    for round in 1...2 {
      var stores: [(Store<Tally>, Persistence<Tally>)] = []
      for number in 0..<count {
        let disk = try group.persistence(named: "store-\(number)", writing: .eachCommit) {
          for part in Tally.kept() { part }
        }
        let store = try Tally.makeStore(disk)
        for _ in 1..<round { store.dispatch(Count(writer: 1)) }
        stores.append((store, disk))
      }
      // All at once.
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        for (number, (store, disk)) in stores.enumerated() {
          tasks.addTask {
            store.dispatch(Count(writer: number % 4))
            try await disk.sync()
          }
        }
        try await tasks.waitForAll()
      }
      for (number, (store, disk)) in stores.enumerated() {
        var counts = [0, 0, 0, 0]
        counts[number % 4] = round
        counts[1] += round - 1
        if store.state.fault != nil || store.counts != counts {
          say("fault: store \(number) has \(store.counts) in round \(round)")
        }
        try await disk.close()
      }
    }
    let most = watch.end()
    say("threads \(most.threads) files \(most.files) folders \(try group.names().count)")
  }

  /// Many stores that count while no file may grow, and again while they may.
  private static func fillGroup(_ folder: URL, _ count: Int) async throws {
    signal(SIGXFSZ, SIG_IGN)
    let group = try PersistenceGroup(in: folder)
    func open(_ number: Int) throws -> (store: Store<Tally>, disk: Persistence<Tally>) {
      let disk = try group.persistence(
        of: Tally.self, named: "store-\(number)", writing: .eachCommit, onFailure: { _ in }
      ) { for part in Tally.kept() { part } }
      return (try Tally.makeStore(disk), disk)
    }
    let stores = try (0..<count).map(open)
    /// Counts in each store, and returns in how many that was safe.
    @Sendable func countAll(_ writer: Int) async -> Int {
      await withTaskGroup(of: Bool.self) { tasks in
        for (store, disk) in stores {
          tasks.addTask {
            store.dispatch(Count(writer: writer))
            return (try? await disk.sync()) != nil
          }
        }
        return await tasks.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
    }
    let before = await countAll(0)
    limitFiles(to: 0)
    let full = await countAll(1)
    limitFiles(to: .max)
    let after = await countAll(2)
    for (_, disk) in stores { try await disk.close() }
    var kept = 0
    for number in 0..<count {
      let (store, disk) = try open(number)
      if store.state.fault == nil && store.counts == [1, 1, 1, 0] { kept += 1 }
      try await disk.close()
    }
    say("safe \(before) full \(full) healed \(after) kept \(kept)")
  }

  /// Counts while no file may grow, and again while they may.
  private static func fill(_ folder: URL) async throws {
    signal(SIGXFSZ, SIG_IGN)
    let disk = try Tally.makeDisk(folder)
    let store = try Tally.makeStore(disk)
    store.dispatch(Count(writer: 0))
    try await disk.sync()
    limitFiles(to: 0)
    store.dispatch(Count(writer: 1))
    do throws(PersistenceError) {
      try await disk.sync()
      say("fault: no file may grow, and it was kept")
    } catch {
      say("failed \(error)")
    }
    limitFiles(to: .max)
    store.dispatch(Count(writer: 2))
    try await disk.sync()
    say("healed")
  }

  /// Counts while files may grow by some bytes: writes are cut short, at each byte of a group.
  private static func fillPartly(_ folder: URL) async throws {
    signal(SIGXFSZ, SIG_IGN)
    let disk = try Tally.makeDisk(folder)
    let store = try Tally.makeStore(disk)
    store.dispatch(Count(writer: 0))
    try await disk.sync()
    var (failed, healed) = (0, 0)
    for bytes in stride(from: 1, to: 2_000, by: 23) {
      limitFiles(to: UInt64(bytes))
      store.dispatch(Count(writer: 1))
      if (try? await disk.sync()) == nil { failed += 1 }
      limitFiles(to: .max)
      store.dispatch(Count(writer: 2))
      if (try? await disk.sync()) != nil { healed += 1 }
    }
    say("failed \(failed > 0) healed \(healed)")
  }

  private static func limitFiles(to bytes: UInt64) {
    limit(sizeOfFiles, to: bytes)
  }

  #if canImport(Glibc)
    private static let sizeOfFiles = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    private typealias Resource = __rlimit_resource_t
  #else
    private static let sizeOfFiles = RLIMIT_FSIZE
    private static let openFiles = RLIMIT_NOFILE
    private typealias Resource = CInt
  #endif

  private static func limit(_ resource: Resource, to number: UInt64) {
    var limit = rlimit()
    if unsafe getrlimit(resource, &limit) != 0 { return }
    limit.rlim_cur = min(rlim_t(number), limit.rlim_max)
    _ = unsafe setrlimit(resource, &limit)
  }
}

/// Looks, again and again, how many threads and open files this process has.
private final class Watch: Sendable {
  private let most = Locked((threads: 0, files: 0, isOver: false))
  private let ended = DispatchSemaphore(value: 0)

  init() {
    Thread.detachNewThread { [self] in
      while !most.withLock({ $0.isOver }) { look() }
      ended.signal()
    }
  }

  private func look() {
    let threads = Self.count("/proc/self/task")
    let files = Self.count("/proc/self/fd")
    most.withLock { most in
      most.threads = max(most.threads, threads)
      most.files = max(most.files, files)
    }
  }

  func end() -> (threads: Int, files: Int) {
    most.withLock { $0.isOver = true }
    ended.wait()
    return most.withLock { ($0.threads, $0.files) }
  }

  private static func count(_ folder: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
  }
}
