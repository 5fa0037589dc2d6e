/// A way to reach one part of a value: to read it, to replace it, and to edit it where it is.
///
/// A store knows by lenses which reducer owns which part: each `Mutator` holds the lens to its sub-state.
///
/// ```swift
/// struct AppState { var profile = Profile(); var count = 0 }
/// let name = Lens(\AppState.profile).appending(path: \.name)
/// name.get(state)               // reads the part alone
/// name.set(state, "Spock")      // a new state
/// name.modify(&state) { $0 += "!" }
/// ```
///
/// **Laws.** For every lens made from a key path to a stored property, and for every lawful pair of
/// closures: `get` returns the value that was set, setting the value that was read changes nothing, the
/// last of two sets wins, and `modify` agrees with `get` and `set`.
///
/// **Cost.** A key path whose components are all stored properties is kept as a byte offset: `get` copies only the
/// part, `modify` edits it in place at any depth. A lens made with `modify:` edits in place too. Every other one copies
/// the part out and back, which for a collection means one copy of its storage per edit.
///
/// Lenses with a byte offset can be composed to any depth. A composition of more than 32 other lenses traps.
public struct Lens<Root, Value>: Sendable {
  /// Access to a part that has no fixed place among the bytes of the root.
  ///
  /// `edit` lends the part, and writes it back only when the borrower returns that it was edited; `depth` is the number
  /// of lenses without a fixed place in the composition.
  @usableFromInline
  typealias Access = (
    depth: Int, get: @Sendable (Root) -> Value,
    edit: @Sendable (inout Root, (inout Value) -> Bool) -> Bool
  )

  @usableFromInline
  enum Location: Sendable {
    case stored(offset: Int)
    case closures(Access)

    var offset: Int? { if case .stored(let offset) = self { offset } else { nil } }

    var depth: Int {
      switch self {
      case .stored: 0
      case .closures(let access): access.depth
      }
    }
  }

  @usableFromInline
  let location: Location
  @usableFromInline
  let way: Way

  @inlinable
  init(location: Location, way: Way) {
    self.location = location
    self.way = way
  }

  /// A lens to the property at a key path.
  ///
  /// - Parameter keyPath: A writable key path. With stored properties only, the lens is in place;
  ///   a computed, observed, wrapped or subscript component makes it copy the part.
  @inlinable
  public init(_ keyPath: any WritableKeyPath<Root, Value> & Sendable) {
    self.init(location: Self.location(of: keyPath), way: Way(keyPath))
  }

  /// Not available: a lens writes, and this key path only reads.
  @available(*, unavailable, message: "a lens needs a WritableKeyPath; this one only reads")
  public init(_ keyPath: any KeyPath<Root, Value> & Sendable) { refuseReadOnly(keyPath) }

  /// A lens to a property whose key path does not show its name.
  ///
  /// Properties with `didSet` or a wrapper, and `weak` or function-typed ones, have key paths that do not print their
  /// names; a lazy one takes `Lens(name:get:set:)`. A store with complete coverage goes by the name of the lens, in
  /// which dots separate nested properties.
  @inlinable
  public init(name: String, _ keyPath: any WritableKeyPath<Root, Value> & Sendable) {
    self.init(location: Self.location(of: keyPath), way: Way(named: name))
  }

  /// Not available: a lens writes, and this key path only reads.
  @available(*, unavailable, message: "a lens needs a WritableKeyPath; this one only reads")
  public init(name: String, _ keyPath: any KeyPath<Root, Value> & Sendable) {
    refuseReadOnly(keyPath)
  }

  /// A lens from a pair of functions.
  ///
  /// A store with complete coverage needs the name: it cannot see which property a function reaches.
  ///
  /// - Complexity: `modify` copies the part out and back.
  @inlinable
  public init(
    name: String? = nil,
    get: @escaping @Sendable (Root) -> Value,
    set: @escaping @Sendable (Root, Value) -> Root
  ) {
    let edit: @Sendable (inout Root, (inout Value) -> Bool) -> Bool = { root, edit in
      var part = get(root)
      guard edit(&part) else { return false }
      root = set(root, part)
      return true
    }
    self.init(location: .closures((1, get, edit)), way: Way(named: name))
  }

