import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite struct `A test store names what is not there` {
  @Test func `the missing child of the action that was for it, and of no other`() async throws {
    struct Line: Sendable, Equatable, Identifiable {
      var id: Int
      var text = ""
    }
    enum Wide: Action { case look, write(Write) }
    struct Write: Action { var text: String }
    struct Begin: Action {}
    struct Page: Sendable, Equatable { var lines = [Line(id: 1)] }
    let writing = Prism(Wide.write) { if case .write(let write) = $0 { write } else { nil } }
    let test = try TestStore(initialState: Page()) {
      Mutator(
        \.lines,
        Reducer { (line: inout Line, action: Write) in line.text = action.text }
          .lifted(action: writing).identified())
      Effect(on: Begin.self) { _, context in
        context.dispatch(ElementAction(id: 1, action: Wide.look))
        context.dispatch(ElementAction(id: 9, action: Wide.write(Write(text: "a"))))
      }
    }
    await test.dispatch(Begin())
    let heard = await issues {
      await test.receive(ElementAction<Int, Wide>.self)
      await test.receive(ElementAction<Int, Wide>.self)
      await test.finish()
    }
    #expect(heard.count == 2)
    #expect(heard.first?.contains("has nothing that it is for.") == true)
    #expect(heard.last?.contains("for 9, which `lines` does not have") == true)
  }
}
