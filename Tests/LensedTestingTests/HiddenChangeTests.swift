import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite(.timeLimit(.minutes(30))) struct `A change that looks alike` {
  private struct Letter: Sendable, Equatable {
    var text = HiddenText("a")
    var pages = 1
  }

  private struct Write: Action, Hashable { var text: String }

  private func letter(_ exhaustivity: Exhaustivity<Letter> = .on) throws -> TestStore<Letter> {
    try TestStore(initialState: Letter(), exhaustivity: exhaustivity) {
      Mutator(\Letter.text) { (text: inout HiddenText, action: Write) in
        text = HiddenText(action.text)
      }
      Constant(\.pages)
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
    await test.dispatch(Write(text: "b")) { $0.text = HiddenText("b") }
    let heard = await issues { await test.dispatch(Write(text: "c")) { $0.text = HiddenText("d") } }
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
