/// A way to read one part of a store's state, with the type of the whole erased.
@usableFromInline
struct PartPath<Value>: Sendable {
  @usableFromInline
  enum Location: Sendable {
    /// The part lies so many bytes behind the start of the state; four gigabytes are enough for a value.
    case stored(UInt32)
    /// The part is computed, or reached by functions.
    case computed(@Sendable (_ state: StateAddress) -> Value)
  }

  @usableFromInline
  let location: Location
  /// The names of the part, for its footprint; empty for the whole.
  @usableFromInline
  let labels: InlineList<LensLabel>
  /// What reading replaces, for the reader to release after the lock, and the way to the part itself; nil for a part
  /// that is always there.
  @usableFromInline
  let formers: FormerValues?

  @inlinable
  init(_ location: Location, labels: InlineList<LensLabel>, formers: FormerValues? = nil) {
    self.location = location
    self.labels = labels
    self.formers = formers
  }

  /// A part that `read` computes.
  @inlinable
  init(label: LensLabel, read: @escaping @Sendable (_ state: StateAddress) -> Value) {
    self.init(.computed(read), labels: .one(label))
  }

  /// The part that a lens focuses on.
  @inlinable
  init<Root>(_ lens: Lens<Root, Value>) {
    switch lens.location {
    case .stored(let offset):
      // A stored part of the same type as the whole is the whole.
      self.init(
        .stored(UInt32(offset)),
        labels: Root.self == Value.self ? .none : InlineList(lens.labels))
    case .closures(let access):
      self.init(.computed { access.get($0.read(Root.self)) }, labels: InlineList(lens.labels))
    }
  }

  /// The part at a key path, which may be computed or constant.
  @inlinable
  init<Root>(_ keyPath: any KeyPath<Root, Value> & Sendable) {
    if let offset = MemoryLayout<Root>.offset(of: keyPath) {
      self.init(
        .stored(UInt32(offset)),
        labels: Root.self == Value.self ? .none : .one(.keyPath(keyPath)))
    } else {
      self.init(label: .unnamed) { $0.read(Root.self)[keyPath: keyPath] }
    }
  }

  var isWhole: Bool { labels.isEmpty && offset == 0 }

  /// The offset of the part in bytes, if it has a fixed one.
  @inlinable
  var offset: Int? {
    if case .stored(let offset) = location { Int(offset) } else { nil }
  }

  /// Copies the part out of the state.
  @inlinable
  func read(_ state: StateAddress) -> Value {
    switch location {
    case .stored(let offset): state.advanced(by: Int(offset)).read(Value.self)
    case .computed(let read): read(state)
    }
  }

  /// The path to a part of this part.
  @inlinable
  func appending<Leaf>(_ next: PartPath<Leaf>) -> PartPath<Leaf> {
    let labels = labels.appending(next.labels, at: offset)
    if case .stored(let offset) = location {
      switch next.location {
      case .stored(let further):
        return PartPath<Leaf>(.stored(offset + further), labels: labels, formers: next.formers)
      case .computed(let read):
        return PartPath<Leaf>(
          .computed { read($0.advanced(by: Int(offset))) }, labels: labels, formers: next.formers)
      }
    }
    let outer = self
    return PartPath<Leaf>(
      .computed { state in StateAddress.reading(outer.read(state), as: Value.self, next.read) },
      labels: labels, formers: formers(of: next))
  }

  /// What a reader needs of a part of this part.
  @usableFromInline
  func formers<Leaf>(of next: PartPath<Leaf>) -> FormerValues? {
    guard let formers else { return next.formers }
    let (lendOuter, lendNext) = (formers.lend, next.lend)
    return FormerValues(inside: formers) { state, body in
      var isThere = false
      return lendOuter(state) { isThere = lendNext($0, body) } && isThere
    }
  }

  /// Lends the part itself, and never a last value; returns false, and calls nothing, while it is not there.
  ///
  /// It does not hold a last value either.
  var lend: FormerValues.Lend {
    if let formers { return formers.lend }
    switch location {
    case .stored(let offset):
      return { state, body in
        body(state.advanced(by: Int(offset)))
        return true
      }
    case .computed(let read):
      return { state, body in
        StateAddress.reading(read(state), as: Value.self, body)
        return true
      }
    }
  }

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
    Footprint(
      labels: labels, bytes: offset.map { $0..<($0 + MemoryLayout<Value>.size) }, of: Value.self)
  }
}
