import Lensed

/// One of many types of action, with its reducer.
struct ActionKind: Sendable {
  let reducer: Reducer<Int>
  /// Dispatches an action of the type.
  let dispatch: @Sendable (Store<ManyKindsApp>) -> Void

  private init<Tag>(_ tag: Tag.Type) {
    reducer = Reducer { (count: inout Int, step: Step<Tag>) in count &+= step.amount }
    dispatch = { $0.dispatch(Step<Tag>()) }
  }

  /// So many types, from the leaves of a binary tree of types; at most 64.
  static func all(_ count: Int) -> [ActionKind] {
    func open<Tag>(_ tag: Tag.Type, _ depth: Int) -> [ActionKind] {
      if depth == 0 { return [ActionKind(tag)] }
      return open(Zero<Tag>.self, depth - 1) + open(One<Tag>.self, depth - 1)
    }
    return Array(open(Root.self, 6).prefix(count))
  }

  static func store(of kinds: [ActionKind]) throws -> Store<ManyKindsApp> {
    let reducer = kinds.map(\.reducer).reduce(Reducer<Int>.identity) { .combine($0, $1) }
    return opaque(
      try Store(initialState: ManyKindsApp()) { Mutator(\ManyKindsApp.count, reducer) })
  }

  private struct Step<Tag>: Action {
    var amount = 1
  }

  private enum Root {}
  private enum Zero<Rest> {}
  private enum One<Rest> {}
}

/// A state that many types of action edit.
struct ManyKindsApp: Sendable, Equatable {
  var count = 0
}
