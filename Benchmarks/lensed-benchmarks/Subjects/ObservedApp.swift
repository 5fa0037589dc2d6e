import Lensed
import Observation

/// What SwiftUI code has without a store: a class whose property is observed.
@MainActor
@Observable
final class ObservedCounter {
  var value = 0
}

/// A mirror of which one property has been read.
@MainActor
enum ObservedApp {
  static func mirror() throws -> ObservedStore<ObservedState> {
    let store = try Store(initialState: ObservedState()) {
      Mutator(\.value) { (value: inout Int, action: ObservedAction) in value = action.value }
    }
    let observed = ObservedStore(store)
    swallow(observed.value)
    return observed
  }
}

/// A state of one property, as the class has one.
struct ObservedState: Sendable, Equatable {
  var value = 0
}

/// Sets the property, as the class's setter does.
struct ObservedAction: Action {
  let value: Int
}
