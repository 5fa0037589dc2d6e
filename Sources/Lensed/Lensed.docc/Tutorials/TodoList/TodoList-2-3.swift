import Lensed

let store = try makeStore()
let subscription = store.states(\.todos).subscribe { todos in
  print(todos.map(\.title))
}
store.dispatch(ListAction.add("Milk"))
store.dispatch(ListAction.add("Bread"))
subscription.cancel()
