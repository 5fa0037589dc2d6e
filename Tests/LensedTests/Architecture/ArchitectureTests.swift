import Foundation
import Testing

@Suite("Architecture: no arrow up, no circle, no big file")
struct ArchitectureTests {
  /// The rooms, from the ground up.
  ///
  /// Some are not built yet.
  private static let order = [
    "Internal", "Optics", "Actions", "Entities", "Reduction", "Ownership", "Routing", "Streams",
    "Work", "Commits", "Store", "Derived", "Effects", "Middleware", "History", "Presentation",
  ]

  /// What the module may import: parts of the toolchain, and the C library of each platform.
  private static let allowedImports: Set<String> = [
    "Synchronization", "Observation", "Darwin", "Glibc", "Musl", "Android", "WASILibc", "ucrt",
    // Of this package: one instruction, in C.
    "LensedThread",
  ]

  /// Read once for all tests.
  private static let sources = Result { try readSources() }
  private static let house = Result { try readHouse() }

  private let sources: [House.File]
  private let house: House

  init() throws {
    sources = try Self.sources.get()
    house = try Self.house.get()
  }

  @Test func `the sources are found and lie in known rooms`() {
    #expect(sources.count > 50)
    #expect(house.roomNames.subtracting(Self.order).sorted() == [])
    #expect(house.roomNames.isSuperset(of: Self.order.prefix(3)))
    let names = house.rooms["Store"]?["Optics"] ?? []
    #expect(names.contains("Lens"), "arrows are seen at all")
  }

  @Test func `no folder leans on a higher one`() {
    expectNone(house.arrowsUp(order: Self.order))
  }

  @Test func `no circle between folders`() {
    expectNone(house.roomCircles)
  }

  @Test func `each folder opens with a file that says what lives there and what it may use`() {
    for room in Self.order {
      let file = sources.first { $0.path == House.RoomFile.path(of: room) }
      #expect(file.flatMap(House.RoomFile.init) != nil, "\(House.RoomFile.path(of: room))")
    }
  }

  @Test func `no folder leans on one that its own file does not allow`() {
    let files = sources.filter { $0.path == House.RoomFile.path(of: $0.room) }
      .compactMap(House.RoomFile.init)
    let allowed = House.allowed(by: files)
    for (room, others) in allowed {
      #expect(others.subtracting(Self.order) == [], "\(room) may use rooms that there are not")
    }
    expectNone(house.arrowsBeyond(allowed))
  }

