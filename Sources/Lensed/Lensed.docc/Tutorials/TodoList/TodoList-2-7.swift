import Lensed

let store = try makeStore()
let subscription = store.states(\.todos, id: 2).subscribe { todo in
  print(
    todo.map { "\($0.title), done: \($0.isDone)" }
      ?? "no second to-do")
}
store.dispatch([ListAction.add("Milk"), .add("Bread")])
store.dispatch(ElementAction(id: 1, action: TodoAction.toggle))
store.dispatch(ElementAction(id: 2, action: TodoAction.toggle))
subscription.cancel()
