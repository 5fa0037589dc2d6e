/// A derived value, as a function takes it that takes a key path too.
///
/// `Derived` is the only type that conforms. As with `LensLike`, a misspelled key path is then reported by its name.
///
/// ```swift
/// extension Store {
///   func log<Value>(_ derived: some DerivedLike<State, Value>) {
///     print(self[derived.asDerived])
///   }
/// }
/// ```
public typealias DerivedLike<Root, Value> = DerivedProtocol<Root, Value> & CustomReflectable
  & CustomStringConvertible

/// The type of a derived value.
public protocol DerivedProtocol<Root, Value>: Sendable {
  /// The state that the value is derived from.
  associatedtype Root: Sendable
  /// What is derived.
  associatedtype Value: Sendable

  /// The derived value itself.
  var asDerived: Derived<Root, Value> { get }
}

extension Derived: DerivedProtocol {
  /// The derived value itself.
  public var asDerived: Derived { self }
}

extension Derived: CustomStringConvertible {
  /// What the value is derived from, and where.
  public var description: String { reference.formula.name }
}

extension Derived: CustomReflectable {
  /// Shows the name, and nothing of the functions.
  public var customMirror: Mirror {
    Mirror(self, children: ["name": description], displayStyle: .struct)
  }
}
