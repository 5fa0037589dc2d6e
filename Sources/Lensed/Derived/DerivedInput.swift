/// What a value can be derived from: a key path, a lens, another derived value.
///
/// Not for you to conform to.
public protocol DerivedInput<State, Value> {
  /// The state that the input is read from.
  associatedtype State
  /// The value that the function is given.
  associatedtype Value

  /// The way to the value. Not for you to call.
  var derivedSource: DerivedSource<State, Value> { get }
}

/// A lens or a derived value, as a function takes it that takes a key path too.
///
/// `Lens` and `Derived` are the only types that conform. As with `LensLike`, a misspelled key path is then reported by
/// its name.
public typealias LensOrDerived<State, Value> = LensOrDerivedProtocol<State, Value>
  & CustomReflectable & CustomStringConvertible

/// The type of a lens or of a derived value.
///
/// Not for you to conform to.
public protocol LensOrDerivedProtocol<State, Value>: DerivedInput {}

/// The way to one input of a derived value.
public struct DerivedSource<State, Value>: Sendable {
  enum Kind: Sendable {
    case part(PartPath<Value>)
    case derived(DerivedReference)
  }

  let kind: Kind
}

extension DerivedSource where Value: Sendable {
  /// The same without its types.
  var input: DerivedFormula.Input {
    switch kind {
    case .part(let path): .part(DerivedPart(path))
    case .derived(let reference): .derived(reference)
    }
  }
}

extension KeyPath: DerivedInput {
  /// The state that the input is read from.
  public typealias State = Root

  /// The way to the property, as an input of a derived value; not for you to call.
  public var derivedSource: DerivedSource<Root, Value> {
    // A derived value takes inputs that are `Sendable`, so this key path is.
    DerivedSource(kind: .part(PartPath(UncheckedSendable.keyPath(self), for: .input)))
  }
}

extension Lens: LensOrDerivedProtocol {
  /// The state that the input is read from.
  public typealias State = Root

  /// The way to what the lens focuses on, as an input of a derived value; not for you to call.
  public var derivedSource: DerivedSource<Root, Value> {
    DerivedSource(kind: .part(PartPath(self)))
  }
}

extension Derived: LensOrDerivedProtocol {
  /// The way to the derived value, as an input of a derived value; not for you to call.
  public var derivedSource: DerivedSource<State, Value> { DerivedSource(kind: .derived(reference)) }
}

// MARK: A row

/// One row of a collection, as an input of a derived value: the element with an id, or nil if there is none.
///
/// ```swift
/// let title = Derived(RowPath(\App.rows, id: 7)) { row in row?.title ?? "gone" }
/// ```
///
/// Actions for other rows leave the derived value as it is.
public struct RowPath<State, Rows: RowCollection & SendableMetatype>: Sendable
where Rows.RowID: Sendable, Rows.Row: Sendable {
  private let path: PartPath<Rows.Row?>

  /// The row with an id, of the collection at a key path.
  public init(_ keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID) {
    path = .row(id, of: PartPath(keyPath, for: .input))
  }
}

extension RowPath: DerivedInput {
  /// The element, or nil.
  public typealias Value = Rows.Row?

  /// The way to the row, as an input of a derived value; not for you to call.
  public var derivedSource: DerivedSource<State, Rows.Row?> { DerivedSource(kind: .part(path)) }
}
