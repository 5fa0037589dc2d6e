import Lensed
import Synchronization

/// A state with one large part.
struct ListApp: Sendable, Equatable {
  var items: [Int]
  var selection = 0

  /// Changes one element.
  struct Update: Action {
    var index: Int
    var amount: Int

    static var sample: Update { opaque(Update(index: 42, amount: 1)) }
  }

  typealias Reducer = @Sendable (inout [Int], Update) -> Void

  static func reducer() -> Reducer {
    opaqueReducer { items, action in items[action.index] &+= action.amount }
  }

  static func store(elements count: Int) throws -> Store<ListApp> {
    let reducer = reducer()
    return opaque(
      try Store(initialState: ListApp(items: Array(repeating: 0, count: count))) {
        Mutator(\.items, reducer)
        Constant(\.selection)
      }
    )
  }

  @inline(never) @_optimize(none)
  private static func opaqueReducer(_ reducer: @escaping Reducer) -> Reducer { reducer }
}

/// The same store written by hand.
final class HandList: Sendable {
  private let state: Mutex<ListApp>
  private let reducer = ListApp.reducer()

  init(elements count: Int) {
    state = Mutex(ListApp(items: Array(repeating: 0, count: count)))
  }

  func dispatch(_ action: ListApp.Update) {
    state.withLock { reducer(&$0.items, action) }
  }
}
