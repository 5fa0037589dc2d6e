import Lensed
import LensedTesting
import Testing

@Suite("With a seed, effects run in the middle of a dispatch too", .timeLimit(.minutes(30)))
struct InBetweenTests {
  private struct App: Sendable, Equatable {
    var log: [String] = []
  }
  private struct Ping: Action, Hashable {}
  private struct Note: Action, Hashable { var text = "" }

  /// A dispatch whose observer dispatches in turn; the effect of the first may commit before, or after.
  private func order(seed: UInt64?) async throws -> [String] {
    let test = try TestStore(initialState: App(), exhaustivity: .off, seed: seed) {
      Mutator(\App.log) { (log: inout [String], _: Ping) in log.append("ping") }
        .on(Note.self) { log, note in log.append(note.text) }
      Effect(on: Ping.self) { _, _ in Note(text: "effect") }
    }
    let store = test.store
    let observer = store.states(\.log).subscribe { [weak store] log in
      if log == ["ping"] || log == ["ping", "effect"], !log.contains("observer") {
        store?.dispatch(Note(text: "observer"))
      }
    }
    await test.dispatch(Ping())
    await test.finish()
    observer.cancel()
    return store.log
  }

  @Test func `some seeds let the effect commit first, each seed gives its order again`()
    async throws
  {
    #expect(try await order(seed: nil) == ["ping", "observer", "effect"])
    var found: Set<[String]> = []
    for seed in 0..<12 as Range<UInt64> {
      let order = try await order(seed: seed)
      #expect(try await self.order(seed: seed) == order, "seed \(seed)")
      found.insert(order)
    }
    #expect(found.contains { $0.firstIndex(of: "effect") == 1 })
    #expect(found.contains { $0.firstIndex(of: "effect") != 1 })
  }
}
