internal import Lensed

/// The text of values that have no JSON: without what is `NotLogged`.
enum Redaction {
  /// How deep a value is looked into; what nests deeper is shown by its type alone.
  private static let depth = 12
  /// How many characters a text has at most.
  static let maximum = 4_000

  /// A value as text; one with something `NotLogged` in it by the name of its type alone.
  static func text(_ value: Any) -> String {
    if hides(value) { return "\(type(of: value))" }
    let text = "\(value)"
    return text.count <= maximum ? text : text.prefix(maximum) + "…"
  }

  /// Whether something in a value is `NotLogged`, or too deep to be seen.
  static func hides(_ value: Any, depth: Int = depth) -> Bool {
    if value is any NotLogged { return true }
    if value is String || value is any BinaryInteger || value is any BinaryFloatingPoint {
      return false
    }
    let children = Mirror(reflecting: value).children
    if children.isEmpty { return false }
    if depth == 0 { return true }
    return children.contains { hides($0.value, depth: depth - 1) }
  }
}
