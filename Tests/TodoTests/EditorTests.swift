import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite("To-do: the editor, a list in a feature in a case of an enum", .timeLimit(.minutes(30)))
struct EditorTests {
  private let world = World(saved: Document("Move house", "Rest"))

  /// A test in the editor of the first line, with the steps “Pack” and “Carry”.
  private func editing() async throws -> TestStore<AppState> {
    let test = try await world.testStore()
    await test.dispatch(EditTodo(id: 1)) {
      $0.destination = .editor(Editor(id: 1, title: "Move house"))
    }
    for (id, text) in [(1, "Pack"), (2, "Carry")] {
      await test.dispatch(EditorAction.addStep) { $0.editor?.steps.append(Step(id: id)) }
      await test.dispatch(StepAction.text(text).element(id)) {
        $0.editor?.steps[id: id]?.text = text
      }
    }
    return test
  }

  @Test func `a draft is edited, saved and closed`() async throws {
    let test = try await editing()
    await test.dispatch(EditorAction.title("Move")) {
      $0.editor?.title = "Move"
    }
    await test.dispatch(EditorAction.addStep) { $0.editor?.steps.append(Step(id: 3)) }
    await test.dispatch(StepAction.text("Unpack").element(3)) {
      $0.editor?.steps[id: 3]?.text = "Unpack"
    }
    await test.dispatch(SaveDraft()) {
      $0.document.todos[id: 1]?.title = "Move"
      $0.destination = .list
    }
    await world.clock.advance(by: .seconds(1))
    await test.finish()
  }

  @Test func `one step of the draft is filled in`() async throws {
    let test = try await editing()
    await test.dispatch(Suggest().element(1))
    await test.dispatch(Suggest().element(2))
    await test.dispatch(EditorAction.removeStep(1)) { $0.editor?.steps.remove(id: 1) }
    world.suggestions.open()
    await test.receive(StepAction.text("Carry…").element(2)) {
      $0.editor?.steps[id: 2]?.text = "Carry…"
    }
    await test.finish()
  }

  @Test func `leaving the editor ends what its steps have under way`() async throws {
    let test = try await editing()
    let suggesting = await test.dispatch(Suggest().element(1))
    await test.dispatch(Go.settings) { $0.destination = .settings }
    world.suggestions.open()
    try await suggesting.finish()
    await test.finish()
    #expect(world.asked.values == ["suggestion for Pack"])
  }

  @Test func `a draft of another line takes over nothing`() async throws {
    let test = try await editing()
    await test.dispatch(Suggest().element(1))
    let other = Destination.editor(Editor(id: 2, title: "Rest"))
    await test.dispatch(EditTodo(id: 2)) { $0.destination = other }
    await test.dispatch(EditorAction.addStep) { $0.editor?.steps.append(Step(id: 1)) }
    world.suggestions.open()
    await test.finish()
    #expect(
      test.store.scope(\.destination, matching: Destinations.editor)?.steps[id: 1]?.text == "")
  }

  @Test func `a scope of the editor dispatches in its terms`() async throws {
    let test = try await editing()
    let editor = try #require(test.store.scope(\.destination, matching: Destinations.editor))
    let step = try #require(editor.scope(\.steps, id: 2))
    step.dispatch(StepAction.text("Lift"))
    await test.receive(StepAction.text("Lift").element(2)) {
      $0.editor?.steps[id: 2]?.text = "Lift"
    }
    #expect(step.text == "Lift")
    await test.dispatch(Go.list) { $0.destination = .list }
    step.dispatch(StepAction.text("Late"))
    await test.receiveWarning(.departedScope)
    // What the scope was made with.
    #expect(step.text == "Carry")
    await test.finish()
  }

  @Test func `an action for a step that is not there is a warning with its id`() throws {
    let warnings = Recorder<StoreWarning>()
    let store = try Store(
      initialState: AppState(destination: .editor(Editor(id: 1, title: "Move"))),
      onWarning: { warnings.append($0) }
    ) {
      TodoApp.feature(world.services)
    }
    store.dispatch(StepAction.text("Lift").element(9))
    #expect(warnings.values.map(\.kind) == [.missingElement])
    #expect(warnings.last?.element == "9")
    #expect(warnings.last?.property?.contains("destination") == true)
  }
}

extension AppState {
  /// The draft, where the user is in the editor.
  fileprivate var editor: Editor? {
    get { Destinations.editor.extract(destination) }
    set { if let newValue { destination = .editor(newValue) } }
  }
}
