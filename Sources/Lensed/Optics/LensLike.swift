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
  @inlinable
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
