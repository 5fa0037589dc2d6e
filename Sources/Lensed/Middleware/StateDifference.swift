/// The difference between two values, field by field and element by element.
///
/// `Equatable` values are compared by `==`, and then looked into for where they differ. Others are compared by
/// reflection: by their types, field by field, and below that by their texts.
package struct StateDifference {
  /// The maximum depth of the comparison; a value below is compared by its text.
  private static let depth = 64
  /// The depth that is left where a difference is shown as one of the whole value.
  private static let wholeDepth = depth - 8
  /// The maximum number of lines, before the line "and more".
  private static let most = 20

  private let limit: Int
  /// Whether entries for a part, and for those within it, are wanted; nil is all.
  private let isWanted: ((_ part: [String]) -> Bool)?
  /// Whether a short or deep value is shown whole, where all that differs in it is wanted.
  private let showsWhole: Bool
  /// Whether what is `NotLogged` is shown by the name of its type alone.
  private let isRedacted: Bool
  private var entries: [DifferenceEntry] = []
  private var isFull: Bool { entries.count > limit }

  private init(
    limit: Int, showsWhole: Bool, isRedacted: Bool = false,
    where isWanted: ((_ part: [String]) -> Bool)? = nil
  ) {
    (self.limit, self.showsWhole, self.isWanted) = (limit, showsWhole, isWanted)
    self.isRedacted = isRedacted
  }

  /// Returns one line for each different field, such as `profile.name: "a" → "b"`: at most 20, and one for the others.
  ///
  /// A value has at most 200 characters. Of what is `NotLogged`, there is the name of the type.
  static func lines(from old: Any, to new: Any) -> [String] {
    var difference = StateDifference(limit: most, showsWhole: true, isRedacted: true)
    _ = difference.compare(old, new, at: [], depth: depth)
    let entries = difference.entries
    return entries.prefix(most).map(\.line) + (entries.count > most ? ["… and more"] : [])
  }

  /// Returns the fields and elements that differ, at most one more than `limit`.
  ///
  /// With `showsWhole`, a short or deep value is one entry, where all that differs in it is wanted. `isWanted` says
  /// whether entries for a part, and for the parts within it, are returned.
  package static func entries(
    from old: Any, to new: Any, limit: Int, showsWhole: Bool = true,
    where isWanted: ((_ part: [String]) -> Bool)? = nil
  ) -> [DifferenceEntry] {
    var difference = StateDifference(limit: limit, showsWhole: showsWhole, where: isWanted)
    _ = difference.compare(old, new, at: [], depth: depth)
    return difference.entries
  }

  private static func differ(_ old: Any, _ new: Any, depth: Int) -> Bool {
    var difference = StateDifference(limit: 0, showsWhole: false)
    return difference.compare(old, new, at: [], depth: depth)
  }

  /// Adds an entry if it is wanted; returns true, because there is a difference either way.
  @discardableResult
  private mutating func add(
    _ path: [String], _ kind: DifferenceEntry.Kind, part: [String]? = nil
  ) -> Bool {
    let part = part ?? path
    if !isFull && isWanted?(part) ?? true {
      entries.append(DifferenceEntry(path: path, part: part, kind: kind))
    }
    return true
  }

  private mutating func addCount(_ path: [String], _ old: Int, _ new: Int) {
    add(path, .count(old: old, new: new), part: path + ["count"])
  }

  // Each comparison returns whether it found a difference, also one that is not wanted or does not fit.

  private mutating func compare(_ old: Any, _ new: Any, at path: [String], depth: Int) -> Bool {
    if isFull { return true }
    if areEqual(old, new) { return false }
    if isRedacted && (old is any NotLogged || new is any NotLogged) {
      return Self.differ(old, new, depth: depth) && addHidden(new, at: path)
    }
    if let isWanted, !isWanted(path) { return Self.differ(old, new, depth: depth) }
    if compareParts(old, new, at: path, depth) { return true }
    // What is unequal to itself, such as a value with a NaN somewhere, did not have to change for that.
    return areEqual(old, old) && addAlike(new, at: path)
  }

  private mutating func compareParts(
    _ old: Any, _ new: Any, at path: [String], _ depth: Int
  ) -> Bool {
    let (left, right) = (Mirror(reflecting: old), Mirror(reflecting: new))
    guard depth > 0, type(of: old) == type(of: new), left.displayStyle == right.displayStyle else {
      return addValues(old, new, at: path)
    }
    if showsWhole && (depth == Self.wholeDepth || ShortText.areShort(old, left, new, right)) {
      return compareWhole(old, left, new, right, at: path, depth)
    }
    return compareInside(old, left, new, right, at: path, depth)
  }

  /// Looks into both values, and shows them whole, unless only some of what differs is wanted, or their texts are one.
  private mutating func compareWhole(
    _ old: Any, _ left: Mirror, _ new: Any, _ right: Mirror, at path: [String], _ depth: Int
  ) -> Bool {
    var inside = StateDifference(limit: .max, showsWhole: false, isRedacted: isRedacted)
    if !inside.compareInside(old, left, new, right, at: path, depth) { return false }
    let wanted = inside.entries.filter { isWanted?($0.part) ?? true }
    if wanted.isEmpty { return true }
    // A count differs with the elements.
    let isWhole = wanted.count { !$0.isCount } == inside.entries.count { !$0.isCount }
    let isHidden = isRedacted && (Redaction.hides(old) || Redaction.hides(new))
    if isWhole, !isHidden, let (old, new) = ShortText.pair(old, new) {
      return add(path, .changed(old: old, new: new))
    }
    for entry in wanted where !isFull { entries.append(entry) }
    return true
  }

  private mutating func compareInside(
    _ old: Any, _ left: Mirror, _ new: Any, _ right: Mirror, at path: [String], _ depth: Int
  ) -> Bool {
    switch left.displayStyle {
    case .struct, .tuple: return compareFields(old, left, new, right, at: path, depth)
    case .enum where left.children.first?.label == right.children.first?.label:
      return compareFields(old, left, new, right, at: path, depth)
    case .enum:
      return addValues(old, new, at: path)
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

  private mutating func addHidden(_ value: Any, at path: [String]) -> Bool {
    let type = "\(type(of: value))"
    return add(path, .changed(old: type, new: "another one, which is not logged"))
  }

  private func text(_ value: Any) -> String {
    isRedacted ? Redaction.text(value) : ShortText.text(value)
  }

  private mutating func addValues(_ old: Any, _ new: Any, at path: [String]) -> Bool {
    if isRedacted && (Redaction.hides(old) || Redaction.hides(new)) {
      return ShortText.pair(old, new) != nil && addHidden(new, at: path)
    }
    if let (old, new) = ShortText.pair(old, new) {
      return add(path, .changed(old: old, new: new))
    }
    if type(of: old) != type(of: new) {
      let (before, after) = (text(old), text(new))
      return add(
        path,
        .changed(old: "\(before) as \(type(of: old))", new: "\(after) as \(type(of: new))"))
    }
    // A NaN differs, and is no change.
    return old is any Equatable && (Self.isNaN(old) || addAlike(new, at: path))
  }

  private mutating func addAlike(_ value: Any, at path: [String]) -> Bool {
    add(path, .changed(old: text(value), new: "another one that prints alike"))
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
      let place = path + [field.label.map { Way.name(ofField: $0) } ?? "?"]
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
    addCount(path, before.count, after.count)
    let shorter = Swift.min(before.count, after.count)
    var (front, back) = (0, 0)
    while front < shorter, !Self.differ(before[front], after[front], depth: depth - 1) {
      front += 1
    }
    while back < shorter - front,
      !Self.differ(
        before[before.count - 1 - back], after[after.count - 1 - back], depth: depth - 1)
    { back += 1 }
    if isWanted != nil || !showsWhole {
      // Which fields of which element: by offset, as a key path says it.
      while front < shorter - back {
        let (old, new) = (before[front], after[front])
        _ = compare(old, new, at: path + ["[\(front)]"], depth: depth - 1)
        front += 1
      }
    }
    for index in front..<(before.count - back) where !isFull {
      add(path + ["[\(index)]"], .removed(text(before[index])))
    }
    for index in front..<(after.count - back) where !isFull {
      add(path + ["[\(index)]"], .added(text(after[index])))
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
    if differs { addCount(path, before.count, after.count) }
    for (key, value) in before where !isFull {
      let place = path + ["[\(text(key.base))]"]
      if let other = after[key] {
        differs = compare(value, other, at: place, depth: depth - 1) || differs
      } else {
        differs = add(place, .removed(text(value)))
      }
    }
    for (key, value) in after where !isFull && before[key] == nil {
      differs = add(path + ["[\(text(key.base))]"], .added(text(value)))
    }
    return differs
  }

  private mutating func compareMembers(_ old: Any, _ new: Any, at path: [String]) -> Bool {
    guard let before = old as? Set<AnyHashable>, let after = new as? Set<AnyHashable> else {
      return addValues(old, new, at: path)
    }
    var differs = false
    for member in before where !isFull && !after.contains(member) {
      let text = self.text(member.base)
      differs = add(path, .removed(text), part: path + ["[\(text)]"])
    }
    for member in after where !isFull && !before.contains(member) {
      let text = self.text(member.base)
      differs = add(path, .added(text), part: path + ["[\(text)]"])
    }
    return differs
  }

  /// Whether a value is no number, and so different from itself.
  private static func isNaN(_ value: Any) -> Bool {
    (value as? any FloatingPoint).map { $0.isNaN } ?? false
  }
}

// MARK: One entry

/// One field or element that differs.
package struct DifferenceEntry: Sendable {
  package enum Kind: Sendable, Hashable {
    case changed(old: String, new: String)
    case count(old: Int, new: Int)
    case added(String)
    case removed(String)
  }

  /// The names of the fields on the way; of an element, its place between brackets.
  package let path: [String]
  /// The path, and below it what of a collection differs: its `count`, or the member of a set.
  package let part: [String]
  package let kind: Kind

  var isCount: Bool { if case .count = kind { true } else { false } }

  /// The path as a person would write it.
  package var place: String { Way.text(path) }

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
