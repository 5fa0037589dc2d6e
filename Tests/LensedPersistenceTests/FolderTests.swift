import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import LensedTesting
import Testing

@Suite struct FolderTests {
  private func open(_ folder: URL) throws(PersistenceError) -> Persistence<Board> {
    try Persistence<Board>(in: folder, writing: .eachCommit, onFailure: { _ in }) {
      for part in Board.kept() { part }
    }
  }

  /// The error of opening a folder, as text.
  private func fault(_ folder: URL) -> String {
    do throws(PersistenceError) {
      _ = try open(folder)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test func `the folder and its files are the user's alone`() async throws {
    try await withFolder { folder in
      let folder = folder.appending(path: "a/b")
      let disk = try open(folder)
      let store = try Board.makeStore(disk)
      store.dispatch(BoardAction.rename("kept"))
      try await disk.close()
      for name in ["", "lock", "segment-1.lensed"] {
        let path = name.isEmpty ? folder.path : folder.path + "/" + name
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == (name.isEmpty ? 0o700 : 0o600), "\(name)")
      }
    }
  }

  @Test func `a second persistence of a folder in the same process is refused`() async throws {
    try await withFolder { folder in
      let disk = try open(folder)
      #expect(fault(folder).contains("is in use by another process, or by another Persistence"))
      // By another way to the same folder, too.
      let link = folder.deletingLastPathComponent().appending(path: UUID().uuidString)
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
      defer { try? FileManager.default.removeItem(at: link) }
      #expect(throws: PersistenceError.self) { _ = try open(link) }
      try await disk.close()
      #expect(fault(folder) == "")
    }
  }

  @Test func `what is no folder, or cannot be one, is named`() async throws {
    try await withFolder { folder in
      try Data("file".utf8).write(to: folder)
      let text = fault(folder)
      #expect(text.contains("it failed to make \(folder.path)"), "\(text)")
      #expect(try Data(contentsOf: folder) == Data("file".utf8))
      #expect(throws: PersistenceError.self) {
        _ = try open(try #require(URL(string: "https://example.com/folder")))
      }
    }
  }

  @Test func `a disk that can only be read says so, when it is opened and when it has become one`()
    async throws
  {
    let sentence = """
      (Read-only file system). The file system can only be read: keep the folder on one that can be written, or \
      mount it so.
      """
    let faulty = FaultyStorage()
    faulty.fail(.lock, with: EROFS)
    #expect {
      _ = try Persistence(board: faulty)
    } throws: {
      "\($0)" == "Lensed: the state could not be kept: it failed to lock lock \(sentence)"
    }
    let disk = try Persistence(board: faulty)
    let store = try Board.makeStore(disk)
    faulty.fail(.append, with: EROFS, lasts: true)
    store.dispatch(BoardAction.rename("kept"))
    await #expect {
      try await disk.sync()
    } throws: {
      // The timer may have had a turn before: each attempt has a segment of its own.
      "\($0)".replacing(/segment-[0-9]+/, with: "segment")
        == "Lensed: the state could not be kept: it failed to write segment.lensed \(sentence)"
    }
    faulty.heal()
    try await disk.close()
    #expect(Board.makeBoard(try Persistence(board: faulty)) == store.state)
  }

  @Test func `links, devices, pipes and folders in place of files are refused`() async throws {
    try await withFolder { folder in
      let manager = FileManager.default
      try manager.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: "segment-1.lensed")
      let outside = folder.deletingLastPathComponent().appending(path: UUID().uuidString)
      try Data("outside".utf8).write(to: outside)
      defer { try? manager.removeItem(at: outside) }
      for target in [outside.path, "/dev/zero", "/dev/null"] {
        try manager.createSymbolicLink(atPath: file.path, withDestinationPath: target)
        #expect(fault(folder).contains("it failed to open segment-1.lensed (it is no plain file)"))
        try manager.removeItem(at: file)
      }
      #expect(unsafe mkfifo(file.path, 0o600) == 0)
      #expect(fault(folder).contains("no plain file"))
      try manager.removeItem(at: file)
      try manager.createDirectory(at: file, withIntermediateDirectories: false)
      #expect(fault(folder).contains("segment-1.lensed"))
      try manager.removeItem(at: file)
      try manager.createSymbolicLink(
        at: folder.appending(path: "lock2"), withDestinationURL: outside)
      #expect(fault(folder) == "")
      #expect(try Data(contentsOf: outside) == Data("outside".utf8))
    }
  }

  @Test func `a lock that is a link is refused`() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/lock", withDestinationPath: "/dev/null")
      #expect(fault(folder).contains("it failed to open lock"))
    }
  }

  @Test func `whatever stands in a folder is an error in bounded time, or is left alone`() throws {
    func segment(_ records: [String]) -> [UInt8] {
      var (writer, bytes) = (RecordWriter(), [UInt8]())
      for record in records { writer.add(record.utf8, to: &bytes) }
      return bytes + writer.mark()
    }
    let head = #"{"segment":1,"format":1}"#
    let deep = String(repeating: "[", count: 100_000)
    let hostile: [(String, [String])] = [
      ("no head", [#"{"commit":1}"#]),
      ("a head of another file", [#"{"segment":2,"format":1}"#]),
      ("a circle", [#"{"segment":1,"format":1,"after":{"segment":1,"bytes":9}}"#]),
      ("a missing segment", [#"{"segment":1,"format":1,"after":{"segment":0,"bytes":9}}"#]),
      ("two heads", [head, head, #"{"commit":1}"#]),
      ("an unknown record", [head, #"{"else":1}"#, #"{"commit":1}"#]),
      ("deep JSON", [head, #"{"part":"limits","version":1,"value":\#(deep)}"#, #"{"commit":1}"#]),
      ("deep rows", [head, #"{"part":"cards","version":1,"edited":\#(deep)}"#, #"{"commit":1}"#]),
      ("a deep commit", [head, #"{"commit":\#(deep)}"#]),
      (
        "a negative version",
        [head, #"{"part":"title","version":-1,"value":""}"#, #"{"commit":1}"#]
      ),
      (
        "a version too large",
        [head, #"{"part":"title","version":99999999999999999999,"value":""}"#, #"{"commit":1}"#]
      ),
      ("rows of no part", [head, #"{"part":"title","version":1,"edited":[]}"#, #"{"commit":1}"#]),
      (
        "a row behind none",
        [head, #"{"part":"cards","version":1,"placed":[{"after":7,"id":8}]}"#, #"{"commit":1}"#]
      ),
      ("a value for rows", [head, #"{"part":"cards","version":1,"value":[]}"#, #"{"commit":1}"#]),
      ("an open string", [head, #"{"part":"cards\"#, #"{"commit":1}"#]),
      ("a commit out of range", [head, #"{"commit":-1}"#]),
    ]
    for (name, records) in hostile {
      let memory = MemoryStorage(["segment-1.lensed": segment(records)])
      let files = memory.files
      #expect(throws: PersistenceError.self, "\(name)") { _ = try Persistence(board: memory) }
      #expect(memory.files == files)
    }
    let names = [
      "segment-0.lensed", "segment-01.lensed", "segment--1.lensed", "segment-.lensed",
      "segment-18446744073709551615.lensed", "segment-99999999999999999999.lensed", "snapshot-.new",
      "\u{0}", "..", "segment-1.lensed.bak", "damaged-segment-7.lensed",
    ]
    let memory = MemoryStorage(
      Dictionary(uniqueKeysWithValues: names.map { ($0, segment([#"{"else":1}"#])) }))
    let disk = try Persistence(board: memory)
    #expect(Board.makeBoard(disk) == Board())
    #expect(Set(memory.files.keys).isSuperset(of: names.filter { !$0.hasSuffix(".new") }))
  }

  @Test func `a snapshot that is missing, or half, is an error`() async throws {
    let memory = MemoryStorage()
    let disk = try Persistence(board: memory, compactingAt: 300)
    let store = try Board.makeStore(disk)
    for number in 0..<20 {
      store.dispatch(BoardAction.limit(number))
      try await disk.sync()
    }
    try await disk.close()
    // A commit behind the snapshot: a folder whose only file is missing is a new one.
    let next = try Persistence(board: memory)
    let again = try Board.makeStore(next)
    again.dispatch(BoardAction.limit(21))
    try await next.close()
    let name = try #require(memory.files.keys.first { $0.hasPrefix("snapshot-") })
    for content in [nil, [], memory.files[name]?.dropLast(9)] {
      var files = memory.files
      files[name] = content.map { Array($0) }
      #expect(throws: PersistenceError.self) { _ = try Persistence(board: MemoryStorage(files)) }
    }
  }
}

@Suite struct PersistenceGroupTests {
  private func open(
    _ group: PersistenceGroup, _ name: String
  ) throws(PersistenceError) -> Persistence<Board> {
    try group.persistence(named: name, writing: .eachCommit) {
      for part in Board.kept() { part }
    }
  }

  @Test func `each store of a group has a folder of its own`() async throws {
    try await withFolder { folder in
      let group = try PersistenceGroup(in: folder)
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        for number in 0..<20 {
          tasks.addTask {
            let disk = try open(group, "board-\(number)")
            let store = try Board.makeStore(disk)
            store.dispatch(BoardAction.rename("board \(number)"))
            try await disk.close()
          }
        }
        try await tasks.waitForAll()
      }
      #expect(try group.names().count == 20)
      for number in 0..<20 {
        #expect(Board.makeBoard(try open(group, "board-\(number)")).title == "board \(number)")
      }
    }
  }

  @Test func `a group has its folder, and each name of it is there once`() async throws {
    try await withFolder { folder in
      let group = try PersistenceGroup(in: folder)
      #expect(throws: PersistenceError.locked(folder: folder.path)) {
        _ = try PersistenceGroup(in: folder)
      }
      var disk: Persistence<Board>? = try open(group, "one")
      #expect(throws: PersistenceError.locked(folder: folder.path + "/one")) {
        _ = try open(group, "one")
      }
      try await disk?.close()
      disk = try open(group, "one")
      disk = nil
      _ = try open(group, "one")
      for name in [
        "", ".", "..", "a/b", "../x", "-x", ".x", "lock", "é", String(repeating: "a", count: 201),
      ] {
        #expect(throws: PersistenceError.name(name)) { _ = try open(group, name) }
      }
      _ = disk
    }
  }

  @Test func `a group that is closed leaves its folder at once, whoever still holds it`()
    async throws
  {
    try await withFolder { folder in
      let group = try PersistenceGroup(in: folder)
      let disk = try open(group, "one")
      #expect(throws: PersistenceError.locked(folder: folder.path + "/one")) { try group.close() }
      #expect(try group.names() == ["one"])
      try await disk.close()
      try group.close()
      let next = try PersistenceGroup(in: folder)
      #expect(throws: PersistenceError.closed) { _ = try open(group, "one") }
      #expect(throws: PersistenceError.closed) { try group.remove(named: "one") }
      try await open(next, "one").close()
      try group.close()
      #expect(throws: PersistenceError.locked(folder: folder.path)) {
        _ = try PersistenceGroup(in: folder)
      }
      try next.close()
    }
  }

  @Test func `however many stores there are, few files are open`() async throws {
    try await withFolder { folder in
      let group = try PersistenceGroup(in: folder)
      var stores: [(Store<Board>, Persistence<Board>)] = []
      let before = openFiles(in: folder)
      for number in 0..<60 {
        let disk = try open(group, "board-\(number)")
        let store = try Board.makeStore(disk)
        store.dispatch(BoardAction.limit(number))
        stores.append((store, disk))
      }
      for (_, disk) in stores { try await disk.sync() }
      #expect(openFiles(in: folder) == before)
      for (_, disk) in stores { try await disk.close() }
    }
  }

  /// How many files of a folder this process has open.
  private func openFiles(in folder: URL) -> Int {
    let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return links.count { link in
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\(link)")
      return target?.hasPrefix(folder.path) ?? false
    }
  }
}
