import Lensed

let store = try makeStore()
let subscription = store.states(Shown.todos).subscribe { todos in
  for todo in todos {
    print(todo.isDone ? "[x]" : "[ ]", todo.id, todo.title)
  }
  print("--")
}
store.dispatch([ListAction.add("Milk"), .add("Bread")])
store.dispatch(ElementAction(id: 1, action: TodoAction.toggle))
store.dispatch(FilterAction.show(.open))
subscription.cancel()
