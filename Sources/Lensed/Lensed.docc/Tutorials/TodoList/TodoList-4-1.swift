import Lensed
import Testing

@testable import TodoList

@Test func `a to-do is renamed`() {
  var milk = Todo(id: 1, title: "Milk")
  todo.reduce(&milk, TodoAction.rename("Oat milk"))
  #expect(milk.title == "Oat milk")
}
