/// A lens, as a function takes it that takes a key path too.
///
/// `Lens` is the only type that is one. A function takes `some LensLike<Root, Value>` rather than a `Lens`,
/// so that a misspelled key path is reported by its name: to the compiler a key path is then further from
/// a lens, which would be three conformances short, than from a key path that would be right but for one
/// name.
///
/// ```swift
/// func show<Value>(_ lens: some LensLike<AppState, Value>) { … lens.asLens … }
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
