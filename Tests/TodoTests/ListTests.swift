import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite("To-do: the list and its lines", .timeLimit(.minutes(30)))
struct ListTests {
  private let world = World(saved: Document("Write", "Rest", ""))

  @Test func `lines are added, edited, moved and removed`() async throws {
    let test = try await world.testStore(exhaustivity: .only(\.document))
    await test.dispatch(ListAction.add("Sleep")) { $0.document.add("Sleep") }
    await test.dispatch(TodoAction.toggle.element(4)) { $0.document.todos[id: 4]?.isDone = true }
    await test.dispatch(ListAction.move(4, to: 0)) { $0.document.todos.move(id: 4, to: 0) }
    await test.dispatch(TodoAction.rename("Edit").element(1)) {
      $0.document.todos[id: 1]?.title = "Edit"
    }
    #expect(test.store.document.todos.map(\.title) == ["Sleep", "Edit", "Rest", ""])
    await test.dispatch(ListAction.clearDone) { $0.document.todos.remove(id: 4) }
    await test.dispatch(ListAction.remove(2)) { $0.document.todos.remove(id: 2) }
    #expect(test.store[Visible.openCount] == 2)
    await world.clock.advance(by: .seconds(1))
    await test.finish()
  }

  @Test func `each line asks for its own estimate, side by side`() async throws {
    let test = try await world.testStore()
    await test.dispatch(AskEstimate().element(1)) { $0.document.todos[id: 1]?.estimate = .asking }
    await test.dispatch(AskEstimate().element(2)) { $0.document.todos[id: 2]?.estimate = .asking }
    // The first line is asked about again: its own request gives way, that of the other goes on.
    await test.dispatch(AskEstimate().element(1))
    #expect(
      world.asked.values == [
        "estimate of Write", "estimate of Rest", "no estimate of Write", "estimate of Write",
      ])
    world.estimates.open()
    await test.receive(EstimateAnswer.minutes(4).element(2)) {
      $0.document.todos[id: 2]?.estimate = .minutes(4)
    }
    await test.receive(EstimateAnswer.minutes(5).element(1)) {
      $0.document.todos[id: 1]?.estimate = .minutes(5)
    }
    await world.clock.advance(by: .seconds(1))
    await test.finish()
  }

  @Test func `an estimate is by the pace that the settings name`() async throws {
    world.estimates.open()
    let test = try await world.testStore()
    await test.dispatch(SettingsAction.pace(200)) { $0.settings.pace = 200 }
    await test.dispatch(AskEstimate().element(2)) { $0.document.todos[id: 2]?.estimate = .asking }
    await test.receive(EstimateAnswer.minutes(4).element(2)) {
      $0.document.todos[id: 2]?.estimate = .minutes(8)
    }
    await world.clock.advance(by: .seconds(1))
    await test.finish()
  }

  @Test func `a failed estimate is shown at its line`() async throws {
    world.estimates.open()
    let test = try await world.testStore()
    await test.dispatch(AskEstimate().element(3)) { $0.document.todos[id: 3]?.estimate = .asking }
    await test.receive(EstimateAnswer.failed.element(3)) {
      $0.document.todos[id: 3]?.estimate = .failed
    }
    await world.clock.advance(by: .seconds(1))
    await test.finish()
  }

  @Test func `an estimate is awaited by whoever asks for it`() async throws {
    world.estimates.open()
    let store = try Store(
      initialState: Document("Write"), Document.feature(world.services.estimator))
    let answer = try await store.request(
      AskEstimate().element(1), answeredBy: ElementAction<Todo.ID, EstimateAnswer>.self)
    #expect(answer.action == .minutes(5))
    #expect(store.todos[id: 1]?.estimate == .minutes(5))
  }

  @Test func `a question that is taken back does not stay open`() async throws {
    let test = try await world.testStore()
    let asking = await test.dispatch(AskEstimate().element(1)) {
      $0.document.todos[id: 1]?.estimate = .asking
    }
    asking.cancel()
    await test.receive(EstimateAnswer.failed.element(1)) {
      $0.document.todos[id: 1]?.estimate = .failed
    }
    await world.clock.advance(by: .seconds(1))
    await test.finish()
  }

  @Test func `removing a line ends its work, and no other`() async throws {
    let test = try await world.testStore()
    await test.dispatch([AskEstimate().element(1), AskEstimate().element(2)]) {
      $0.document.todos[id: 1]?.estimate = .asking
      $0.document.todos[id: 2]?.estimate = .asking
    }
    await test.dispatch(ListAction.remove(1)) { $0.document.todos.remove(id: 1) }
    #expect(world.asked.last == "no estimate of Write")
    world.estimates.open()
    await test.receive(EstimateAnswer.minutes(4).element(2)) {
      $0.document.todos[id: 2]?.estimate = .minutes(4)
    }
    await world.clock.advance(by: .seconds(1))
    await test.finish()
  }

  @Test func `an error that nobody catches names the line`() async throws {
    struct Deaf: Estimator {
      func minutes(for title: String) async throws -> Int { throw FakeError(description: "deaf") }
    }
    let errors = Recorder<String>()
    let shout = Effect<Todo>(on: AskEstimate.self) { _, _ in throw FakeError(description: "deaf") }
      .named("Shout")
    let store = try Store(
      initialState: Document("a", "b"), onEffectError: { errors.append("\($0)") }
    ) {
      Document.feature(Deaf())
      shout.identified().lifted(\.todos)
    }
    try await store.dispatch(AskEstimate().element(2)).finish()
    #expect(errors.count == 1)
    #expect(errors.last?.contains("Shout of `todos[2]`") == true, "\(errors.values)")
    #expect(store.todos[id: 2]?.estimate == .failed)
  }

  @Test func `two panes of one feature filter apart`() async throws {
    var state = AppState()
    state.right.filter = .open
    let test = try await world.testStore(state)
    await test.dispatch(PaneAction.search("e").tagged(Left.self)) { $0.left.query = "e" }
    await test.dispatch(PaneAction.show(.done).tagged(Right.self)) { $0.right.filter = .done }
    await test.dispatch(TodoAction.toggle.element(2)) { $0.document.todos[id: 2]?.isDone = true }
    #expect(test.store[Visible.left].map(\.id) == [1, 2])
    #expect(test.store[Visible.right].map(\.id) == [2])
    let left = test.store.scope(\.left, actions: .tagged(Left.self))
    left.dispatch(PaneAction.search(""))
    await test.receive(PaneAction.search("").tagged(Left.self)) { $0.left.query = "" }
    #expect(test.store[Visible.left].map(\.id) == [1, 2, 3])
    await world.clock.advance(by: .seconds(1))
    await test.finish()
  }

  @Test func `what a pane shows is computed for the commits that concern it alone`() async throws {
    let test = try await world.testStore(exhaustivity: .off)
    let shown = Recorder<[String]>()
    let pane = test.store.states(Visible.left).subscribe { shown.append($0.map(\.title)) }
    await test.dispatch(PaneAction.show(.done).tagged(Right.self))
    await test.dispatch(TodoAction.rename("Rework").element(1))
    await test.dispatch(PaneAction.search("Rew").tagged(Left.self))
    #expect(shown.values == [["Write", "Rest", ""], ["Rework", "Rest", ""], ["Rework"]])
    await test.dispatch(TodoAction.rename("Sleep").element(2))
    #expect(shown.count == 3, "the second line is not shown")
    pane.cancel()
    await test.finishLeavingEffects()
  }
}
