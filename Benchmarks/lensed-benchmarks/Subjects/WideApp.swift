import Lensed

/// A state with any number of sub-states.
///
/// The two measured ones are stored properties. The others are the elements of an array, each with
/// its own mutator, named lens and action type. A thousand stored properties would be the same to
/// the store, but take minutes to compile.
struct WideApp: Sendable, Equatable {
  var counter = CounterApp.Counter()
  var profile = CounterApp().profile
  var others: [Int]

  /// Creates a store with a number of sub-states, from 2 to 1,026.
  static func store(subStates count: Int) throws -> Store<WideApp> {
    let store = Store(
      initialState: WideApp(others: Array(repeating: 0, count: count - 2)),
      // Reflection cannot see the elements of an array as parts.
      coverage: .partial
    )
    try store.register(Mutator(\.counter, CounterReducers.counter))
    try store.register(Mutator(\.profile, CounterReducers.profile))
    var registration = Registration(store: store, left: count - 2)
    try registration.register(Root.self, depth: 10)
    return opaque(store)
  }

  private enum Root {}
  private enum Zero<Rest> {}
  private enum One<Rest> {}

  /// An action that one of the other sub-states handles; each tag makes another type.
  private struct OtherAction<Tag>: Action {
    var amount = 1
  }

  /// Registers the other sub-states, each with a type from the leaf of a binary tree of types.
  private struct Registration {
    let store: Store<WideApp>
    var left: Int

    mutating func register(_ tag: any Any.Type, depth: Int) throws {
      func open<Tag>(_ tag: Tag.Type) throws {
        if depth == 0 { return try registerLeaf(tag) }
        try register(Zero<Tag>.self, depth: depth - 1)
        try register(One<Tag>.self, depth: depth - 1)
      }
      if left > 0 { try open(tag) }
    }

    private mutating func registerLeaf<Tag>(_: Tag.Type) throws {
      guard left > 0 else { return }
      left -= 1
      let place = left
      let lens = Lens<WideApp, Int>(
        name: "others[\(place)]",
        get: { $0.others[place] },
        modify: { state, change in change(&state.others[place]) }
      )
      try store.register(
        Mutator(lens: lens) { (other: inout Int, action: OtherAction<Tag>) in
          other &+= action.amount
        }
      )
    }
  }
}
