#if os(macOS) || os(Linux)
  import Foundation
  import LensedTestSupport
  import Testing

  /// The blocks of each guide as a stranger pastes them: all of one page, top to bottom, with nothing else.
  ///
  /// A later block may declare a name anew, so each block is a scope inside of the one before. All pages are type-checked
  /// by one run of the compiler.
  @Suite(
    "Contract: the blocks of each guide, pasted one below the other",
    .timeLimit(.minutes(30)))
  struct PastedGuidesTests {
    @Test func `compile with what the page itself shows`() throws {
      let compiler = try SwiftCompiler()
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "lensed-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let pages = try Self.pages()
      #expect(pages.count > 20)
      for page in pages {
        try page.program.write(
          to: folder.appending(path: "\(page.name)Page.swift"), atomically: true, encoding: .utf8)
      }
      let plugins = compiler.compiler.resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "lib/swift/host/plugins/testing")
      let (status, said) = try SwiftCompiler.run(
        compiler.compiler,
        ["-typecheck", "-wmo", "-parse-as-library", "-suppress-warnings", "-module-name", "Pages"]
          + compiler.library + ["-plugin-path", plugins.path]
          + pages.map { "\($0.name)Page.swift" },
        in: folder)
      let errors = said.split(separator: "\n").filter { $0.contains(": error: ") }
      #expect(status == 0, "\(errors.isEmpty ? said : errors.joined(separator: "\n"))")
    }

    /// A loop in a new task begins at any time, and what was committed before is in no loop.
    @Test func `read no changes in a task of their own, which would miss the first ones`() throws {
      let late = #/Task(\.detached)? ?\{[^}]*for (try )?await \w+ in (\w+\.)?changes/#
      let blocks = try Self.pages().flatMap { page in page.blocks.map { (page.name, $0) } }
      #expect(blocks.count > 100)
      let found = blocks.filter { $0.1.lines.joined(separator: "\n").contains(late) }
      #expect(found.map { "\($0.0), line \($0.1.line)" } == [])
      #expect("let a = Task {\n  for await b in changes { c(b) }".contains(late))
    }

    /// Each page is compiled and linked alone, which takes long: `.ci/nightly` has it done.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["LENSED_RUNS_GUIDES"] != nil))
    func `run to their end, as one program for each page`() throws {
      let compiler = try SwiftCompiler()
      for page in try Self.pages() where !Self.endless.contains(page.name) {
        let (status, said) = try compiler.run(
          [page.program, "try await page\(page.name)()", "print(\"The page ends.\")"])
        #expect(
          status == 0 && said.contains("The page ends."), "\(page.name): \(said.prefix(2_000))")
      }
    }

    /// One page, and its blocks with the lines at which they begin.
    struct Page {
      let name: String
      var blocks: [(line: Int, lines: [String])] = []

      /// All blocks in one function, each in the scope of the one before.
      var program: String {
        let imports =
          [
            "import Lensed", "import LensedPersistence", "import LensedPresenters",
            "import LensedTesting", "import Testing",
          ]
          + blocks.flatMap { $0.lines.filter { $0.hasPrefix("import ") } }
        var (body, ends) = ([String](), [String]())
        for (index, block) in blocks.enumerated() {
          // What belongs to the main actor is pasted into a function of the main actor.
          let isOnMain = block.lines.contains {
            $0.contains("ObservedStore(") || $0.contains("onMain")
          }
          body.append(isOnMain ? "@MainActor func block\(index)() async throws {" : "do {")
          ends.append(isOnMain ? "}; try await block\(index)()" : "}")
          body.append("#sourceLocation(file: \"\(name).md\", line: \(block.line))")
          body += block.lines.map(Self.pasted)
          body.append("#sourceLocation()")
        }
        return
          (Array(Set(imports)).sorted() + ["func page\(name)() async throws {"] + body
          + ends.reversed() + ["}", ""]).joined(separator: "\n")
      }

      /// A line as it may stand in a function: what stands in a file by itself is changed to it.
      private static func pasted(_ line: String) -> String {
        if line.hasPrefix("import ") { return "" }
        let line = line.hasPrefix("@Test ") ? String(line.dropFirst(6)) : line
        return line.hasPrefix("func ") ? "@Sendable \(line)" : line
      }
    }

    /// Landing pages show a few lines of what their guides show, and one guide is about another setting of the compiler,
    /// which a target of its own is built with.
    private static let left: Set = [
      "LensedPersistence", "LensedTesting", "LensedInspector", "DefaultMainActorIsolation",
    ]

    /// A block of it reads every commit until the store goes, which is what the block is about.
    private static let endless: Set = ["Streams"]

    /// What a block has that stands in a file of its own: a manifest, a view of an Apple platform, a macro that a type in a
    /// function may not have; or that is of the example, which is no library.
    private static let alone = [
      "import PackageDescription", "import SwiftUI", "@Observable", "PulseState", "Inspector<",
    ]

    private static func pages() throws -> [Page] {
      let sources = CodeRegions.package.appending(path: "Sources")
      return try [
        "Lensed", "LensedPresenters", "LensedPersistence", "LensedInspector", "LensedTesting",
      ].flatMap {
        library in
        let folder = sources.appending(path: "\(library)/\(library).docc")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
          .filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }
          .filter { !$0.contains("+") && !left.contains($0) }
          .map { try page($0, in: folder) }
      }
      .filter { !$0.blocks.isEmpty }
    }

    /// Reads the blocks of Swift of a page, and its stand-ins.
    ///
    /// Other blocks in tildes are the code of a peer.
    private static func page(_ name: String, in folder: URL) throws -> Page {
      let text = try String(
        contentsOf: folder.appending(path: "\(name).md"), encoding: .utf8)
      var page = Page(name: name)
      var open: (fence: String, line: Int, lines: [String])?
      for (index, line) in text.components(separatedBy: "\n").enumerated() {
        if let block = open, line == block.fence {
          open = nil
          let isOurs = block.fence == "```" || block.lines.first == "// Stand-ins"
          let isAlone = block.lines.contains { line in alone.contains { line.contains($0) } }
          if isOurs && !isAlone { page.blocks.append((block.line, block.lines)) }
        } else if open != nil {
          open?.lines.append(line)
        } else if line == "```swift" || line == "~~~swift" {
          open = (String(line.prefix(3)), index + 2, [])
        }
      }
      return page
    }
  }
#endif
