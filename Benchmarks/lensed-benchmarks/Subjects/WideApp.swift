import Lensed

/// A state with as many sub-states as asked for.
///
/// The two that are measured are stored properties. The rest are the elements of an array, each
/// the property of a mutator of its own through a named lens, with an action type of its own: a
/// thousand stored properties would say the same to the store and take minutes to compile. What
/// counts here is how many mutators, lenses and action types the store knows of.
struct WideApp: Sendable, Equatable {
  var counter = CounterApp.Counter()
  var profile = CounterApp().profile
  var others: [Int]

  /// A store with this many sub-states altogether, from 2 to 1,026.
  static func store(subStates count: Int) throws -> Store<WideApp> {
    let store = Store(
      initialState: WideApp(others: Array(repeating: 0, count: count - 2)),
      // Reflection cannot see who owns which element of an array.
      coverage: .partial
    )
    try store.register(Mutator(\.counter, CounterReducers.counter))
    try store.register(Mutator(\.profile, CounterReducers.profile))
    var crowd = Crowd(store: store, left: count - 2)
    try crowd.register(Root.self, depth: 10)
    return opaque(store)
  }

  private enum Root {}
  private enum Zero<Rest> {}
  private enum One<Rest> {}

  /// An action that one of the others answers: each tag makes another type of it.
  private struct Elsewhere<Tag>: Action {
    var amount = 1
  }

  /// Registers the others, each at a leaf of a binary tree of types.
  private struct Crowd {
    let store: Store<WideApp>
    var left: Int

    mutating func register(_ tag: any Any.Type, depth: Int) throws {
      func open<Tag>(_ tag: Tag.Type) throws {
        if depth == 0 { return try settle(tag) }
        try register(Zero<Tag>.self, depth: depth - 1)
        try register(One<Tag>.self, depth: depth - 1)
      }
      if left > 0 { try open(tag) }
    }

    private mutating func settle<Tag>(_: Tag.Type) throws {
      guard left > 0 else { return }
      left -= 1
      let place = left
      let lens = Lens<WideApp, Int>(
        name: "others[\(place)]",
        get: { $0.others[place] },
        modify: { state, change in change(&state.others[place]) }
      )
      try store.register(
        Mutator(lens: lens) { (other: inout Int, action: Elsewhere<Tag>) in
          other &+= action.amount
        }
      )
    }
  }
}
