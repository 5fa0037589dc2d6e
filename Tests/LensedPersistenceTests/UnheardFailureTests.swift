import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import LensedTesting
import Testing

private struct Unregistered: Action {}

/// Failures of which nobody asks to be told: each is a line on standard error, if that takes one.
@Suite(.timeLimit(.minutes(30))) struct UnheardFailureTests {
  /// Lets a persistence and a recorder fail, once something was done with standard error.
  fileprivate static func fail(_ change: () -> Void) async throws {
    let faulty = FaultyStorage()
    let disk = try Persistence<Board>(in: faulty, writing: .eachCommit) { Kept(\.title) }
    let group = FileManager.default.temporaryDirectory.appending(path: "unheard-\(UUID())")
    try FileManager.default.createDirectory(at: group, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: group) }
    let recorder = try SessionRecorder<Board>(
      to: group.appending(path: "a.lensed"), ActionRegistry(.json))
    let store = try Store(initialState: Board(), middleware: [disk, recorder]) {
      for part in Board.parts() { part }
      Effect<Board>(on: Unregistered.self) { _, _ in }
    }
    faulty.fail(with: ENOSPC, lasts: true)
    change()
    store.dispatch(Unregistered())
    store.dispatch(BoardAction.rename("new"))
    await #expect(throws: PersistenceError.self) { try await disk.sync() }
    faulty.heal()
    try await disk.sync()
  }

  #if os(Linux)
    @Test func `the process goes on where standard error is on a full disk`() async {
      await #expect(processExitsWith: .success) {
        try await UnheardFailureTests.fail {
          let full = unsafe open("/dev/full", O_WRONLY)
          #expect(dup2(full, 2) == 2)
        }
      }
    }
  #endif

  #if os(Linux) || os(macOS)
    @Test func `the process goes on where standard error is closed`() async {
      await #expect(processExitsWith: .success) {
        try await UnheardFailureTests.fail { close(2) }
      }
    }
  #endif
}
