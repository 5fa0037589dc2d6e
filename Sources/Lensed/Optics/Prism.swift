/// A way to reach a part that might not be there: the payload of an enum's case, or the narrower action
/// inside a wide one.
///
/// ```swift
/// let loaded = Prism<Page, Product>(
///   embed: Page.loaded,
///   extract: { if case .loaded(let product) = $0 { product } else { nil } })
/// loaded.extract(.loading)        // nil
/// ```
///
/// A prism is known by its identity, so make it once, as a `static let`. A store refuses two features that the same
/// prism lifts, or of which one lies within the other, as with `page` and `page.appending(sheet)`; a prism that is made
/// anew counts as that of another case. `identity` is the same prism each time, and appending the same prisms gives the
/// same prism each time.
///
/// **Laws.** Extracting returns the value that was embedded, and embedding the extracted value returns the root.
public struct Prism<Root, Value>: Sendable {
  @usableFromInline
  let embedding: @Sendable (Value) -> Root
  @usableFromInline
  let extraction: @Sendable (Root) -> Value?
  @usableFromInline
  let editing: (@Sendable (inout Root, (inout Value) -> Void) -> Void)?
  /// The number of prisms in the composition.
  private let depth: Int
  /// Tells the prism from others; its copies share it.
  @usableFromInline
  let id: PrismID

  /// A prism from a pair of functions: one makes a root of a part, one returns the part, or nil for another case.
  public init(
    embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?
  ) {
    self.init(id: [makeUniqueNumber()], embed: embed, extract: extract, modify: nil)
  }

  /// A prism from a case of an enum and a function that matches it.
  ///
  /// ```swift
  /// let counter = Prism(AppAction.counter) { if case .counter(let action) = $0 { action } else { nil } }
  /// ```
  public init(
    _ embed: @escaping @Sendable (Value) -> Root,
    _ extract: @escaping @Sendable (Root) -> Value?
  ) {
    self.init(embed: embed, extract: extract)
  }

  /// A prism whose payload is edited where it is, without a copy.
  ///
  /// `modify` calls the given function with the part, once, or not at all when the root is another case.
  public init(
    embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?,
    modify: @escaping @Sendable (inout Root, (inout Value) -> Void) -> Void
  ) {
    self.init(id: [makeUniqueNumber()], embed: embed, extract: extract, modify: modify)
  }

  private init(
    depth: Int = 1, id: PrismID,
    embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?,
    modify: (@Sendable (inout Root, (inout Value) -> Void) -> Void)?
  ) {
    (self.depth, self.id) = (depth, id)
    (embedding, extraction, editing) = (embed, extract, modify)
  }

  /// A root made of `value`.
  public func embed(_ value: Value) -> Root { embedding(value) }

  /// The part of `root`, or nil when it is another case.
  @inlinable
  public func extract(_ root: Root) -> Value? { extraction(root) }

  /// Edits the part of `root`; leaves the root unchanged when it is another case.
  ///
  /// - Returns: The result of `edit`, or nil when there was no part.
  /// - Complexity: Without `modify:`, the part is copied out and embedded again.
  @discardableResult
  public func modify<Result>(_ root: inout Root, _ edit: (inout Value) -> Result) -> Result? {
    var outcome: Result?
    _ = lend(&root) { value in
      outcome = edit(&value)
      return true
    }
    return outcome
  }

  /// Lends the part, if there is one; writes it back only when the borrower returns that it was edited.
  @inlinable
  func lend(_ root: inout Root, _ body: (inout Value) -> Bool) -> Bool {
    if let editing {
      var wasEdited = false
      editing(&root) { wasEdited = body(&$0) }
      return wasEdited
    }
    guard var value = extraction(root), body(&value) else { return false }
    root = embedding(value)
    return true
  }

  /// The prism to a part of this prism's part; a composition of more than 100 prisms traps.
  public func appending<Leaf>(_ next: Prism<Value, Leaf>) -> Prism<Root, Leaf> {
    let outer = self
    // Each level takes some of the stack, both when the part is reached and when the prism is released.
    let depth = depth + next.depth
    if depth > 100 {
      fatalError(
        """
        Lensed: more than 100 prisms were appended to each other. Make one of them with \
        Prism(embed:extract:modify:), which goes the whole way.
        """)
    }
    return Prism<Root, Leaf>(
      depth: depth, id: id + next.id,
      embed: { outer.embed(next.embed($0)) },
      extract: { outer.extract($0).flatMap(next.extract) },
      modify: { root, edit in
        _ = outer.lend(&root) { middle in
          next.lend(&middle) { leaf in
            edit(&leaf)
            return true
          }
        }
      }
    )
  }
}

extension Prism where Root == Value {
  /// The prism from a value to itself, which always matches.
  public static var identity: Prism {
    Prism(id: [], embed: { $0 }, extract: { $0 }, modify: { root, edit in edit(&root) })
  }
}

// MARK: As an argument

/// A prism, as a function takes it that takes a key path too.
///
/// `Prism` is the only type that conforms. As with `LensLike`, a misspelled key path is then reported by its name.
/// Write `Prism.identity` here, because `.identity` alone does not say of which type.
public typealias PrismLike<Root, Value> = PrismProtocol<Root, Value> & CustomReflectable
  & CustomStringConvertible

/// The type of a prism.
public protocol PrismProtocol<Root, Value>: Sendable {
  /// The whole that the prism looks into.
  associatedtype Root
  /// The part that might not be there.
  associatedtype Value

  /// The prism itself.
  var asPrism: Prism<Root, Value> { get }
}

extension Prism: PrismProtocol {
  /// The prism itself.
  public var asPrism: Prism<Root, Value> { self }
}

extension Prism: CustomStringConvertible {
  /// The types of the whole and the part.
  public var description: String { "Prism<\(Root.self), \(Value.self)>" }
}

extension Prism: CustomReflectable {
  /// Shows nothing of the functions.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// The identity of a prism: the numbers of the prisms that it is composed of, from the outside in; none for `identity`.
@usableFromInline
typealias PrismID = [UInt64]