  /// A lens that edits in place along a route of your own: an array's element, a shared box.
  ///
  /// ```swift
  /// let first = Lens<Game, Player>(
  ///   name: "players", get: { $0.players[0] }, modify: { game, edit in edit(&game.players[0]) })
  /// ```
  ///
  /// `modify` calls the given function exactly once, with the part. In the name, dots separate nested properties.
  @inlinable
  public init(
    name: String,
    get: @escaping @Sendable (Root) -> Value,
    modify: @escaping @Sendable (inout Root, (inout Value) -> Void) -> Void
  ) {
    let edit: @Sendable (inout Root, (inout Value) -> Bool) -> Bool = { root, edit in
      var wasEdited: Bool?
      modify(&root) { wasEdited = edit(&$0) }
      guard let wasEdited else { trapForgottenEdit(name) }
      return wasEdited
    }
    self.init(location: .closures((1, get, edit)), way: Way(named: name))
  }

  /// The part of `root`.
  @inlinable
  public func get(_ root: Root) -> Value {
    switch location {
    case .stored(let offset):
      StateAddress.reading(root, as: Root.self) { $0.advanced(by: offset).read(Value.self) }
    case .closures(let access): access.get(root)
    }
  }

  /// A copy of `root` whose part is `value`.
  @inlinable
  public func set(_ root: Root, _ value: Value) -> Root {
    var copy = root
    modify(&copy) { $0 = value }
    return copy
  }

  /// Edits the part of `root`, in place where the lens can.
  ///
  /// - Returns: The result of `edit`.
  /// - Throws: The error of `edit`; the part keeps what was written before.
  @inlinable
  public func modify<Result, Failure: Error>(
    _ root: inout Root, _ edit: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var outcome: Swift.Result<Result, Failure>?
    _ = StateAddress.editing(&root, as: Root.self) { place in
      focus(place) { part in
        part.edit(Value.self) { value in
          do throws(Failure) {
            outcome = .success(try edit(&value))
          } catch {
            outcome = .failure(error)
          }
        }
        return true
      }
    }
    guard let outcome else { trapForgottenEdit("\(Value.self)") }
    return try outcome.get()
  }
}

/// Traps, naming the lens that did not lend its part.
@usableFromInline
func trapForgottenEdit(_ name: String) -> Never {
  fatalError(
    """
    Lensed: the lens to \(code: name) did not call the function that its `modify:` was given. It has to \
    call it exactly once, with the part it leads to.
    """)
}

extension Lens where Root == Value {
  /// The lens from a value to itself, for enums, optionals and scalars that have no properties: it claims the whole
  /// root.
  public static var identity: Lens { Lens(location: .stored(offset: 0), way: .whole) }
}

extension Lens {
  @inlinable
  static func location(of keyPath: any WritableKeyPath<Root, Value> & Sendable) -> Location {
    if let offset = MemoryLayout<Root>.offset(of: keyPath) { return .stored(offset: offset) }
    return .closures(
      (
        1, { $0[keyPath: keyPath] },
        { root, edit in
          var part = root[keyPath: keyPath]
          guard edit(&part) else { return false }
          root[keyPath: keyPath] = part
          return true
        }
      ))
  }

  /// The part of the root at `place`; the rest of it is not copied where the lens is in place.
  @inlinable
  func read(_ place: StateAddress) -> Value {
    switch location {
    case .stored(let offset): place.advanced(by: offset).read(Value.self)
    case .closures(let access): readFromCopy(place, access)
    }
  }

  /// A function of its own, so that reading in place reserves no room for a copy of the root on the stack.
  @inlinable
  @inline(never)
  func readFromCopy(_ place: StateAddress, _ access: Access) -> Value {
    access.get(place.read(Root.self))
  }

