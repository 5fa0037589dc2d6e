internal import Lensed

extension Redaction {
  /// How many characters a text of a session has at most.
  static let maximum = 4_000

  /// A value as the text of a session; one with something `NotLogged` in it by the name of its type alone.
  static func sessionText(_ value: Any) -> String {
    if hides(value) { return "\(type(of: value))" }
    let text = "\(value)"
    return text.count <= maximum ? text : text.prefix(maximum) + "…"
  }
}
