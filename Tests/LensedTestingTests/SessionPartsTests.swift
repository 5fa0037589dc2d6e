import Foundation
import Lensed
import LensedPersistence
import Testing

@testable import LensedTesting

@Suite(.timeLimit(.minutes(30)))
struct `The session of a test that registers parts` {
  struct Note: Sendable, Equatable, Codable {
    var text = ""
    var count = 0
  }

  struct Write: Action, Hashable, Codable { var text: String }
  struct Count: Action, Hashable, Codable {}

  static let text = Mutator(\Note.text) { (text: inout String, action: Write) in text = action.text
  }
  static let count = Mutator(\Note.count) { (count: inout Int, _: Count) in count += 1 }

  @Test func `replays in a store with the parts of its first action`() async throws {
    let test = try TestStore(initialState: Note(), coverage: .partial) { Self.text }
    await test.dispatch(Write(text: "a")) { $0.text = "a" }
    try test.store.register(Self.count)
    await test.dispatch(Count()) { $0.count = 1 }
    await test.dispatch(Write(text: "b")) { $0.text = "b" }
    await test.finish()
    let registry = ActionRegistry(.json).adding(Write.self).adding(Count.self)
    let data = try SessionFile<Note>(registry: registry).data(of: test.log.session, from: Note())
    let fresh = try Store(initialState: Note(), coverage: .partial) { Self.text }
    try replay(data, registry, in: fresh)
    #expect(fresh.state == test.state)
  }
}
