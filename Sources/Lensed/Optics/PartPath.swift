/// A way to read one part of a store's state, with the type of the whole erased.
@usableFromInline
struct PartPath<Value>: Sendable {
  /// Where the part lies, in bytes from the start of the state, if it lies anywhere.
  @usableFromInline
  let offset: Int?
  @usableFromInline
  let read: @Sendable (_ state: StateAddress) -> Value
  @usableFromInline
  let labels: [LensLabel]
  @usableFromInline
  let root: Any.Type

  @inlinable
  init(
    offset: Int?, labels: [LensLabel], root: Any.Type,
    read: @escaping @Sendable (_ state: StateAddress) -> Value
  ) {
    self.offset = offset
    self.labels = labels
    self.root = root
    self.read = read
  }

  /// The part that a lens focuses on.
  @inlinable
  init<Root>(_ lens: Lens<Root, Value>) {
    switch lens.way {
    case .stored(let offset):
      self.init(offset: offset, labels: lens.labels, root: Root.self) {
        $0.advanced(by: offset).read(Value.self)
      }
    case .closures(let access):
      self.init(offset: nil, labels: lens.labels, root: Root.self) {
        access.get($0.read(Root.self))
      }
    }
  }

  /// The part at a key path, which may be computed or constant.
  @inlinable
  init<Root>(_ keyPath: any KeyPath<Root, Value> & Sendable) {
    if let offset = MemoryLayout<Root>.offset(of: keyPath) {
      self.init(offset: offset, labels: [.keyPath(keyPath)], root: Root.self) {
        $0.advanced(by: offset).read(Value.self)
      }
    } else {
      self.init(offset: nil, labels: [.unnamed], root: Root.self) {
        $0.read(Root.self)[keyPath: keyPath]
      }
    }
  }

  /// The reader of a part of this part.
  @inlinable
  func appending<Leaf>(_ next: PartPath<Leaf>) -> PartPath<Leaf> {
    let labels = labels + next.labels
    if let offset, let further = next.offset {
      return PartPath<Leaf>(offset: offset + further, labels: labels, root: root) {
        $0.advanced(by: offset + further).read(Leaf.self)
      }
    }
    let (outer, inner) = (read, next.read)
    return PartPath<Leaf>(offset: nil, labels: labels, root: root) { state in
      StateAddress.reading(outer(state), as: Value.self, inner)
    }
  }

  /// What was read while the state was lent.
  @inlinable
  static func lent(_ value: consuming Value?) -> Value {
    // A store lends its state before it returns, so only a fault in one can trap here.
    guard let value else {
      fatalError("Lensed: the state was not lent to its reader; this is a fault of Lensed itself.")
    }
    return value
  }

  /// What the part covers of the state.
  @usableFromInline
  var footprint: Footprint {
    Footprint(
      path: LensLabel.path(labels, from: root),
      bytes: offset.map { $0..<($0 + MemoryLayout<Value>.size) },
      typeName: "\(Value.self)")
  }
}
