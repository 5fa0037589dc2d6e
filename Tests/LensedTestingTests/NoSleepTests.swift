import Foundation
import Testing

@Suite struct `Tests that use a test store` {
  @Test func `sleep nowhere`() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let files = try #require(
      FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
    var users = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      guard text.contains("TestStore("), file.lastPathComponent != "NoSleepTests.swift" else {
        continue
      }
      users += 1
      for line in text.split(separator: "\n") {
        let sleeps = ["Task.sleep", "Thread.sleep", "usleep(", "ContinuousClock().sleep"]
          .contains { line.contains($0) }
        #expect(!sleeps, "\(file.lastPathComponent): \(line)")
      }
    }
    #expect(users > 2)
  }
}
