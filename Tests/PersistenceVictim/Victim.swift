import Foundation
import Lensed
import LensedPersistence

// A process that keeps a tally, and is killed by a test. It says on standard output, a line each, what is on the disk.

/// A count for each of four writers, told three times: nothing but whole commits keep them in step.
struct Tally: Sendable, Equatable {
  var counts = [0, 0, 0, 0]
  var total = 0
  var rows = Entities<Row>()

  struct Row: Sendable, Equatable, Codable, Identifiable {
    var id: String
    var writer: Int
  }

  /// What does not fit together; nil if all does.
  var fault: String? {
    if counts.reduce(0, +) != total { return "the counts \(counts) are not the total \(total)" }
    for writer in counts.indices {
      let count = rows.count { $0.writer == writer }
      if count != counts[writer] { return "\(counts[writer]) counted, \(count) rows" }
    }
    return nil
  }
}

/// One more of a writer.
struct Count: Action {
  var writer: Int
}

extension Tally {
  static func makeDisk(
    _ folder: URL, onFailure: (@Sendable (PersistenceError) -> Void)? = nil
  ) throws(PersistenceError) -> Persistence<Tally> {
    try Persistence(in: folder, writing: .eachCommit, onFailure: onFailure) {
      Kept(\.counts)
      Kept(\.total)
      KeptRows(\.rows)
    }
  }

  static func makeStore(_ disk: Persistence<Tally>) throws -> Store<Tally> {
    try Store(initialState: Tally(), middleware: [disk]) {
      Mutator(\.counts) { (counts: inout [Int], action: Count) in counts[action.writer] += 1 }
      Mutator(\.total) { (total: inout Int, action: Count) in total += 1 }
      Mutator(\.rows) { (rows: inout Entities<Row>, action: Count) in
        let number = rows.count { $0.writer == action.writer }
        rows.append(Row(id: "\(action.writer)-\(number)", writer: action.writer))
      }
    }
  }
}

@main
enum Victim {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { return }
    let folder = URL(filePath: arguments[2])
    do {
      switch arguments[1] {
      case "count": try await count(in: folder)
      case "hold": try await hold(folder)
      case "fill": try await fill(folder)
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

  /// Holds a folder until standard input ends.
  private static func hold(_ folder: URL) async throws {
    let disk = try Tally.makeDisk(folder)
    say("held")
    _ = FileHandle.standardInput.readDataToEndOfFile()
    try await disk.close()
  }

  /// Counts while no file may grow, and again while they may.
  private static func fill(_ folder: URL) async throws {
    signal(SIGXFSZ, SIG_IGN)
    let disk = try Tally.makeDisk(folder) { _ in }
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

  private static func limitFiles(to bytes: UInt64) {
    #if canImport(Glibc)
      let files = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
      let files = RLIMIT_FSIZE
    #endif
    var limit = rlimit()
    if unsafe getrlimit(files, &limit) != 0 { return }
    limit.rlim_cur = min(rlim_t(bytes), limit.rlim_max)
    _ = unsafe setrlimit(files, &limit)
  }
}
