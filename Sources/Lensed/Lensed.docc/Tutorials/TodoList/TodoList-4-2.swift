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
  await test.finish()
}
