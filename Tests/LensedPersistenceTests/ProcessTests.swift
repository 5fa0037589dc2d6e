#if os(Linux) || os(macOS)
  import Foundation
  import Lensed
  import LensedPersistence
  import LensedTestSupport
  import Testing

  @testable import persistence_victim

  /// A child process that writes, and the lines that it says.
  ///
  /// Whoever waits for it waits on its queue, and takes no thread from other tests. It is used by one task at a time, and
  /// `rest` on its queue alone.
  private final class Child: @unchecked Sendable {
    private let program: Program
    private let queue = DispatchQueue(label: "child")
    private var rest = Data()

    init(_ mode: String, _ folder: URL, _ more: String...) throws {
      program = try Program(
        builtBesideTheTests: "persistence-victim", [mode, folder.path] + more, input: .pipe,
        output: .pipe)
    }

    /// The next line; nil when it has ended.
    func line() async -> String? { await waiting { $0.readLine() } }

    /// Kills it.
    ///
    /// - Returns: How it has ended.
    @discardableResult
    func kill() async -> Int32 {
      program.kill()
      return await program.ended()
    }

    func end() async {
      try? program.input?.close()
      await program.ended()
    }

    private func waiting<Value: Sendable>(_ body: @escaping @Sendable (Child) -> Value) async
      -> Value
    {
      await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: body(self)) }
      }
    }

    private func readLine() -> String? {
      while true {
        if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          defer { rest = Data(rest[rest.index(after: end)...]) }
          return String(decoding: rest[..<end], as: UTF8.self)
        }
        let further = program.output?.availableData ?? Data()
        if further.isEmpty { return nil }
        rest += further
      }
    }
  }

  @Suite(.serialized) struct ProcessTests {
    @Test func `a process that is killed at any time loses nothing that it was told is safe`()
      async throws
    {
      // 80 times, in four folders; in the long form 5,000 times, in 20.
      let isLong = VerificationLength.factor > 1
      let (folders, kills) = isLong ? (VerificationLength.factor, 250) : (4, 20)
      let killed = try await withThrowingTaskGroup(of: Int.self) { group in
        for seed in 0..<UInt64(folders) {
          group.addTask {
            try await withFolder(in: inMemory) {
              try await kill(kills, in: $0, seed: seed)
            }
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(killed == folders * kills)
    }

    /// What is killed leaves in the cache of the system what it wrote: where there is a file system in memory, its
    /// synchronising costs nothing, and more processes are killed in the same time.
    private var inMemory: URL {
      let shared = URL(filePath: "/dev/shm")
      return FileManager.default.isWritableFile(atPath: shared.path)
        ? shared : FileManager.default.temporaryDirectory
    }

    /// Kills so many processes, one after another.
    ///
    /// - Returns: How many of them were killed, and had not ended before.
    private func kill(_ count: Int, in folder: URL, seed: UInt64) async throws -> Int {
      var generator = SeededGenerator(seed: seed)
      var (safe, killed) = ([0, 0, 0, 0], 0)
      for round in 0..<count {
        let child = try Child("count", folder)
        var lines = Int.random(in: 0..<12, using: &generator)
        while lines > 0, let line = await child.line() {
          lines -= 1
          note(line, &safe)
        }
        if await child.kill() == -SIGKILL { killed += 1 }
        // What it said before it was killed.
        while let line = await child.line() { note(line, &safe) }
        let disk = try Tally.makeDisk(folder)
        let state = try Tally.makeStore(disk).state
        #expect(state.fault == nil, "round \(round)")
        for writer in 0..<4 {
          // One more may be there that was not told yet.
          #expect(
            (safe[writer]...safe[writer] + 1).contains(state.counts[writer]),
            "round \(round), writer \(writer)")
        }
        safe = state.counts
        try await disk.close()
      }
      #expect(safe.reduce(0, +) > count)
      return killed
    }

    @Test func `the session of a process that is killed is read to its last whole record`()
      async throws
    {
      let rounds = VerificationLength.factor > 1 ? 200 : 4
      var generator = SeededGenerator(seed: 36)
      for round in 0..<rounds {
        try await withFolder(in: inMemory) { folder in
          let child = try Child("record", folder)
          var lines = Int.random(in: 1..<60, using: &generator)
          var told = 0
          while lines > 0, let line = await child.line() {
            lines -= 1
            told = try #require(Int(line), "\(line)")
          }
          #expect(await child.kill() == -SIGKILL)
          // What it said before it was killed.
          while let line = await child.line() { told = try #require(Int(line), "\(line)") }
          let file = folder.appending(path: "a.lensed")
          let session = try RecordedSession<Tally>(reading: file, Tally.registry, .lenient)
          // One more may be there that was not told yet.
          #expect((told...told + 1).contains(session.count), "round \(round)")
          let store = try Tally.makeStore()
          store.replay(session) { step, state in
            #expect(state.total == step && state.fault == nil, "round \(round), commit \(step)")
          }
          var records = try SessionFile(file)
          while try records.next() != nil {}
          if let byte = records.tornAt {
            #expect(throws: SessionError.cutOff(file: "a.lensed", byte: byte)) {
              try RecordedSession<Tally>(reading: file, Tally.registry, .strict)
            }
          } else {
            let strict = try RecordedSession<Tally>(reading: file, Tally.registry, .strict)
            #expect(strict.count == session.count)
          }
        }
      }
    }

    private func note(_ line: String, _ safe: inout [Int]) {
      let words = line.split(separator: " ")
      guard words.count == 3, words[0] == "safe", let writer = Int(words[1]),
        let count = Int(words[2])
      else {
        Issue.record("\(line)")
        return
      }
      safe[writer] = max(safe[writer], count)
    }

    @Test
    func `a folder belongs to one process at a time, and to the next one when that is killed`()
      async throws
    {
      try await withFolder { folder in
        let child = try Child("hold", folder)
        #expect(await child.line() == "held")
        #expect(throws: PersistenceError.locked(folder: folder.path)) {
          _ = try Tally.makeDisk(folder)
        }
        await child.kill()
        let disk = try Tally.makeDisk(folder)
        let second = try Child("hold", folder)
        #expect(await second.line()?.hasPrefix("fault Lensed: the folder") == true)
        await second.end()
        try await disk.close()
      }
    }

    @Test
    func `a folder in that of a group of another process is refused, and the other way round`()
      async throws
    {
      try await withFolder { parent in
        let child = try Child("hold-group", parent)
        #expect(await child.line() == "held")
        for (path, word) in [
          ("", "in use by another process"), ("one", "which a PersistenceGroup has"),
          ("two", "which a PersistenceGroup has"), ("one/inner", "which a PersistenceGroup has"),
        ] {
          let folder = path.isEmpty ? parent : parent.appending(path: path)
          #expect("\(path)") { _ = try Tally.makeDisk(folder) } throws: { "\($0)".contains(word) }
          #expect("\(path)") {
            _ = try PersistenceGroup(in: folder)
          } throws: {
            "\($0)".contains(word)
          }
        }
        #expect(!FileManager.default.fileExists(atPath: parent.path + "/two"))
        await child.kill()
        try await Tally.makeDisk(parent.appending(path: "one")).close()
      }
      try await withFolder { parent in
        let child = try Child("hold", parent.appending(path: "one"))
        #expect(await child.line() == "held")
        let group = try PersistenceGroup(in: parent)
        func open(_ name: String) throws -> Persistence<Tally> {
          try group.persistence(named: name) { for part in Tally.kept() { part } }
        }
        #expect { _ = try open("one") } throws: { "\($0)".contains("which a PersistenceGroup has") }
        #expect {
          try group.remove(named: "one")
        } throws: {
          "\($0)".contains("which a PersistenceGroup has")
        }
        try await open("two").close()
        await child.kill()
        try await open("one").close()
        try group.close()
      }
    }

    #if os(Linux)
      @Test func `a folder that was closed is free, though a process is just being started`()
        async throws
      {
        try await withFolder { folder in
          let disk = try Tally.makeDisk(folder)
          // As in a process between its beginning and that of its program.
          let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
          let lock = try #require(
            files.compactMap(Int32.init).first {
              (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))
                == folder.resolvingSymlinksInPath().path + "/lock"
            })
          let copy = dup(lock)
          defer { _ = close(copy) }
          try await disk.close()
          try await Tally.makeDisk(folder).close()
        }
      }
    #endif

    @Test func `a group of many stores needs a bounded number of open files and of threads`()
      async throws
    {
      try await withFolder { folder in
        let count = VerificationLength.factor > 1 ? 10_000 : 60
        let child = try Child("group", folder, "\(count)")
        // The process may have 32 open files.
        let words = (await child.line() ?? "").split(separator: " ")
        await child.end()
        try #require(words.count == 6 && words[0] == "threads", "\(words)")
        #expect(words[5] == "\(count)")
        #if os(Linux)
          let (threads, files) = (try #require(Int(words[1])), try #require(Int(words[3])))
          #expect((1...32).contains(files))
          // Five queues work at once. Workers that have ended are there a little longer, on a busy machine 20 of them.
          #expect((1...64).contains(threads))
        #endif
      }
    }

    @Test func `a disk that is full fails each store of a group, and then keeps them all`()
      async throws
    {
      try await withFolder(in: inMemory) { folder in
        let count = VerificationLength.factor > 1 ? 10_000 : 40
        let child = try Child("fill-group", folder, "\(count)")
        #expect(await child.line() == "safe \(count) full 0 healed \(count) kept \(count)")
        await child.end()
      }
    }

    @Test func `writes that are cut short at any byte leave nothing half written`() async throws {
      try await withFolder(in: inMemory) { folder in
        let child = try Child("fill-partly", folder)
        #expect(await child.line() == "failed true healed 87")
        await child.end()
        let disk = try Tally.makeDisk(folder)
        let state = try Tally.makeStore(disk).state
        #expect(state.fault == nil && state.counts == [1, 87, 87, 0])
        try await disk.close()
      }
    }

    @Test func `a full disk is an error, and what could not be written comes when there is room`()
      async throws
    {
      try await withFolder { folder in
        let child = try Child("fill", folder)
        let failure = await child.line() ?? ""
        #expect(failure.hasPrefix("failed Lensed: the state could not be kept"), "\(failure)")
        #expect(await child.line() == "healed")
        await child.end()
        let disk = try Tally.makeDisk(folder)
        #expect(try Tally.makeStore(disk).counts == [1, 1, 1, 0])
        try await disk.close()
      }
    }
  }
#endif
