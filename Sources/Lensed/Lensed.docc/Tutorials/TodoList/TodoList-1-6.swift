import Lensed

let store = try makeStore()
store.dispatch(CountAction.increase)
print(store.count)
