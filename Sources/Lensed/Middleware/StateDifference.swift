/// The difference between two values, field by field and element by element.
package struct StateDifference {
  /// One field or element that differs.
  package struct Entry: Sendable {
    /// How it differs.
    package enum Kind: Sendable, Hashable {
      case changed(old: String, new: String)
      case count(old: Int, new: Int)
      case added(String)
      case removed(String)
    }

    /// The names of the fields on the way; of an element, its place between brackets.
    package let path: [String]
    package let kind: Kind

    /// The path as a person would write it.
    package var place: String {
      path.reduce("") { text, name in
        text.isEmpty || name.hasPrefix("[") ? text + name : "\(text).\(name)"
      }
    }

    /// The path, and both values.
    package var line: String {
      let place = place.isEmpty ? "state" : place
      return switch kind {
      case .changed(let old, let new): "\(place): \(old) → \(new)"
      case .count(let old, let new): "\(place): \(old) → \(new) elements"
      case .added(let value): "\(place): added \(value)"
      case .removed(let value): "\(place): removed \(value)"
      }
    }
  }

  /// The maximum depth of the comparison.
  private static let depth = 8
  /// The maximum number of lines, before the line "and more".
  private static let most = 20

  private let limit: Int
  private let isWanted: (_ path: [String]) -> Bool
  private var entries: [Entry] = []
  private var isFull: Bool { entries.count > limit }

  /// Returns one line for each different field, such as `profile.name: "a" → "b"`.
  ///
  /// There are at most 20 of them, and one more line if there are more differences. A value has at
  /// most 200 characters.
  static func lines(from old: Any, to new: Any) -> [String] {
    let entries = entries(from: old, to: new, limit: most)
    return entries.prefix(most).map(\.line) + (entries.count > most ? ["… and more"] : [])
  }

  /// Returns the fields and elements that differ, at most one more than `limit`.
  ///
  /// - Parameters:
  ///   - old: The one value.
  ///   - new: The other value.
  ///   - limit: The number of entries that is exceeded by one at most.
  ///   - isWanted: Whether entries at a path are returned. If not, then none at the longer paths are.
  /// - Returns: The entries.
  package static func entries(
    from old: Any, to new: Any, limit: Int,
    where isWanted: @escaping (_ path: [String]) -> Bool = { _ in true }
  ) -> [Entry] {
    var difference = StateDifference(limit: limit, isWanted: isWanted)
    _ = difference.compare(old, new, at: [], depth: depth)
    return difference.entries
  }

  /// Adds an entry if it is wanted; returns true, because there is a difference either way.
  @discardableResult
  private mutating func add(_ path: [String], _ kind: Entry.Kind) -> Bool {
    if !isFull && isWanted(path) { entries.append(Entry(path: path, kind: kind)) }
    return true
  }

  // Each comparison returns whether it found a difference, also one that is not wanted or does not fit.

  private mutating func compare(
    _ old: Any, _ new: Any, at path: [String], depth: Int
  ) -> Bool {
    if isFull { return true }
    if Self.areEqual(old, new) { return false }
    if !isWanted(path) {
      var unwanted = StateDifference(limit: 0, isWanted: { _ in true })
      return unwanted.compare(old, new, at: path, depth: depth)
    }
    if compareParts(old, new, at: path, depth) { return true }
    // What is unequal to itself, such as a value with a NaN somewhere, did not have to change for that.
    return Self.areEqual(old, old) && addAlike(new, at: path)
  }

  private mutating func compareParts(
    _ old: Any, _ new: Any, at path: [String], _ depth: Int
  ) -> Bool {
    let (left, right) = (Mirror(reflecting: old), Mirror(reflecting: new))
    guard depth > 0, left.displayStyle == right.displayStyle,
      !ShortText.areShort(old, left, new, right)
    else { return addValues(old, new, at: path) }
    switch left.displayStyle {
    case .struct, .tuple: return compareFields(old, left, new, right, at: path, depth)
    case .enum where left.children.first?.label == right.children.first?.label:
      return compareFields(old, left, new, right, at: path, depth)
    case .optional:
      guard let before = left.children.first, let after = right.children.first else {
        return addValues(old, new, at: path)
      }
      return compare(before.value, after.value, at: path, depth: depth - 1)
    case .collection: return compareElements(left, right, at: path, depth)
    case .dictionary: return compareEntries(old, new, at: path, depth)
    case .set: return compareMembers(old, new, at: path)
    default: return addValues(old, new, at: path)
    }
  }

  private mutating func addValues(_ old: Any, _ new: Any, at path: [String]) -> Bool {
    if let (old, new) = ShortText.pair(old, new) {
      return add(path, .changed(old: old, new: new))
    }
    // A NaN differs, and is no change.
    return old is any Equatable && (Self.isNaN(old) || addAlike(new, at: path))
  }

  private mutating func addAlike(_ value: Any, at path: [String]) -> Bool {
    add(path, .changed(old: ShortText.text(value), new: "another one that prints alike"))
  }

  private mutating func compareFields(
    _ old: Any, _ left: Mirror, _ new: Any, _ right: Mirror, at path: [String], _ depth: Int
  ) -> Bool {
    let (before, after) = (Array(left.children), Array(right.children))
    guard !before.isEmpty, before.map(\.label) == after.map(\.label) else {
      return addValues(old, new, at: path)
    }
    var differs = false
    for (field, other) in zip(before, after) {
      let place = path + [field.label ?? "?"]
      differs = compare(field.value, other.value, at: place, depth: depth - 1) || differs
    }
    return differs
  }

  /// Compares arrays of equal length by offset, and others by their additions and removals.
  private mutating func compareElements(
    _ left: Mirror, _ right: Mirror, at path: [String], _ depth: Int
  ) -> Bool {
    let (before, after) = (left.children.map(\.value), right.children.map(\.value))
    if before.count == after.count {
      var differs = false
      for (index, (old, new)) in zip(before, after).enumerated() where !isFull {
        differs = compare(old, new, at: path + ["[\(index)]"], depth: depth - 1) || differs
      }
      return differs
    }
    add(path, .count(old: before.count, new: after.count))
    let shorter = Swift.min(before.count, after.count)
    var (front, back) = (0, 0)
    while front < shorter, Self.areSame(before[front], after[front]) { front += 1 }
    while back < shorter - front,
      Self.areSame(before[before.count - 1 - back], after[after.count - 1 - back])
    { back += 1 }
    for index in front..<(before.count - back) where !isFull {
      add(path + ["[\(index)]"], .removed(ShortText.text(before[index])))
    }
    for index in front..<(after.count - back) where !isFull {
      add(path + ["[\(index)]"], .added(ShortText.text(after[index])))
    }
    return true
  }

  private mutating func compareEntries(
    _ old: Any, _ new: Any, at path: [String], _ depth: Int
  ) -> Bool {
    guard let before = old as? [AnyHashable: Any], let after = new as? [AnyHashable: Any] else {
      return addValues(old, new, at: path)
    }
    var differs = before.count != after.count
    if differs { add(path, .count(old: before.count, new: after.count)) }
    for (key, value) in before where !isFull {
      let place = path + ["[\(ShortText.text(key.base))]"]
      if let other = after[key] {
        differs = compare(value, other, at: place, depth: depth - 1) || differs
      } else {
        differs = add(place, .removed(ShortText.text(value)))
      }
    }
    for (key, value) in after where !isFull && before[key] == nil {
      differs = add(path + ["[\(ShortText.text(key.base))]"], .added(ShortText.text(value)))
    }
    return differs
  }

  private mutating func compareMembers(_ old: Any, _ new: Any, at path: [String]) -> Bool {
    guard let before = old as? Set<AnyHashable>, let after = new as? Set<AnyHashable> else {
      return addValues(old, new, at: path)
    }
    var differs = false
    for member in before where !isFull && !after.contains(member) {
      differs = add(path, .removed(ShortText.text(member.base)))
    }
    for member in after where !isFull && !before.contains(member) {
      differs = add(path, .added(ShortText.text(member.base)))
    }
    return differs
  }

  // MARK: Equality of values of unknown types

  /// Whether two values are `Equatable` and equal.
  private static func areEqual(_ old: Any, _ new: Any) -> Bool {
    func isEqual<Value: Equatable>(_ old: Value) -> Bool { old == new as? Value }
    return (old as? any Equatable).map { isEqual($0) } ?? false
  }

  /// Whether a value is no number, and so different from itself.
  private static func isNaN(_ value: Any) -> Bool {
    (value as? any FloatingPoint).map { $0.isNaN } ?? false
  }

  /// Whether two values are equal; values that are not `Equatable` are compared by their texts.
  private static func areSame(_ old: Any, _ new: Any) -> Bool {
    if old is any Equatable { return areEqual(old, new) }
    return String(reflecting: old) == String(reflecting: new)
  }
}
