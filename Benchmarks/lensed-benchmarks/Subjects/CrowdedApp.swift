import Lensed

/// A state with observed parts that do not change.
struct CrowdedApp: Sendable, Equatable {
  var counter = CounterApp.Counter()
  var profile = CounterApp().profile
  var first = 0
  var second = 0
  var third = 0
  var fourth = 0
  var choice: Int? = 1
  var rows: Entities<Row> = [Row(id: 1), Row(id: 2)]

  struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var count = 0
  }

  /// The parts that do not change during a measurement.
  static var quietParts: [any WritableKeyPath<CrowdedApp, Int> & Sendable] {
    [\.first, \.second, \.third, \.fourth]
  }

  static func store(
    middleware: [any Middleware<CrowdedApp>] = []
  ) throws -> Store<CrowdedApp> {
    opaque(
      try Store(initialState: CrowdedApp(), middleware: middleware) {
        Mutator(\.counter, CounterReducers.counter)
        Mutator(\.profile, CounterReducers.profile)
        Mutator(\.first) { (part: inout Int, action: QuietAction) in part = action.value }
        Mutator(\.second) { (part: inout Int, action: QuietAction) in part = action.value }
        Mutator(\.third) { (part: inout Int, action: QuietAction) in part = action.value }
        Mutator(\.fourth) { (part: inout Int, action: QuietAction) in part = action.value }
        Constant(\.choice)
        Constant(\.rows)
      }
    )
  }

  /// Creates a store with synchronous observers of the quiet parts; the subscriptions keep them.
  static func store(observers count: Int) throws -> (Store<CrowdedApp>, [StoreSubscription]) {
    let store = try store()
    let parts = quietParts
    let subscriptions = (0..<count).map { index in
      store.states(parts[index % parts.count]).subscribe { swallow($0) }
    }
    return (store, subscriptions)
  }

  private struct QuietAction: Action {
    var value: Int
  }
}
