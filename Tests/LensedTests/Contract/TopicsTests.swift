import Foundation
import Testing

@Suite struct `The topics of the documentation` {
  @Test(arguments: ["Lensed", "LensedPresenters", "LensedTesting", "LensedPersistence"])
  func `list no page twice`(module: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/\(module)/\(module).docc").standardizedFileURL
    let files = try #require(FileManager.default.subpaths(atPath: folder.path()))
    for file in files where file.hasSuffix(".md") {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      let topics = text.components(separatedBy: "\n## Topics\n").dropFirst().joined()
      let pages = topics.split(separator: "\n").filter { $0.hasPrefix("- ") }
      let twice = Dictionary(grouping: pages) { $0 }.filter { $0.value.count > 1 }.keys
      #expect(twice.isEmpty, "\(file): \(twice)")
    }
  }
}
