import Lensed

let store = try makeStore()
let subscription = store.states(Shown.todos).subscribe { todos in
  for todo in todos {
    print(todo.isDone ? "[x]" : "[ ]", todo.id, todo.title)
  }
  print("--", store[Shown.openCount], "to do")
}
while let line = readLine() {
  let words = line.split(separator: " ", maxSplits: 1).map(
    String.init)
  switch (words.first, words.last) {
  case ("add", let title?):
    store.dispatch(ListAction.add(title))
  case ("done", let number?):
    guard let id = Int(number) else { break }
    store.dispatch(ElementAction(id: id, action: TodoAction.toggle))
  case ("open", _):
    store.dispatch(FilterAction.show(.open))
  case ("all", _):
    store.dispatch(FilterAction.show(.all))
  case ("clear", _):
    store.dispatch(ListAction.clearDone)
  default:
    print("add TITLE, done NUMBER, open, all, clear")
  }
}
subscription.cancel()