  /// Lends the place of the part within the root at `place`.
  @inlinable
  func focus(_ place: StateAddress, _ body: (StateAddress) -> Bool) -> Bool {
    switch location {
    case .stored(let offset):
      return body(place.advanced(by: offset))
    case .closures(let access):
      return place.edit(Root.self) { root in
        access.edit(&root) { part in StateAddress.editing(&part, as: Value.self, body) }
      }
    }
  }

  var footprint: Footprint { unresolvedFootprint.resolved }

  /// The footprint, whose names are not looked up before they are needed.
  var unresolvedFootprint: Footprint {
    let bytes = location.offset.map { $0..<($0 + MemoryLayout<Value>.size) }
    return Footprint(way: way, bytes: bytes, of: Value.self)
  }
}

// MARK: Composition

extension Lens {
  /// The lens to a part of this lens's part.
  ///
  /// It is in place where both are. Its name is both names with a dot between. A composition of more than 32
  /// lenses without a byte offset traps.
  public func appending<Leaf>(_ next: Lens<Value, Leaf>) -> Lens<Root, Leaf> {
    let way = way.appending(next.way)
    if case .stored(let first) = location, case .stored(let second) = next.location {
      return Lens<Root, Leaf>(location: .stored(offset: first + second), way: way)
    }
    // Each level takes some of the stack, both when the part is reached and when the lens is released.
    let depth = location.depth + next.location.depth
    if depth > 32 {
      fatalError(
        """
        Lensed: more than 32 lenses without a byte offset were appended to each other. Make one of them with \
        Lens(name:get:modify:), which goes the whole way.
        """)
    }
    let outer = self
    let access: Lens<Root, Leaf>.Access = (
      depth, { next.get(outer.get($0)) },
      { root, edit in
        StateAddress.editing(&root, as: Root.self) { place in
          outer.focus(place) { middle in next.focus(middle) { $0.edit(Leaf.self, edit) } }
        }
      }
    )
    return Lens<Root, Leaf>(location: .closures(access), way: way)
  }

  /// The lens to the property at a key path within this lens's part.
  public func appending<Leaf>(
    path: any WritableKeyPath<Value, Leaf> & Sendable
  ) -> Lens<Root, Leaf> {
    appending(Lens<Value, Leaf>(path))
  }

  /// Not available: a lens writes, and this key path only reads.
  @available(*, unavailable, message: "a lens needs a WritableKeyPath; this one only reads")
  public func appending<Leaf>(path: any KeyPath<Value, Leaf> & Sendable) -> Lens<Root, Leaf> {
    refuseReadOnly(path)
  }
}

// MARK: As an argument

/// A lens, as a function takes it that takes a key path too.
///
/// `Lens` is the only type that conforms. A function with a form for key paths and one for lenses takes
/// `some LensLike<Root, Value>` rather than a `Lens`, so that a misspelled key path is reported by its name:
/// the compiler reports the form that needs the fewest repairs, and a key path is three conformances short
/// of a lens. Write `Lens.identity` here, because `.identity` alone does not say of which type.
///
/// ```swift
/// extension Store {
///   func log<Value: Sendable>(_ lens: some LensLike<State, Value>) { print(self[lens.asLens]) }
/// }
/// ```
public typealias LensLike<Root, Value> = LensProtocol<Root, Value> & CustomReflectable
  & CustomStringConvertible

/// The type of a lens.
public protocol LensProtocol<Root, Value>: Sendable {
  /// The whole that the lens looks into.
  associatedtype Root
  /// What it focuses on.
  associatedtype Value

  /// The lens itself.
  var asLens: Lens<Root, Value> { get }
}

extension Lens: LensProtocol {
  /// The lens itself.
  public var asLens: Lens { self }
}

extension Lens: CustomStringConvertible {
  /// The property that the lens focuses on, as a key path prints it, or the type of its value.
  public var description: String { footprint.name }
}

extension Lens: CustomReflectable {
  /// Shows the property, and nothing of the functions.
  public var customMirror: Mirror {
    Mirror(self, children: ["focus": footprint.name], displayStyle: .struct)
  }
}
