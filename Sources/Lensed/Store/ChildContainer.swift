/// The part of a state in which a child lies, as far as that can be seen.
struct ChildContainer: Sendable {
  let labels: [LensLabel]
  let bytes: Range<Int>?
  private let type: any Any.Type

  private init(_ labels: [LensLabel], _ bytes: Range<Int>?, of type: any Any.Type) {
    (self.labels, self.bytes, self.type) = (labels, bytes, type)
  }

  /// What a lens focuses on.
  init<Root, Value>(_ lens: Lens<Root, Value>) {
    var bytes: Range<Int>?
    if case .stored(let offset) = lens.location {
      bytes = offset..<(offset + MemoryLayout<Value>.size)
    }
    self.init(lens.labels, bytes, of: Value.self)
  }

  /// A whole state.
  init<Root>(whole: Root.Type) {
    self.init(Lens<Root, Root>.identity)
  }

  /// The same part, of a larger state.
  func lifted<Root, Value>(_ lens: Lens<Root, Value>) -> ChildContainer {
    var moved: Range<Int>?
    if case .stored(let offset) = lens.location, let bytes {
      moved = (bytes.lowerBound + offset)..<(bytes.upperBound + offset)
    }
    return ChildContainer(lens.labels + labels, moved, of: type)
  }

  var footprint: Footprint { Footprint(labels: InlineList(labels), bytes: bytes, of: type) }
}
