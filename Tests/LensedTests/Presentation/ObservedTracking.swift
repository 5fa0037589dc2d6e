import LensedTestSupport
import Observation

@testable import Lensed

/// A stand-in for a view: it reads something, is told once when that may have changed, and counts.
@MainActor
final class Onlooker {
  private let told = Counter()
  private let read: @MainActor () -> Void

  init(_ read: @escaping @MainActor () -> Void) {
    self.read = read
    look()
  }

  /// Reads again, as a view does that is drawn anew.
  func look() {
    withObservationTracking {
      read()
    } onChange: { [told] in
      told.increment()
    }
  }

  /// How often it was told.
  var count: Int { told.value }
}

/// SwiftUI's `Bindable` and `Binding`, as far as spelling goes.
@MainActor
@propertyWrapper
@dynamicMemberLookup
struct Bindable<Object: AnyObject> {
  struct Binding<Value> {
    let object: Object
    let keyPath: ReferenceWritableKeyPath<Object, Value>

    var value: Value {
      get { object[keyPath: keyPath] }
      nonmutating set { object[keyPath: keyPath] = newValue }
    }
  }

  var wrappedValue: Object
  var projectedValue: Bindable { self }

  init(wrappedValue: Object) {
    self.wrappedValue = wrappedValue
  }

  subscript<Value>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Object, Value>
  ) -> Binding<Value> {
    Binding(object: wrappedValue, keyPath: keyPath)
  }
}

extension ViewTracker {
  /// How many values the next flush looks at.
  var touchedCount: Int { core.withTable { _ in touched.values.value.count } }
}
