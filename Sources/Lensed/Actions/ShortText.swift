/// Short texts of values, for logs.
package enum ShortText {
  private static let most = 200
  /// Values with texts up to this length are shown whole, not part by part.
  private static let short = 80

  package static func text(_ value: Any) -> String { cut(whole(value)) }

  /// Returns the text of an action, as it is written where it is dispatched.
  package static func action(_ action: any Action) -> String {
    let text = "\(action)"
    let type = "\(type(of: action))"
    // An enum case prints without its type, a struct with it.
    return text.hasPrefix(type) ? text : "\(type).\(text)"
  }

  /// Returns the texts of two values, shortened around their first difference; nil if they are equal.
  static func pair(_ old: Any, _ new: Any) -> (old: String, new: String)? {
    var (before, after) = (whole(old), whole(new))
    if before == after {
      // Of long lists these are only the first elements.
      (before, after) = (String(reflecting: old), String(reflecting: new))
    }
    if before == after { return nil }
    if before.count <= most && after.count <= most { return (before, after) }
    let equal = zip(before, after).prefix { $0 == $1 }.count
    let first = equal > most / 2 ? equal - 20 : 0
    return (cut(before, from: first), cut(after, from: first))
  }

  /// Whether both values are collections or enums with short texts, so that they can be shown whole.
  static func areShort(_ old: Any, _ left: Mirror, _ new: Any, _ right: Mirror) -> Bool {
    switch left.displayStyle {
    case .collection, .set, .dictionary, .enum:
      left.children.count <= 8 && right.children.count <= 8 && isShort(old) && isShort(new)
    default: false
    }
  }

  private static func isShort(_ value: Any) -> Bool {
    whole(value).prefix(short + 1).count <= short
  }

  /// Returns a value's text; for a long list, the text of its first elements.
  private static func whole(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .collection, .set, .dictionary:
      guard mirror.children.count > 8 else { return String(reflecting: value) }
      let first = mirror.children.prefix(3).map { text($0.value) }.joined(separator: ", ")
      return "[\(first), … \(mirror.children.count) in all]"
    default:
      return String(reflecting: value)
    }
  }

  /// Returns a text from the character at `first` on, shortened if that is long.
  static func cut(_ text: String, from first: Int = 0) -> String {
    let rest = text.dropFirst(first)
    let start = first > 0 ? "…" : ""
    return rest.count > most ? start + rest.prefix(most) + "…" : start + rest
  }
}

extension Redaction {
  /// A value's text, shortened; one with something `NotLogged` in it by the name of its type alone.
  package static func text(_ value: Any) -> String {
    hides(value) ? "\(type(of: value))" : ShortText.text(value)
  }

  /// An action's text, shortened; one with something `NotLogged` in it by the name of its type alone.
  package static func action(_ action: any Action) -> String {
    hides(action) ? "\(type(of: action))" : ShortText.cut(ShortText.action(action))
  }
}
