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
  @inlinable
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
