import Lensed

let store = try Store(initialState: Search(), search(.wikipedia))
let subscription = store.states(\.titles).subscribe { titles in
  print(titles.joined(separator: ", "))
}
for query in ["s", "sw", "swift"] {
  store.dispatch(QueryChanged(query: query))
}
try await store.settled()
subscription.cancel()
