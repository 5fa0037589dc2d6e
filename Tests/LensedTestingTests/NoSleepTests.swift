import Foundation
import LensedTestSupport
import Testing

@Suite struct `Tests that use the test kit` {
  private static let sleeps = [
    "Task.sleep", "Thread.sleep", "usleep(", "nanosleep(", "Clock().sleep", "asyncAfter(",
  ]

  /// The lines of a source file that let time pass, or that spin until something has happened.
  ///
  /// A task that only gives way until it is cancelled is a subject of tests, and waits for nothing.
  private static func waits(in text: String) -> [Substring] {
    let lines = text.split(separator: "\n").filter { line in
      !line.contains("!Task.isCancelled") && !line.drop { $0 == " " }.hasPrefix("//")
    }
    let spins = lines.joined(separator: "\n").matches(
      of:
        /(while|repeat)[^\n{]*\{\s*((await )?(Task|Threads)\.yield\(\)|sched_yield\(\))?\s*\}[^\n]*/
    )
    return lines.filter { line in sleeps.contains { line.contains($0) } }
      + spins.map { Substring($0.output.0) }
  }

  /// Each source file of the tests but this one, with its text.
  private static func files() throws -> [(url: URL, text: String)] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let found = try #require(
      FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
    return try found.compactMap { $0 as? URL }
      .filter { $0.pathExtension == "swift" && $0.lastPathComponent != "NoSleepTests.swift" }
      .map { ($0, try String(contentsOf: $0, encoding: .utf8)) }
  }

  @Test func `sleep nowhere, and spin nowhere`() throws {
    var users = 0
    for (file, text) in try Self.files() {
      let isUser =
        text.contains("TestStore(") || text.contains("TestStore {")
        || text.contains("import LensedTesting\n")
        || ["Scenarios", "LensedTestingTests"].contains(
          file.deletingLastPathComponent().lastPathComponent)
      guard isUser else { continue }
      users += 1
      for line in Self.waits(in: text) {
        Issue.record("\(file.lastPathComponent): \(line)")
      }
    }
    #expect(users > 2)
  }

  /// What waits by the system's clock fails where the machine is busy: a server's patience was over once before the
  /// client, slow on purpose, had begun to read.
  @Test func `and no test gives the system's clock to what it tests`() throws {
    // What a tutorial shows is an app's code; the guide to TCA waits for nothing but its fake shelf.
    let shown = ["WikiSearch.swift", "ComingFromTCATests.swift"]
    for (file, text) in try Self.files() where !shown.contains(file.lastPathComponent) {
      let lines = text.split(separator: "\n").filter { line in
        !line.drop { $0 == " " }.hasPrefix("//")
          && (line.contains("ContinuousClock()") || line.contains("SuspendingClock()"))
      }
      #expect(lines.isEmpty, "\(file.lastPathComponent): \(lines)")
    }
  }

  /// Issues of the test kit that a test expects go to a handler: the closing line of `swift test` would count these.
  @Test func `and no test expects an issue that the closing line counts`() throws {
    for (file, text) in try Self.files() where text.contains("withKnownIssue") {
      Issue.record("\(file.lastPathComponent): withKnownIssue")
    }
  }

  /// The lines of a source file that wait for something, and give up at a time of their own.
  private static func patience(in text: String) -> [Substring] {
    text.matches(
      of:
        /while [^\n]*\.now\b[^\n]*\{\s*((await )?(Task|Threads)\.yield\(\)|sched_yield\(\))|repeat \{\s*((await )?(Task|Threads)\.yield\(\))?\s*\} while [^\n]*\.now\b/
    ).map { Substring($0.output.0) }
  }

  /// How long a busy machine takes is known in one place: `Threads.wait(atMost:until:)`.
  ///
  /// A storm's patience of twenty seconds was over once while the tests beside it kept every thread busy.
  @Test func `and no test gives up at a time of its own`() throws {
    for (file, text) in try Self.files() {
      let lines = Self.patience(in: text)
      #expect(lines.isEmpty, "\(file.lastPathComponent): \(lines)")
    }
  }

  @Test(
    arguments: [
      "while alive.value > 0 && .now < patience { await Task.yield() }",
      "while heard.count < 11, .now < end { Threads.yield() }",
      "while heard.contains(where: { $0.calls < 2 }) && .now < end { await Task.yield() }",
      "repeat { Threads.yield() } while heard.count < 11 && .now < end",
      "while !isThere, ContinuousClock.now < end {\n      await Task.yield()\n    }",
    ] as [OneLine])
  func `as this one would`(lines: OneLine) {
    #expect(Self.patience(in: "let a = 1\n\(lines.text)\nlet b = 2").count == 1)
  }

  @Test(
    arguments: [
      "  try await Task.sleep(for: .seconds(1))", "Thread.sleep(forTimeInterval: 1)", "usleep(10)",
      "try await ContinuousClock().sleep(for: .seconds(1))",
      "while store.count == 0 { await Task.yield() }", "while isBusy {}",
      "while isBusy {\n    Threads.yield()\n  }", "repeat { await Task.yield() } while isBusy",
    ] as [OneLine])
  func `or this test would find it`(line: OneLine) {
    #expect(Self.waits(in: "let a = 1\n\(line.text)\nlet b = 2").count == 1)
  }

  @Test(arguments: [
    "while !Task.isCancelled { await Task.yield() }",
    "while let box = await boxes.next() { use(box) }",
    "for _ in 0..<10 { await Task.yield() }", "await clock.sleep(for: .seconds(1))",
    "// while isBusy {}",
  ])
  func `and would not take this for a wait`(line: String) {
    #expect(Self.waits(in: "let a = 1\n\(line)\nlet b = 2").isEmpty)
  }
}
