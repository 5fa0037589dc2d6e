/// What differs between two values, field by field.
enum StateDifference {
  /// How deep structures are looked into.
  private static let depth = 8

  /// One line for each field that differs, by its path, such as `profile.name: "a" → "b"`.
  static func lines(from old: Any, to new: Any) -> [String] {
    var lines: [String] = []
    compare(old, new, path: "", depth: depth, into: &lines)
    return lines
  }

  private static func compare(
    _ old: Any, _ new: Any, path: String, depth: Int, into lines: inout [String]
  ) {
    if isEqual(old, new) { return }
    let (left, right) = (Mirror(reflecting: old), Mirror(reflecting: new))
    let (before, after) = (Array(left.children), Array(right.children))
    let isStructure = left.displayStyle == .struct || left.displayStyle == .tuple
    guard isStructure, depth > 0, !before.isEmpty, before.map(\.label) == after.map(\.label) else {
      let (old, new) = (String(reflecting: old), String(reflecting: new))
      if old != new { lines.append("\(path.isEmpty ? "state" : path): \(old) → \(new)") }
      return
    }
    for (field, other) in zip(before, after) {
      let name = field.label ?? "?"
      compare(
        field.value, other.value, path: path.isEmpty ? name : "\(path).\(name)", depth: depth - 1,
        into: &lines)
    }
  }

  private static func isEqual(_ old: Any, _ new: Any) -> Bool {
    guard let old = old as? any Equatable else { return false }
    return isEqual(old, to: new)
  }

  private static func isEqual<Value: Equatable>(_ old: Value, to new: Any) -> Bool {
    old == new as? Value
  }
}
