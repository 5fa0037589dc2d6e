#if os(macOS) || os(Linux)
  import Foundation
  import LensedTestSupport
  import Testing

  /// Object files that were compiled for a sanitizer cannot be linked without it.
  #if ASAN || TSAN
    private let isSanitized = true
  #else
    private let isSanitized = false
  #endif

  @Suite(
    "Contract: the tutorials", .serialized, .disabled(if: isSanitized), .timeLimit(.minutes(30)))
  struct TutorialTests {
    static let tutorials = [built, "SearchAsYouType"]
    /// Its programs need no network, and so are built and run.
    private static let built = "FromCounterToToDo"

    @Test(arguments: tutorials)
    func `each step compiles, with the files of the steps before it`(tutorial: String) throws {
      let compiler = try SwiftCompiler()
      let steps = try TutorialPackage.steps(of: tutorial)
      #expect(steps.count > 10)
      // Those programs are built below, as strictly.
      for step in steps where tutorial != Self.built || step.shown != "main.swift" {
        let complaints = try step.complaints(of: compiler)
        #expect(complaints == "", "\(step.step)")
      }
    }

    /// What each program of the first tutorial prints; its words say the same.
    private static let outputs = [
      "TodoList-1-6.swift": ["1"],
      "TodoList-1-7.swift": ["0", "1", "3"],
      "TodoList-2-3.swift": ["[]", "[\"Milk\"]", "[\"Milk\", \"Bread\"]"],
      "TodoList-2-7.swift": ["no second to-do", "Bread, done: false", "Bread, done: true"],
      "TodoList-3-3.swift": [
        "--", "[ ] 1 Milk", "[ ] 2 Bread", "--", "[x] 1 Milk", "[ ] 2 Bread", "--", "[ ] 2 Bread",
        "--",
      ],
      "TodoList-3-4.swift": [
        "-- 0 to do", "[ ] 1 Milk", "-- 1 to do", "[x] 1 Milk", "-- 0 to do", "-- 0 to do",
        "add TITLE, done NUMBER, open, all, clear",
      ],
    ]

    @Test func `each program prints what its step says`() throws {
      let compiler = try SwiftCompiler()
      let steps = try TutorialPackage.steps(of: Self.built)
      for step in steps where step.shown == "main.swift" {
        let input = "add Milk\ndone 1\nopen\nwhat?\n"
        let (status, said) = try step.output(compiler, reading: input)
        #expect(
          said.split(separator: "\n").map(String.init) == Self.outputs[step.step], "\(step.step)")
        #expect(status == 0)
      }
    }

    @Test func `a list without a reducer is refused, as its step says`() throws {
      let step = try TutorialPackage.steps(of: Self.built)
        .first { $0.step == "TodoList-2-1.swift" }
      let (status, said) = try #require(step).output(SwiftCompiler(), reading: "")
      #expect(status != 0)
      #expect(said.contains("`todos` has no reducer"))
    }

    @Test func `the manifest of the article Getting started compiles`() throws {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "lensed-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let manifest = folder.appending(path: "Package.swift")
      let lines = try #require(CodeRegions.swiftBlocks(ofArticle: "GettingStarted").first)
      try lines.joined(separator: "\n").write(to: manifest, atomically: true, encoding: .utf8)
      let package = TutorialPackage(
        step: "Weather", shown: "Package.swift", files: ["Package.swift": manifest])
      #expect(try package.complaints(of: SwiftCompiler()) == "")
    }

    /// At 1,400 pixels a step shows 70 characters beside its words.
    @Test func `no line of a step has to be scrolled`() throws {
      for step in try Self.tutorials.flatMap({ try TutorialPackage.steps(of: $0) }) {
        let file = try #require(step.files[step.shown])
        let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        #expect(lines.filter { $0.count > 70 } == [], "\(step.step)")
      }
    }

    @Test func `each file of the catalogue is a step`() throws {
      let shown = try Self.tutorials.flatMap { try TutorialPackage.steps(of: $0).map(\.step) }
      #expect(try TutorialPackage.allStepFiles() == Set(shown))
      #expect(shown.count == Set(shown).count)
    }
  }
#endif