  @Test func `the files that decide something are those that there are`() throws {
    let document = try String(
      contentsOf: Self.package.appending(path: "docs/architecture.md"), encoding: .utf8)
    let section = try #require(
      document.split(separator: "\n## ").first { $0.hasPrefix("Where is it decided?") })
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
    let named = rows.flatMap { row in row.matches(of: /`([^`]+\.swift)`/).map { String($0.1) } }
    #expect(rows.count >= 10)
    for row in rows where !row.hasPrefix("|---") {
      #expect(row.contains(/`[^`]+\.swift`/), "a row without a file: \(row)")
    }
    #expect(Set(named).subtracting(sources.map(\.path)).sorted() == [])
  }

  @Test func `no file over 600 lines, but what is made of others`() throws {
    let files = try ["Sources", "Tests", "Benchmarks"].flatMap { folder in
      try Self.files(in: Self.package.appending(path: folder)).map { path, text in
        House.File(path: "\(folder)/\(path)", text: text, code: "")
      }
    }
    #expect(files.count > 500)
    let made = files.filter { $0.text.hasPrefix("// swift-format-ignore-file\n// Made of ") }
    #expect(made.map(\.path) == ["Sources/LensedInspector/InspectorPage.swift"])
    expectNone(
      House.bigFiles(files.filter { file in !made.contains { $0.path == file.path } }, limit: 600))
  }

  @Test func `no Foundation, and nothing from elsewhere`() {
    let strangers = sources.flatMap { file in
      file.code.split(separator: "\n").compactMap { line -> String? in
        let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        guard let keyword = words.firstIndex(of: "import"), words.count > keyword + 1 else {
          return nil
        }
        let module = String(words[keyword + 1])
        return Self.allowedImports.contains(module) ? nil : "\(file.path): \(module)"
      }
    }
    #expect(strangers == [])
  }

  @Test func `@unchecked Sendable in Internal alone`() {
    let unchecked = sources.filter { $0.code.contains("@unchecked") }
    #expect(unchecked.filter { $0.room != "Internal" }.map(\.path) == [])
    #expect(!unchecked.isEmpty, "it is seen at all")
  }

  @Test func `unsafe expressions in Internal alone`() {
    let unsafe = sources.filter { $0.code.contains(/\bunsafe\b/) }
    #expect(unsafe.filter { $0.room != "Internal" }.map(\.path) == [])
    #expect(!unsafe.isEmpty, "it is seen at all")
  }

  @Test
  func `tasks that prefer an executor are made in the one file that says why not without one`() {
    let makers = sources.filter { $0.code.contains("executorPreference:") }
    #expect(makers.map(\.path) == ["Internal/Tasks.swift"])
  }

  /// A raw identifier has backticks of its own, and would get two.
  @Test func `messages put names between backticks by code: alone`() throws {
    // They write Swift, or are what `code:` itself calls.
    let others = ["Way.swift", "MessageText.swift", "PastedTest.swift", "PastedText.swift"]
    let files = try Self.files(in: Self.package.appending(path: "Sources"))
    let lines = files.filter { path, _ in !others.contains { path.hasSuffix($0) } }
      .flatMap { path, text in
        text.split(separator: "\n").filter { line in
          !line.drop { $0 == " " }.hasPrefix("//") && line.contains(/`\\\([^`]*\)`/)
        }.map { "\(path): \($0)" }
      }
    #expect(files.count > 200)
    #expect(lines == [])
  }

  /// `write(_:)` of a file handle traps where the disk is full or the stream is closed.
  @Test func `nothing writes to a standard stream in a way that can end the process`() throws {
    let files = try Self.files(in: Self.package.appending(path: "Sources"))
    let writers = files.filter { _, text in text.contains("FileHandle.standard") }
    #expect(!writers.isEmpty, "it is seen at all")
    let trapping = writers.filter { _, text in
      text.contains(/FileHandle\.standard\w+\.write\((?!\s*contentsOf:)/)
    }
    #expect(trapping.map(\.path) == [])
  }

  /// One that has moved would be left out without a word.
  @Test func `the rooms of tests that the steps of .ci/run name are there`() throws {
    let script = try String(contentsOf: Self.package.appending(path: ".ci/run"), encoding: .utf8)
    let rooms = script.matches(of: /(?:LENSED_TEST_ROOMS|\brooms|\braces)\+?="([^"]*)"/)
      .flatMap { $0.1.split(separator: " ") }
      .filter { !$0.hasPrefix("$") }
    #expect(rooms.count > 10)
    let missing = rooms.filter { room in
      ["Tests", "Tests/LensedTests"].allSatisfy { folder in
        let path = Self.package.appending(path: "\(folder)/\(room)").path
        return !FileManager.default.fileExists(atPath: path)
      }
    }
    #expect(missing == [])
  }

  /// Fails with the sentence of each complaint.
  private func expectNone(_ complaints: [House.Complaint]) {
    for complaint in complaints { Issue.record(Comment(rawValue: complaint.sentence)) }
  }

  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().resolvingSymlinksInPath()
  private static let root = package.appending(path: "Sources/Lensed")

  private static func readSources() throws -> [House.File] {
    try files(in: root).map { House.File(path: $0.path, text: $0.text) }
  }

  private static func files(in folder: URL) throws -> [(path: String, text: String)] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    // The code of the tutorials stands in the catalogue.
    let own = paths.filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }
    return try own.sorted().map { path in
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      return (path, text)
    }
  }

  /// As the compiler's index shows it or, where there is none, as the names in the files do.
  private static func readHouse() throws -> House {
    let sources = try sources.get()
    return House(sources)
  }
}
