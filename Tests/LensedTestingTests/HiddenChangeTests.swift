import Lensed
import LensedTesting
import Testing

@Suite(.timeLimit(.minutes(30))) struct `A change that looks alike` {
  private struct Text: Sendable, Equatable {
    private final class Storage: Sendable {
      let value: String
      init(_ value: String) { self.value = value }
    }
    private let storage: Storage
    init(_ value: String) { storage = Storage(value) }
    static func == (left: Text, right: Text) -> Bool { left.storage.value == right.storage.value }
  }

  private struct Letter: Sendable, Equatable {
    var text = Text("a")
    var pages = 1
  }

  private struct Write: Action, Hashable { var text: String }

  private func letter(_ exhaustivity: Exhaustivity<Letter> = .on) throws -> TestStore<Letter> {
    try TestStore(initialState: Letter(), exhaustivity: exhaustivity) {
      Mutator(\Letter.text) { (text: inout Text, action: Write) in text = Text(action.text) }
      Unreduced(\.pages)
    }
  }

  @Test func `is an issue of the step that does not say it`() async throws {
    let test = try letter()
    let heard = await issues { await test.dispatch(Write(text: "b")) }
    #expect(heard.count == 1)
    #expect(heard.first?.contains("\n  text: expected ") == true)
    #expect(heard.first?.contains(", is another one that prints alike\n") == true)
    await test.finish()
  }

  @Test func `is said like any other`() async throws {
    let test = try letter()
    await test.dispatch(Write(text: "b")) { $0.text = Text("b") }
    let heard = await issues { await test.dispatch(Write(text: "c")) { $0.text = Text("d") } }
    #expect(heard.count == 1)
    await test.dispatch(Write(text: "c"))
    await test.finish()
  }

  @Test func `is skipped where its part is`() async throws {
    let test = try letter(.except(\.text))
    await test.dispatch(Write(text: "b"))
    test.exhaustivity = .only(\.pages)
    await test.dispatch(Write(text: "c"))
    test.store.dispatch(Write(text: "d"))
    await test.finish()
  }
}
