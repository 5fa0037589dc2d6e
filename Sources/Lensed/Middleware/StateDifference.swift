/// The difference between two values, field by field and element by element, as a few short lines.
struct StateDifference {
  /// The maximum depth of the comparison.
  private static let depth = 8
  /// The maximum number of lines, before the line "and more".
  private static let most = 20

  private var lines: [String] = []
  private var isFull = false

  /// Returns one line for each different field, such as `profile.name: "a" → "b"`.
  ///
  /// There are at most 20 of them, and one more line if there are more differences. A value has at
  /// most 200 characters.
  static func lines(from old: Any, to new: Any) -> [String] {
    var difference = StateDifference()
    difference.compare(old, new, at: "", depth: depth)
    return difference.lines
  }

  private mutating func add(_ path: String, _ text: String) {
    if isFull { return }
    isFull = lines.count == Self.most
    lines.append(isFull ? "… and more" : "\(path.isEmpty ? "state" : path): \(text)")
  }

  private mutating func compare(_ old: Any, _ new: Any, at path: String, depth: Int) {
    if isFull || Equality.areEqual(old, new) { return }
    let (left, right) = (Mirror(reflecting: old), Mirror(reflecting: new))
    guard depth > 0, left.displayStyle == right.displayStyle,
      !ShortText.areShort(old, left, new, right)
    else { return addValues(old, new, at: path) }
    switch left.displayStyle {
    case .struct, .tuple: compareFields(old, left, new, right, at: path, depth)
    case .enum where left.children.first?.label == right.children.first?.label:
      compareFields(old, left, new, right, at: path, depth)
    case .optional:
      guard let before = left.children.first, let after = right.children.first else {
        return addValues(old, new, at: path)
      }
      compare(before.value, after.value, at: path, depth: depth - 1)
    case .collection: compareElements(left, right, at: path, depth)
    case .dictionary: compareEntries(old, new, at: path, depth)
    case .set: compareMembers(old, new, at: path)
    default: addValues(old, new, at: path)
    }
  }

  private mutating func addValues(_ old: Any, _ new: Any, at path: String) {
    if let (old, new) = ShortText.pair(old, new) { add(path, "\(old) → \(new)") }
  }

  private mutating func compareFields(
    _ old: Any, _ left: Mirror, _ new: Any, _ right: Mirror, at path: String, _ depth: Int
  ) {
    let (before, after) = (Array(left.children), Array(right.children))
    guard !before.isEmpty, before.map(\.label) == after.map(\.label) else {
      return addValues(old, new, at: path)
    }
    for (field, other) in zip(before, after) {
      let name = field.label ?? "?"
      compare(
        field.value, other.value, at: path.isEmpty ? name : "\(path).\(name)", depth: depth - 1)
    }
  }

  /// Compares arrays of equal length by offset, and others by their additions and removals.
  private mutating func compareElements(
    _ left: Mirror, _ right: Mirror, at path: String, _ depth: Int
  ) {
    let (before, after) = (left.children.map(\.value), right.children.map(\.value))
    if before.count == after.count {
      for (index, (old, new)) in zip(before, after).enumerated() {
        compare(old, new, at: "\(path)[\(index)]", depth: depth - 1)
        if isFull { return }
      }
      return
    }
    add(path, "\(before.count) → \(after.count) elements")
    let shorter = Swift.min(before.count, after.count)
    var (front, back) = (0, 0)
    while front < shorter, Equality.areSame(before[front], after[front]) { front += 1 }
    while back < shorter - front,
      Equality.areSame(before[before.count - 1 - back], after[after.count - 1 - back])
    { back += 1 }
    for index in front..<(before.count - back) where !isFull {
      add("\(path)[\(index)]", "removed \(ShortText.text(before[index]))")
    }
    for index in front..<(after.count - back) where !isFull {
      add("\(path)[\(index)]", "added \(ShortText.text(after[index]))")
    }
  }

  private mutating func compareEntries(_ old: Any, _ new: Any, at path: String, _ depth: Int) {
    guard let before = old as? [AnyHashable: Any], let after = new as? [AnyHashable: Any] else {
      return addValues(old, new, at: path)
    }
    if before.count != after.count { add(path, "\(before.count) → \(after.count) elements") }
    for (key, value) in before where !isFull {
      let place = "\(path)[\(ShortText.text(key.base))]"
      if let other = after[key] {
        compare(value, other, at: place, depth: depth - 1)
      } else {
        add(place, "removed \(ShortText.text(value))")
      }
    }
    for (key, value) in after where !isFull && before[key] == nil {
      add("\(path)[\(ShortText.text(key.base))]", "added \(ShortText.text(value))")
    }
  }

  private mutating func compareMembers(_ old: Any, _ new: Any, at path: String) {
    guard let before = old as? Set<AnyHashable>, let after = new as? Set<AnyHashable> else {
      return addValues(old, new, at: path)
    }
    for member in before where !isFull && !after.contains(member) {
      add(path, "removed \(ShortText.text(member.base))")
    }
    for member in after where !isFull && !before.contains(member) {
      add(path, "added \(ShortText.text(member.base))")
    }
  }
}

/// Equality of values of unknown types.
private enum Equality {
  /// Whether two values are `Equatable` and equal.
  static func areEqual(_ old: Any, _ new: Any) -> Bool {
    guard let old = old as? any Equatable else { return false }
    return isEqual(old, to: new)
  }

  /// Whether two values are equal; values that are not `Equatable` are compared by their texts.
  static func areSame(_ old: Any, _ new: Any) -> Bool {
    if old is any Equatable { return areEqual(old, new) }
    return String(reflecting: old) == String(reflecting: new)
  }

  private static func isEqual<Value: Equatable>(_ old: Value, to new: Any) -> Bool {
    old == new as? Value
  }
}
