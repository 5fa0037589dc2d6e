import Lensed
import Observation

/// An observable class, as SwiftUI code has without a store.
@MainActor
@Observable
final class ObservedCounter {
  var value = 0
}

/// An observed store with one property that was read.
@MainActor
enum ObservedApp {
  static func observedStore() throws -> ObservedStore<ObservedState> {
    let store = try Store(initialState: ObservedState()) {
      Mutator(\.value) { (value: inout Int, action: ObservedAction) in value = action.value }
    }
    let observed = ObservedStore(store)
    swallow(observed.value)
    return observed
  }

  /// An observed store of a thousand rows, and that of one of them, with one property that was read.
  static func observedRow() throws -> (
    app: ObservedStore<RowsApp>, row: ObservedStore<RowsApp.Row>
  ) {
    let observed = ObservedStore(try RowsApp.store(features: 1_000))
    guard let row = observed.scope(\.rows, id: 0) else { fatalError("The row 0 is not there.") }
    swallow(row.amount)
    return (observed, row)
  }
}

/// A state with one property, like the class.
struct ObservedState: Sendable, Equatable {
  var value = 0
}

/// Sets the property, like the setter of the class.
struct ObservedAction: Action {
  let value: Int
}
