import Foundation
import Testing

@Suite("Architecture: no arrow up, no circle, no big file")
struct ArchitectureTests {
  /// The rooms, from the ground up.
  private static let order = [
    "Internal", "Optics", "Actions", "Streams", "Reduction", "Store", "Effects", "Middleware",
    "History", "Presentation",
  ]

  /// What the module may import: parts of the toolchain, and the C library of each platform.
  private static let allowedImports: Set<String> = [
    "Synchronization", "Observation", "Darwin", "Glibc", "Musl", "Android", "WASILibc", "ucrt",
    // Of this package: one instruction, in C.
    "LensedThreadPointer",
  ]

  /// Read once for all tests.
  private static let reading = Result { try read() }
  private static let built = reading.map { House($0) }

  private let sources: [House.File]
  private let house: House

  init() throws {
    sources = try Self.reading.get()
    house = try Self.built.get()
  }

  @Test func `the sources are found and lie in known rooms`() {
    #expect(sources.count > 50)
    #expect(house.roomNames.subtracting(Self.order).sorted() == [])
    #expect(house.roomNames.isSuperset(of: Self.order.prefix(6)))
  }

  @Test func `no folder leans on a higher one`() {
    #expect(house.arrowsUp(order: Self.order) == [])
    #expect(house.rooms["Store"]?["Optics"]?.contains("Lens") ?? false, "arrows are seen at all")
  }

  @Test func `no circle between folders`() {
    #expect(House.circles(in: house.rooms) == [])
  }

  @Test func `no circle between files`() {
    #expect(House.circles(in: house.files) == [])
  }

  @Test func `no file over 400 lines`() {
    let big = sources.filter { $0.lineCount > 400 }.map { "\($0.path): \($0.lineCount)" }
    #expect(big == [])
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

  private static func read() throws -> [House.File] {
    let package = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let root = package.appending(path: "Sources/Lensed").resolvingSymlinksInPath()
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      return House.File(path: path, text: text)
    }
  }
}
