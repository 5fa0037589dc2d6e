import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite("To-do: undo of the document", .timeLimit(.minutes(30)))
struct UndoTests {
  private let world = World(saved: Document("Write", "Rest"))
  private let history = Undo.history()

  private func titles(_ test: TestStore<AppState>) -> [String] {
    test.store.document.todos.map(\.title)
  }

  @Test func `typing in one title is one step`() async throws {
    let test = try await world.testStore(history: history, exhaustivity: .off)
    for text in ["W", "Wo", "Wor", "Work"] {
      await test.dispatch(TodoAction.rename(text).element(1))
    }
    await test.dispatch(TodoAction.rename("Nap").element(2))
    history.undo()
    #expect(titles(test) == ["Work", "Rest"])
    history.undo()
    #expect(titles(test) == ["Write", "Rest"])
    #expect(!history.canUndo, "loading is no step")
    history.redo()
    #expect(titles(test) == ["Work", "Rest"])
    await test.finishLeavingEffects()
  }

  @Test func `leaving a field ends its step, and another document forgets all`() async throws {
    let test = try await world.testStore(history: history, exhaustivity: .off)
    await test.dispatch(TodoAction.rename("W").element(1))
    history.endStep()
    await test.dispatch(TodoAction.rename("Wo").element(1))
    history.undo()
    #expect(titles(test) == ["W", "Rest"])
    await test.dispatch(Loaded(document: Document("Other")))
    history.clear()
    #expect(!history.canUndo && !history.canRedo)
    history.undo()
    #expect(titles(test) == ["Other"])
    await test.finishLeavingEffects()
  }

  @Test func `an undo leaves everything else as it is`() async throws {
    let test = try await world.testStore(history: history)
    await test.dispatch(ListAction.add("Sleep")) { $0.document.add("Sleep") }
    await test.dispatch(PaneAction.search("S").tagged(Left.self)) { $0.left.query = "S" }
    await test.dispatch(SettingsAction.accent("red")) { $0.settings.accent = "red" }
    await test.perform {
      history.undo()
    } changes: {
      $0.document = Document("Write", "Rest")
    }
    await test.perform {
      history.redo()
    } changes: {
      $0.document.add("Sleep")
    }
    await world.clock.advance(by: .seconds(1))
    await test.finish()
  }

  @Test func `an estimate is no step, and a redo has it`() async throws {
    world.estimates.open()
    let test = try await world.testStore(history: history, exhaustivity: .off)
    await test.dispatch(ListAction.add("Sleep"))
    await test.dispatch(AskEstimate().element(3))
    #expect(test.store.document.todos[id: 3]?.estimate == .minutes(5))
    history.undo()
    #expect(titles(test) == ["Write", "Rest"])
    #expect(!history.canUndo)
    history.redo()
    #expect(test.store.document.todos[id: 3]?.estimate == .minutes(5))
    await test.finishLeavingEffects()
  }

  @Test func `undoing the line ends its work`() async throws {
    let test = try await world.testStore(history: history)
    await test.dispatch(ListAction.add("Sleep")) { $0.document.add("Sleep") }
    await test.dispatch(AskEstimate().element(3)) { $0.document.todos[id: 3]?.estimate = .asking }
    await test.perform {
      history.undo()
    } changes: {
      $0.document = Document("Write", "Rest")
    }
    #expect(world.asked.last == "no estimate of Sleep")
    world.estimates.open()
    await world.clock.advance(by: .seconds(1))
    await test.finish()
  }
}
