/// Values as texts that are never long.
enum ShortText {
  private static let most = 200
  /// Values whose texts are no longer than this are shown whole rather than part by part.
  private static let short = 80

  /// A value's text, cut where it is long.
  static func text(_ value: Any) -> String { cut(whole(value)) }

  /// The texts of two values, cut so that what differs shows; nil when they do not differ.
  static func pair(_ old: Any, _ new: Any) -> (old: String, new: String)? {
    let (before, after) = (whole(old), whole(new))
    if before == after { return nil }
    if before.count <= most && after.count <= most { return (before, after) }
    let equal = zip(before, after).prefix { $0 == $1 }.count
    let first = equal > most / 2 ? equal - 20 : 0
    return (cut(before, from: first), cut(after, from: first))
  }

  /// Whether both values are lists, or have cases, with texts so short that they need no taking apart.
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

  /// A value's text; of a list of many, that of its first elements.
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

  private static func cut(_ text: String, from first: Int = 0) -> String {
    let rest = text.dropFirst(first)
    let start = first > 0 ? "…" : ""
    return rest.count > most ? start + rest.prefix(most) + "…" : start + rest
  }
}
