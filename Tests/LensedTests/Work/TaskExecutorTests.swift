import Foundation
import LensedTestSupport
import Testing

@Suite struct `A task of a store` {
  /// With `nil` for an executor, a task looks for its preference each time it is continued, under a lock of the runtime.
  @Test func `is given no preference where there is no executor`() throws {
    let sources = CodeRegions.package.appending(path: "Sources/Lensed")
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var giving: [String] = []
    for case let file as URL in files where file.pathExtension == "swift" {
      if try String(contentsOf: file, encoding: .utf8).contains("(executorPreference: ") {
        giving.append(file.lastPathComponent)
      }
    }
    #expect(giving == ["Tasks.swift"])
  }
}
