import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import Testing

@testable import LensedTesting

@Suite struct `The session of a failed test` {
  struct Note: Sendable, Equatable, Codable { var text = ""; var saved: [String] = [] }
  struct Write: Action, Hashable, Codable { var text: String }
  struct Saved: Action, Hashable, Codable { var text: String }

  @StoreBuilder<Note> static var parts: [StorePart<Note>] {
    Mutator(\.text) { (text: inout String, action: Write) in text = action.text }
    Mutator(\.saved) { (saved: inout [String], action: Saved) in saved.append(action.text) }
    Effect(on: Write.self) { action, _ in Saved(text: action.text) }
  }

  let registry = ActionRegistry(.json).adding(Write.self).adding(Saved.self)

  @Test func `is a file that replay takes`() async throws {
    let test = try TestStore(initialState: Note()) { Self.parts }
    await test.dispatch(Write(text: "a")) { $0.text = "a" }
    await test.receive(Saved(text: "a")) { $0.saved = ["a"] }
    await test.perform {
      test.store.replaceState(Note(text: "b"))
    } changes: {
      $0 = Note(text: "b")
    }
    await test.dispatch(Write(text: "c")) { $0.text = "c" }
    await test.receive(Saved.self) { $0.saved = ["c"] }
    await test.finish()
    let data = try SessionFile<Note>(registry: registry).data(of: test.log.session, from: Note())
    let fresh = try Store(initialState: Note()) { Self.parts }
    try replay(data, registry, in: fresh)
    #expect(fresh.state == test.state)
    #expect(fresh.state == Note(text: "c", saved: ["c"]))
  }

  @Test func `says what kept it from being attached`() async {
    let heard = await issues {
      Reporter("a test").attach("a", at: #_sourceLocation) { throw CancellationError() }
    }
    #expect(heard == ["The session could not be attached: CancellationError()"])
  }

  @Test func `needs no registry, and replays an action that cannot be written by its state`()
    async throws
  {
    struct Unwritable: Action {}
    let test = try TestStore(initialState: Note()) {
      Self.parts
      Effect(on: Unwritable.self) { _, _ in }
    }
    await test.dispatch(Write(text: "a")) { $0.text = "a" }
    await test.receive(Saved.self) { $0.saved = ["a"] }
    let file = SessionFile<Note>(registry: nil)
    let data = try file.data(of: test.log.session, from: Note())
    let fresh = try Store(initialState: Note()) { Self.parts }
    let count = try replay(data, registry, in: fresh)
    #expect(fresh.state == Note(text: "a", saved: ["a"]))
    await test.dispatch(Unwritable())
    let whole = try file.data(of: test.log.session, from: Note())
    #expect(try replay(whole, registry, in: fresh) == count + 1)
    #expect(fresh.state == Note(text: "a", saved: ["a"]))
    await test.finish()
  }

  @Test func `is there where two types of actions have one name`() async throws {
    enum First { struct Write: Action, Codable {} }
    enum Second { struct Write: Action, Codable {} }
    let test = try TestStore(initialState: Note()) {
      Self.parts
      Effect(on: First.Write.self) { _, _ in }
      Effect(on: Second.Write.self) { _, _ in }
    }
    let file = SessionFile<Note>(registry: nil)
    await test.dispatch(First.Write())
    await test.dispatch(Second.Write())
    let text = String(
      decoding: try file.data(of: test.log.session, from: Note()), as: UTF8.self)
    #expect(text.contains("First.Write") && text.contains("Second.Write"))
    await test.finish()
  }
}

/// Replays the file of a failed test.
///
/// - Returns: How many commits it has.
@discardableResult
func replay<State: Sendable & Codable>(
  _ data: Data, _ registry: ActionRegistry, in store: Store<State>
) throws -> Int {
  let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).lensed")
  defer { try? FileManager.default.removeItem(at: file) }
  try data.write(to: file)
  let session = try RecordedSession<State>(reading: file, registry)
  store.replay(session)
  return session.count
}
