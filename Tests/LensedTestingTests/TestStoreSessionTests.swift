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
    let data = try #require(
      try SessionFile<Note>(registry: registry).data(of: test.log.session, from: Note()))
    let session = try registry.session(
      JSONDecoder().decode(Journal.self, from: data), of: Note.self)
    let fresh = try Store(initialState: Note()) { Self.parts }
    fresh.replay(session)
    #expect(fresh.state == test.state)
    #expect(fresh.state == Note(text: "c", saved: ["c"]))
  }

  @Test func `is attached once the test has failed, and not to one that passes`() async throws {
    struct Unwritable: Action {}
    let passing = try TestStore(initialState: Note()) { Self.parts }
    passing.attachSession(by: registry)
    await passing.dispatch(Write(text: "a")) { $0.text = "a" }
    await passing.receive(Saved.self) { $0.saved = ["a"] }
    await passing.finish()
    // What cannot be written is said, and so shows that it was to be attached.
    let failing = try TestStore(initialState: Note()) {
      Self.parts
      Effect(on: Unwritable.self) { _, _ in }
    }
    failing.attachSession(by: registry)
    await failing.dispatch(Unwritable())
    let heard = await issues {
      await failing.dispatch(Write(text: "a")) { $0.text = "b" }
      await failing.receive(Saved.self) { $0.saved = ["a"] }
      await failing.finish()
    }
    #expect(heard.count == 2)
    #expect(
      heard.last == """
        The session could not be attached: Lensed: commit 1 of the history holds an action of type `Unwritable`, \
        which is not registered. Make it Codable and add it to the ActionRegistry.
        """)
  }

  @Test func `needs no registry where the state and the actions can be written`() async throws {
    struct Unwritable: Action {}
    let test = try TestStore(initialState: Note()) {
      Self.parts
      Effect(on: Unwritable.self) { _, _ in }
    }
    await test.dispatch(Write(text: "a")) { $0.text = "a" }
    await test.receive(Saved.self) { $0.saved = ["a"] }
    let file = SessionFile<Note>(registry: nil)
    let data = try #require(try file.data(of: test.log.session, from: Note()))
    let session = try registry.session(
      JSONDecoder().decode(Journal.self, from: data), of: Note.self)
    let fresh = try Store(initialState: Note()) { Self.parts }
    fresh.replay(session)
    #expect(fresh.state == Note(text: "a", saved: ["a"]))
    await test.dispatch(Unwritable())
    #expect(try file.data(of: test.log.session, from: Note()) == nil)
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
    #expect(try file.data(of: test.log.session, from: Note()) != nil)
    await test.dispatch(Second.Write())
    #expect(try file.data(of: test.log.session, from: Note()) != nil)
    await test.finish()
  }
}
