import Foundation
import Lensed
import LensedTestSupport
import Testing

@Suite("Whatever a reducer asks of its own store traps", .timeLimit(.minutes(30)))
struct GuaranteeFiveEntryTests {
  @Test(arguments: EntryScene.entries.map(\.name))
  func `each way into the store, by a reducer`(name: String) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [name] in
      try await EntryScene.enter(by: name)
    }
    for part in ["The reducer of `count`", "while `CountAction` was being reduced"] {
      #expect(result.message.contains(part), "\(result.message)")
    }
  }

  @Test(arguments: EntryScene.harmless.map(\.name))
  func `what holds its values asks the store nothing`(name: String) async throws {
    await #expect(processExitsWith: .success) { [name] in
      try await EntryScene.enter(by: name)
      // At once: other threads still release the scene, and a leak check would find it half gone.
      _exit(EXIT_SUCCESS)
    }
  }
}
