/// A way to one part of one store's state.
@usableFromInline
struct StoreView<State: Sendable>: Sendable {
  @usableFromInline
  let core: StoreCore
  @usableFromInline
  let part: PartPath<State>
  /// Kept so that the last state can be read after the store has gone.
  @usableFromInline
  let memory: StateStorage

  @inlinable
  init(_ core: StoreCore, _ part: PartPath<State>, _ memory: StateStorage) {
    self.core = core
    self.part = part
    self.memory = memory
  }

  /// The value at a key path within the part, without an allocation: where a stored part lies is found out before the
  /// lock is taken; for a literal, by the compiler.
  @inlinable
  @inline(__always)
  func read<Value>(_ keyPath: KeyPath<State, Value>) -> Value {
    if let start = part.offset, let offset = MemoryLayout<State>.offset(of: keyPath) {
      return core.read(Value.self, at: memory.place.advanced(by: start + offset))
    }
    return lend { readFromCopy($0, keyPath) }
  }

  /// What a lens focuses on within the part.
  @inlinable
  func read<Value>(_ lens: Lens<State, Value>) -> Value {
    lend { readPart($0, lens) }
  }

  /// One row of the collection at a key path, which is not copied if it is stored.
  @inlinable
  func read<Rows: RowCollection>(
    _ keyPath: KeyPath<State, Rows>, id: Rows.RowID
  ) -> Rows.Row? {
    if let start = part.offset, let offset = MemoryLayout<State>.offset(of: keyPath) {
      return lend { $0.advanced(by: start + offset).lend(Rows.self) { $0.row(id: id) } }
    }
    return lend { readFromCopy($0, keyPath).row(id: id) }
  }

  @inlinable
  func readAll() -> State {
    if let start = part.offset {
      return core.read(State.self, at: memory.place.advanced(by: start))
    }
    return lend(part.read)
  }

  @inlinable
  func readPart<Value>(_ root: StateAddress, _ keyPath: KeyPath<State, Value>) -> Value {
    if let start = part.offset, let offset = MemoryLayout<State>.offset(of: keyPath) {
      return root.advanced(by: start + offset).read(Value.self)
    }
    return readFromCopy(root, keyPath)
  }

  @inlinable
  func readPart<Value>(_ root: StateAddress, _ lens: Lens<State, Value>) -> Value {
    if let start = part.offset { return lens.read(root.advanced(by: start)) }
    return readFromCopy(root, lens)
  }

  // These are functions of their own, and never inlined, because they copy the state. Inlined, they
  // would reserve room for a copy on the stack of a caller that reads a stored part and needs none.

  @inlinable
  @inline(never)
  func readFromCopy<Value>(
    _ root: StateAddress, _ keyPath: KeyPath<State, Value>
  ) -> Value {
    part.read(root)[keyPath: keyPath]
  }

  @inlinable
  @inline(never)
  func readFromCopy<Value>(_ root: StateAddress, _ lens: Lens<State, Value>) -> Value {
    lens.get(part.read(root))
  }

  @inlinable
  func lend<Value>(_ body: (StateAddress) -> Value) -> Value {
    core.withState(of: memory, body)
  }

  @inlinable
  func stream<Value: Sendable>(of next: PartPath<Value>) -> StateStream<Value> {
    StateStream(core, part.appending(next))
  }

  func appending<Part: Sendable>(_ next: PartPath<Part>) -> StoreView<Part> {
    StoreView<Part>(core, part.appending(next), memory)
  }
}

// MARK: Paths to rows and cases

extension PartPath {
  /// The path to one row of the collection that another path leads to.
  @inlinable
  static func row<Rows: RowCollection & SendableMetatype>(
    _ id: Rows.RowID, of rows: PartPath<Rows>
  ) -> PartPath where Value == Rows.Row?, Rows.RowID: Sendable {
    let bytes = rows.offset.map { $0..<($0 + MemoryLayout<Rows>.size) }
    let way = rows.way.appending(id, in: Rows.self, at: bytes)
    if let offset = rows.offset {
      // The collection is not copied out of the state.
      return PartPath(way: way) { state in
        state.advanced(by: offset).edit(Rows.self) { $0.row(id: id) }
      }
    }
    return PartPath(way: way) { rows.read($0).row(id: id) }
  }

  @inlinable
  func matching<Child>(_ prism: Prism<Value, Child>) -> PartPath<Child?> {
    let path = self
    return PartPath<Child?>(way: way.appending(prism)) {
      prism.extract(path.read($0))
    }
  }
}
