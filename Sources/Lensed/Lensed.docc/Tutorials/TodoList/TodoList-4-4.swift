import Lensed
import LensedTesting
import Testing

@testable import TodoList

@Test func `a to-do is renamed`() {
  var milk = Todo(id: 1, title: "Milk")
  todo.reduce(&milk, TodoAction.rename("Oat milk"))
  #expect(milk.title == "Oat milk")
}

@Test func `what is done is not open`() async throws {
  let test = try TestStore(initialState: AppState()) {
    list
    filter
  }
  await test.dispatch(ListAction.add("Milk")) {
    $0.todos = [Todo(id: 1, title: "Milk")]
  }
  await test.dispatch(TodoAction.toggle.element(1)) {
    $0.todos[id: 1]?.isDone = true
  }
  await test.dispatch(FilterAction.show(.open)) { $0.filter = .open }
  #expect(test.store[Shown.todos].isEmpty)
  await test.finish()
}

@Test func `no open to-do goes away, whatever happens`() async {
  let actions = Generator<any Action>.any(
    .one(of: [ListAction.add("Milk"), .clearDone]),
    Generator.int(in: 1...3).map {
      ElementAction(id: $0, action: TodoAction.toggle)
    },
    .one(of: [FilterAction.show(.all), .show(.open)]))
  await explore(
    store: { try makeStore() }, actions: actions, seed: 7,
    invariants: [
      Invariant("an open to-do stays") { before, after in
        before.todos.allSatisfy {
          $0.isDone || after.todos[id: $0.id] != nil
        }
      }
    ])
}
