import Lensed

/// The state of most pairs: two sub-states, one of them with a heap object, as in a typical app.
struct CounterApp: Sendable, Equatable {
  var counter = Counter()
  // Longer than a string can hold without a heap object.
  var profile = Profile(name: String(repeating: opaque("n"), count: 32))

  struct Counter: Sendable, Equatable {
    var value = 0
    var changes = 0
  }

  struct Profile: Sendable, Equatable {
    var name: String
    var score = 0
  }
}

/// The action that both sub-states handle.
enum CounterAction: Action {
  case increase(Int)
  case decrease(Int)
  case reset

  static var sample: CounterAction { opaque(.increase(1)) }
}

/// The two reducers, used on both sides of each pair; neither side can inline them.
enum CounterReducers {
  @inline(never)
  static func counter(_ counter: inout CounterApp.Counter, _ action: CounterAction) {
    switch action {
    case .increase(let amount): counter.value &+= amount
    case .decrease(let amount): counter.value &-= amount
    case .reset: counter.value = 0
    }
    counter.changes &+= 1
  }

  @inline(never)
  static func profile(_ profile: inout CounterApp.Profile, _ action: CounterAction) {
    switch action {
    case .increase(let amount): profile.score &+= amount &* 2
    case .decrease(let amount): profile.score &-= amount
    case .reset: profile.score = 0
    }
  }
}

extension CounterApp {
  /// Creates a store without effects, middleware or observers.
  static func store() throws -> Store<CounterApp> {
    opaque(try Store(initialState: CounterApp(), parts: parts))
  }

  /// Creates a store with middleware.
  static func store(middleware: [any Middleware<CounterApp>]) throws -> Store<CounterApp> {
    opaque(try Store(initialState: CounterApp(), middleware: middleware, parts: parts))
  }

  @StoreBuilder<CounterApp>
  private static func parts() -> [StorePart<CounterApp>] {
    Mutator(\CounterApp.counter, CounterReducers.counter)
    Mutator(\CounterApp.profile, CounterReducers.profile)
  }
}
