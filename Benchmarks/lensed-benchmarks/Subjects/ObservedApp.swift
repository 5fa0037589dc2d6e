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
}

/// A state with one property, like the class.
struct ObservedState: Sendable, Equatable {
  var value = 0
}

/// Sets the property, like the setter of the class.
struct ObservedAction: Action {
  let value: Int
}
