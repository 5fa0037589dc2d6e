import Lensed

let store = try makeStore()
let subscription = store.states(\.count).subscribe { count in
  print(count)
}
store.dispatch(CountAction.increase)
store.dispatch([CountAction.increase, .increase])
subscription.cancel()
