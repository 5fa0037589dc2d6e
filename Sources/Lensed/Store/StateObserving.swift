/// What can be read and observed: a store, and a scope of one.
///
/// ```swift
/// store.state                       // all of it
/// store.counter                     // one property, only that copied
/// store[nameLens]                   // what a lens focuses on
/// for await counter in store.states(\.counter) { … }
/// ```
///
/// The state can be read and not written: only actions change it. A property of the state that is
/// named like a member of the store (`state`, `states`, `changes`, `dispatch`, `dispatchEach`,
/// `scope`, `view`, `send`, `register`, `unregister`, `replaceState`, `settled`, `flush`,
/// `attach`) is reached
/// through `state` or a lens.
@dynamicMemberLookup
public protocol StateObserving<State>: ActionDispatching {
  /// The state, or the feature's part of it.
  associatedtype State: Sendable

  /// The way to the state. Not for you to implement.
  var view: StoreView<State> { get }

}

/// A way to one part of one store's state.
public struct StoreView<State: Sendable>: Sendable {
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

  /// The value at a key path within the part; nothing is made on the way, so nothing is allocated.
  ///
  /// Where a stored part lies is found out before the lock is taken; for a literal, by the compiler.
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

  /// The part as a whole.
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

  /// Lends the state under the lock.
  @inlinable
  func lend<Value>(_ body: (StateAddress) -> Value) -> Value {
    defer { part.formers?.release() }
    return core.withState(of: memory, body)
  }

  @inlinable
  func stream<Value: Sendable>(of next: PartPath<Value>) -> StateStream<Value> {
    StateStream(core, part.appending(next))
  }

  @inlinable
  func appending<Part: Sendable>(_ next: PartPath<Part>) -> StoreView<Part> {
    StoreView<Part>(core, part.appending(next), memory)
  }
}

extension StateObserving {
  /// The current state; after the store has gone, a scope returns the last one.
  ///
  /// - Complexity: That of copying a value of type `State`; its collections are shared.
  @inlinable
  public var state: State { view.readAll() }

  /// The part of the current state that a lens focuses on; only that part is copied.
  @inlinable
  public subscript<Value>(_ lens: Lens<State, Value>) -> Value {
    view.read(lens)
  }

  /// A property of the current state; of a stored one, only the property is copied.
  @inlinable
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    view.read(keyPath)
  }

  /// The states from now on, the current one first; newer ones when a reducer has run.
  @inlinable
  public var states: StateStream<State> { StateStream(view.core, view.part) }

  /// The values of a property from now on, the current one first.
  ///
  /// It emits when a reducer has run that owns part of the property, and the value differs. A computed
  /// property is looked at after every commit that a reducer handled.
  ///
  /// With `repeats: .kept` nothing is compared and no value kept, which costs less on big ones.
  @inlinable
  public func states<Value: Sendable & Equatable>(
    _ keyPath: any KeyPath<State, Value> & Sendable, repeats: Repeats = .removed
  ) -> StateStream<Value> {
    let stream = view.stream(of: PartPath(keyPath, for: .stream))
    return repeats == .kept ? stream : stream.removeDuplicates()
  }

  /// The values of a property from now on, the current one first.
  ///
  /// It emits when a reducer has run that owns part of the property. Values of this type cannot be
  /// compared, so repeats are kept; to leave some out, use `removeDuplicates(by:)`.
  @_disfavoredOverload
  @inlinable
  public func states<Value: Sendable>(
    _ keyPath: any KeyPath<State, Value> & Sendable
  ) -> StateStream<Value> {
    view.stream(of: PartPath(keyPath, for: .stream))
  }

  /// The values of what a lens focuses on from now on, the current one first.
  ///
  /// It emits when a reducer has run that owns part of it, and the value differs.
  ///
  /// With `repeats: .kept` nothing is compared and no value kept, which costs less on big ones.
  @inlinable
  public func states<Value: Sendable & Equatable>(
    _ lens: some LensLike<State, Value>, repeats: Repeats = .removed
  ) -> StateStream<Value> {
    let stream = view.stream(of: PartPath(lens.asLens))
    return repeats == .kept ? stream : stream.removeDuplicates()
  }

  /// The values of what a lens focuses on from now on, the current one first.
  ///
  /// It emits when a reducer has run that owns part of it. Values of this type cannot be compared, so
  /// repeats are kept; to leave some out, use `removeDuplicates(by:)`.
  @_disfavoredOverload
  @inlinable
  public func states<Value: Sendable>(_ lens: some LensLike<State, Value>) -> StateStream<Value> {
    view.stream(of: PartPath(lens.asLens))
  }
}

/// Whether a stream emits a value that equals the one before.
public enum Repeats: Sendable, Hashable {
  /// Equal values are left out. The last value is kept for comparison.
  case removed
  /// Every value is emitted.
  case kept
}
