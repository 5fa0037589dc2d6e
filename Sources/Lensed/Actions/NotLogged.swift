/// An action, or a type of a part of the state, whose values no log is to show.
///
/// ```swift
/// extension TickAction: NotLogged {}
/// extension Password: NotLogged {}
/// ```
///
/// `ActionLogger` leaves such an action out, also where it is tagged or for an element. It, a session, an inspector and
/// `History.why(_:)` show the name of the type alone, wherever in an action or in the state a value of it is.
///
/// An action that holds another one in a case of its own, as a wide action does, is logged unless it is `NotLogged`
/// itself: by the name of its type.
public protocol NotLogged {}

/// Texts of values without what is `NotLogged`.
package enum Redaction {
  /// How deep a value is looked into; what nests deeper is shown by its type alone.
  private static let depth = 64

  /// Whether something in a value is `NotLogged`, or too deep to be seen.
  package static func hides(_ value: Any, depth: Int = depth) -> Bool {
    if value is any NotLogged { return true }
    if value is String || value is any BinaryInteger || value is any BinaryFloatingPoint {
      return false
    }
    let children = Mirror(reflecting: value).children
    if children.isEmpty { return false }
    if depth == 0 { return true }
    return children.contains { hides($0.value, depth: depth - 1) }
  }

  /// A value's text, shortened; one with something `NotLogged` in it by the name of its type alone.
  package static func text(_ value: Any) -> String {
    hides(value) ? "\(type(of: value))" : ShortText.text(value)
  }

  /// An action's text, shortened; one with something `NotLogged` in it by the name of its type alone.
  package static func action(_ action: any Action) -> String {
    hides(action) ? "\(type(of: action))" : ShortText.cut(ShortText.action(action))
  }
}
