/// An action, or a type of a part of the state, whose values no log is to show.
///
/// ```swift
/// extension TickAction: NotLogged {}
/// extension Password: NotLogged {}
/// ```
///
/// `ActionLogger` leaves such an action out, also where it is tagged or for an element. It, a session, an inspector and
/// `History.why(_:)` show the name of the type alone, wherever in an action or in the state a value of it is. So do the
/// names of effects, the errors and the warnings of a store, where it is the id of an element.
///
/// An action that holds another one in a case of its own, as a wide action does, is logged unless it is `NotLogged`
/// itself: by the name of its type.
public protocol NotLogged {}

/// Finds what is `NotLogged`, for texts of values without it.
package enum Redaction {
  /// How deep a value is looked into; what nests deeper is shown by its type alone.
  private static let depth = 64

  /// Whether something in a value is `NotLogged`, or too deep to be seen.
  package static func hides(_ value: Any, depth: Int = depth) -> Bool {
    if isPlain(type(of: value)) { return false }
    if value is any NotLogged { return true }
    let children = Mirror(reflecting: value).children
    if children.isEmpty { return false }
    if depth == 0 { return true }
    return children.contains { hides($0.value, depth: depth - 1) }
  }

  /// Types, and whether they are plain.
  private static let known = Locked<[ObjectIdentifier: Bool]>([:])

  /// Whether no value of a type can have something `NotLogged` in it: numbers, texts, and collections of such.
  ///
  /// It is learnt once, from the type. Other values are looked into each time: reflection shows an `Int` in an `any P`
  /// as `Int`.
  private static func isPlain(_ type: any Any.Type) -> Bool {
    let id = ObjectIdentifier(type)
    if let isPlain = known.withLock({ $0[id] }) { return isPlain }
    let isPlain =
      if type is any NotLogged.Type {
        false
      } else if let collection = type as? any Holding.Type {
        collection.held.allSatisfy(isPlain)
      } else {
        type == String.self || type == Bool.self || type is any BinaryInteger.Type
          || type is any BinaryFloatingPoint.Type
      }
    known.withLock { $0[id] = isPlain }
    return isPlain
  }
}

/// A type whose values hold values of these types and nothing else.
package protocol Holding {
  static var held: [any Any.Type] { get }
}

extension Optional: Holding {
  package static var held: [any Any.Type] { [Wrapped.self] }
}

extension Array: Holding {
  package static var held: [any Any.Type] { [Element.self] }
}

extension Set: Holding {
  package static var held: [any Any.Type] { [Element.self] }
}

extension Dictionary: Holding {
  package static var held: [any Any.Type] { [Key.self, Value.self] }
}
