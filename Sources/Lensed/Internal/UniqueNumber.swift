internal import Synchronization

private let lastNumber = Atomic<UInt64>(0)

/// A number that was never given before: for a prism, an owner, a use of a feature.
func makeUniqueNumber() -> UInt64 {
  lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
}
