/// A way to read one part of a store's state, with the type of the whole erased.
@usableFromInline
struct PartPath<Value>: Sendable {
  @usableFromInline
  typealias Compute = @Sendable (_ state: StateAddress) -> Value

  // Two fields, and no enum: code that does not know `Value` would look up its metadata each time it copies a path.
  /// Computes the part, or reaches it by functions; nil where it is stored.
  @usableFromInline
  let compute: Compute?
  /// How many bytes behind the start of the state a stored part lies; four gigabytes are enough for a value.
  @usableFromInline
  let start: UInt32
  @usableFromInline
  let way: Way
  /// The child that the part lies in, or is; nil for a part that is always there.
  @usableFromInline
  let child: PartPresence?
  /// What the part is given, where the context of an effect knows it; nil for all others.
  var givers: PartGivers?

  @inlinable
  init(at start: UInt32, way: Way) {
    (compute, child) = (nil, nil)
    self.start = start
    self.way = way
  }

  @inlinable
  init(
    way: Way, in child: PartPresence? = nil,
    computing compute: @escaping Compute
  ) {
    start = 0
    self.compute = compute
    self.way = way
    self.child = child
  }

  @inlinable
  init<Root>(_ lens: Lens<Root, Value>) {
    switch lens.location {
    case .stored(let offset):
      // A stored part of the same type as the whole is the whole.
      self.init(
        at: UInt32(offset), way: Root.self == Value.self ? .whole : lens.way)
    case .closures(let access):
      self.init(way: lens.way) { access.get($0.read(Root.self)) }
    }
  }

  /// The part at a key path, which may be computed or constant.
  @inlinable
  init<Root>(_ keyPath: any KeyPath<Root, Value> & Sendable) {
    if let offset = MemoryLayout<Root>.offset(of: keyPath) {
      self.init(
        at: UInt32(offset), way: Root.self == Value.self ? .whole : Way(keyPath))
    } else {
      self.init(way: .unnamed) { $0.read(Root.self)[keyPath: keyPath] }
    }
  }

  var isWhole: Bool { way.isEmpty && offset == 0 }

  /// The offset of the part in bytes, if it has a fixed one.
  @inlinable
  var offset: Int? { compute == nil ? Int(start) : nil }

  @inlinable
  func read(_ state: StateAddress) -> Value {
    if let compute { return compute(state) }
    return state.advanced(by: Int(start)).read(Value.self)
  }

  @inlinable
  func appending<Leaf>(_ next: PartPath<Leaf>) -> PartPath<Leaf> {
    let way = way.appending(next.way, at: offset)
    if compute == nil {
      guard let further = next.compute else {
        return PartPath<Leaf>(at: start + next.start, way: way)
      }
      return PartPath<Leaf>(way: way) { [start] in further($0.advanced(by: Int(start))) }
    }
    let outer = self
    return PartPath<Leaf>(way: way, in: child.map { $0.appending(next) }) { state in
      StateAddress.reading(outer.read(state), as: Value.self, next.read)
    }
  }

  /// Lends the part itself, and never what stands for it; returns false, and calls nothing, while it is not there.
  @usableFromInline
  var lend: PartPresence.Lend {
    if let child { return child.lend }
    return { [compute, start] state, body in
      if let compute {
        StateAddress.reading(compute(state), as: Value.self, body)
      } else {
        body(state.advanced(by: Int(start)))
      }
      return true
    }
  }

  /// The path to the child that is there, and to no other in its place; while it is not there, `substitute` stands for
  /// it.
  ///
  /// Its functions are made where the type of the child is known, so that none looks a type up for an action.
  @inlinable
  func bound<Child: Sendable>(
    to made: Child, substitute: @escaping @Sendable () -> Child
  ) -> (part: PartPath<Child>, presence: PartPresence) where Value == Child? {
    let (whole, lend, outer) = (self, lend, child)
    let presence = PartPresence(
      lend: { state, body in
        var isThere = false
        _ = lend(state) { place in
          guard let child = place.read(Child?.self) else { return }
          isThere = true
          StateAddress.reading(child, as: Child.self, body)
        }
        return isThere
      }, in: outer,
      isHere: { whole.read($0).map { areOneChild(made, $0) } ?? false })
    let part = PartPath<Child>(way: way, in: presence) { state in
      if outer?.isThere(state) ?? true, let present = whole.read(state), areOneChild(made, present)
      {
        return present
      }
      return substitute()
    }
    return (part, presence)
  }

  /// The bytes of the part, if they have a fixed place.
  var bytes: Range<Int>? { offset.map { $0..<($0 + MemoryLayout<Value>.size) } }

  /// The value that was read while the state was lent.
  @inlinable
  static func lent(_ value: consuming Value?) -> Value {
    // A store lends its state before it returns, so only a fault in one can trap here.
    guard let value else {
      fatalError("Lensed: the state was not lent to its reader; this is a fault of Lensed itself.")
    }
    return value
  }

  /// What the part covers of the state; its names are not looked up before they are needed.
  @usableFromInline
  var footprint: Footprint {
    Footprint(way: way, bytes: bytes, of: Value.self)
  }
}

/// Whether a part is there that lies in a child, or is one, and the way to it; as a scope knows them.
@usableFromInline
final class PartPresence: Sendable {
  @usableFromInline
  typealias Lend = @Sendable (_ state: StateAddress, _ body: (StateAddress) -> Void) -> Bool

  /// Lends the part of whatever child is there; returns false, and calls nothing, while none is.
  let lend: Lend
  /// Whether the child is where it lies in the child around it, and not another one in its place.
  let isHere: @Sendable (_ state: StateAddress) -> Bool
  /// The child around it; nil for one of the state.
  private let outer: PartPresence?

  @usableFromInline
  init(
    lend: @escaping Lend, in outer: PartPresence? = nil,
    isHere: @escaping @Sendable (StateAddress) -> Bool
  ) {
    (self.lend, self.outer, self.isHere) = (lend, outer, isHere)
  }

  /// Whether the child is there, and not another one in its place.
  @usableFromInline
  func isThere(_ state: StateAddress) -> Bool {
    (outer?.isThere(state) ?? true) && isHere(state)
  }

  /// The same for a part of the part.
  @usableFromInline
  func appending<Leaf>(_ next: PartPath<Leaf>) -> PartPresence {
    let (outer, inner) = (lend, next.lend)
    return PartPresence(
      lend: { state, body in
        var isThere = false
        return outer(state) { isThere = inner($0, body) } && isThere
      }, in: self.outer, isHere: isHere)
  }
}
