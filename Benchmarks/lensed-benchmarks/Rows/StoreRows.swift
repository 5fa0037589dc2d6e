import Lensed

/// The cost of making stores and subscriptions, as servers do for each connection or document.
enum StoreRows {
  static var pairs: [Pair] { [making, first, inline, subscribing] }

  private static var making: Pair {
    Pair(
      "make-store",
      "a store of three sub-states from a blueprint / a dictionary of three entries",
      target: Target(atMost: 55, aim: 45), allocations: .atMost(18), share: 0.5
    ) {
      let blueprint = try ThreeParts.blueprint()
      return (
        .synchronous("StoreBlueprint.makeStore") { turns in
          for _ in 0..<turns {
            ThreeParts.swallowStore(blueprint.makeStore(initialState: ThreeParts()))
          }
        },
        .synchronous("Dictionary") { turns in
          for turn in 0..<turns { swallow([turn: 1, turn &+ 1: 2, turn &+ 2: 3].count) }
        }
      )
    }
  }

  private static var first: Pair {
    Pair(
      "first-dispatch",
      "a store from a blueprint and its first dispatch / the store alone",
      target: Target(atMost: 2.2, aim: 1.35), allocations: .atMost(29), share: 0.5
    ) {
      let blueprint = try ThreeParts.blueprint()
      return (
        .synchronous("makeStore, dispatch") { turns in
          for _ in 0..<turns {
            let store = blueprint.makeStore(initialState: ThreeParts())
            store.dispatch(ThreeParts.Step(by: 1))
            ThreeParts.swallowStore(store)
          }
        },
        .synchronous("makeStore") { turns in
          for _ in 0..<turns {
            ThreeParts.swallowStore(blueprint.makeStore(initialState: ThreeParts()))
          }
        }
      )
    }
  }

  private static var inline: Pair {
    Pair(
      "make-inline",
      "a store made inline, proved anew, and ten dispatches / from a blueprint",
      target: Target(atMost: 8, aim: 1.3), share: 0.5
    ) {
      let blueprint = try ThreeParts.blueprint()
      return (
        .synchronous("Store(initialState:), ten dispatches") { turns in
          for _ in 0..<turns {
            guard let store = try? ThreeParts.store() else { continue }
            dispatchTen(store)
          }
        },
        .synchronous("makeStore, ten dispatches") { turns in
          for _ in 0..<turns { dispatchTen(blueprint.makeStore(initialState: ThreeParts())) }
        }
      )
    }
  }

  private static func dispatchTen(_ store: Store<ThreeParts>) {
    for _ in 0..<10 { store.dispatch(ThreeParts.Step(by: 1)) }
    ThreeParts.swallowStore(store)
  }

  private static var subscribing: Pair {
    Pair(
      "subscribe-cancel",
      "a subscription made and cancelled / an AsyncStream made and finished",
      target: Target(atMost: 2.2, aim: 1.65), allocations: .atMost(13), share: 0.5
    ) {
      let store = try CounterApp.store()
      return (
        .synchronous("subscribe, cancel") { turns in
          for _ in 0..<turns { store.states(\.counter).subscribe { swallow($0.value) }.cancel() }
        },
        .synchronous("AsyncStream") { turns in
          for _ in 0..<turns {
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            continuation.yield(1)
            continuation.finish()
            withExtendedLifetime(stream) {}
          }
        }
      )
    }
  }

  /// Dispatches to one store after another, as a server does that has one for each connection.
  static func dispatching(amongStores count: Int) throws -> Side {
    let blueprint = try ThreeParts.blueprint()
    let stores = (0..<count).map { _ in blueprint.makeStore(initialState: ThreeParts()) }
    let action = opaque(ThreeParts.Step(by: 1))
    for store in stores { store.dispatch(action) }
    var next = 0
    return .synchronous("\(count) stores") { turns in
      for _ in 0..<turns {
        stores[next].dispatch(action)
        next = next &+ 1 == stores.count ? 0 : next &+ 1
      }
    }
  }

  static func dispatchingByHand(amongStores count: Int) -> Side {
    let stores = (0..<count).map { _ in opaque(HandStore()) }
    let action = CounterAction.sample
    var next = 0
    return .synchronous("\(count) mutexes, reducers") { turns in
      for _ in 0..<turns {
        stores[next].dispatch(action)
        next = next &+ 1 == stores.count ? 0 : next &+ 1
      }
    }
  }
}

/// A state of three sub-states, like that of one connection.
struct ThreeParts: Sendable {
  var first = 0
  var second = 0
  var third = 0

  struct Step: Action {
    var by: Int
  }

  static func blueprint() throws -> StoreBlueprint<ThreeParts> {
    try StoreBlueprint<ThreeParts>(parts: parts)
  }

  /// A store that proves its parts, as one does that is made where it is used.
  static func store() throws -> Store<ThreeParts> {
    try Store(initialState: ThreeParts(), parts: parts)
  }

  @StoreBuilder<ThreeParts>
  private static func parts() -> [StorePart<ThreeParts>] {
    Mutator(\.first) { (part: inout Int, action: Step) in part &+= action.by }
    Mutator(\.second) { (part: inout Int, action: Step) in part &+= action.by }
    Mutator(\.third) { (part: inout Int, action: CounterAction) in part &+= 1 }
  }

  @inline(never)
  static func swallowStore(_ store: Store<ThreeParts>) { withExtendedLifetime(store) {} }
}
