/// A part of the state that is an input of a derived value, with its type erased.
struct DerivedPart: Sendable {
  private let labels: InlineList<LensLabel>
  private let bytes: Range<Int>?
  private let valueType: any Any.Type
  /// Reads the part of the state that the formula knows; under the lock of the store, or of a copy.
  let read: @Sendable (_ state: StateAddress) -> ValueBox

  init<Value: Sendable>(_ path: PartPath<Value>) {
    labels = path.labels
    bytes = path.offset.map { $0..<($0 + MemoryLayout<Value>.size) }
    valueType = Value.self
    read = { Boxed(path.read($0)) }
  }

  /// What the part covers of the state that has the formula's state at `place`.
  func footprint(in place: StatePlace) -> Footprint {
    let start = place.offset
    return Footprint(
      labels: place.labels(before: labels),
      bytes: bytes.flatMap { bytes in
        start.map { (bytes.lowerBound + $0)..<(bytes.upperBound + $0) }
      },
      of: valueType)
  }
}
