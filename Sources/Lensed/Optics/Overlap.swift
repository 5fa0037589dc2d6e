// Which parts overlap, as far as that can be proved: two lenses, a lens and a commit, a lens among many.
//
// Bytes decide where both parts have some. Otherwise names do, where both can be seen. A part with neither may touch
// any.

extension Footprint {
  /// How much of another footprint this one shares, as far as it can be proved.
  enum Overlap: Sendable {
    case none, same, partial, unknown
  }

  func overlap(with other: Footprint) -> Overlap {
    if !isTouching(other) { return .none }
    if let bytes, let others = other.bytes {
      guard bytes == others else { return .partial }
      // A property that fills its struct has the struct's bytes and another name.
      let (path, otherPath) = (path, other.path)
      return path == otherPath || path == nil || otherPath == nil ? .same : .partial
    }
    guard let path, let others = other.path else { return .unknown }
    return path == others ? .same : .partial
  }

  /// Whether another footprint lies within this one, as far as it can be proved.
  func covers(_ other: Footprint) -> Bool {
    if let path, let others = other.path { return others.starts(with: path) }
    guard let bytes, let others = other.bytes else { return false }
    return bytes.lowerBound <= others.lowerBound && others.upperBound <= bytes.upperBound
  }

  /// Whether two footprints in one root may share something: whether their overlap is not `none`.
  func isTouching(_ other: Footprint) -> Bool {
    if case .parts(let parts) = names { return parts.contains { $0.isTouching(other) } }
    if case .parts = other.names { return other.isTouching(self) }
    if isEmpty || other.isEmpty { return false }
    if let bytes, let others = other.bytes { return bytes.overlaps(others) }
    if let path, let others = other.path {
      return path.starts(with: others) || others.starts(with: path)
    }
    return true
  }

  /// Whether one of some footprints touches this one; many are not compared, and count as if one did.
  func isTouched(by others: [Footprint]) -> Bool {
    if others.count > 8 { return true }
    for other in others where other.isTouching(self) { return true }
    return false
  }
}

// MARK: Many parts

/// Parts of one root by their footprints, so that another part is compared with few of them.
///
/// Two can only share something if their bytes do, or, without bytes, the first names of their paths; or if one has
/// neither.
struct FootprintIndex: Sendable {
  /// By the first name of the path.
  private var byName: [String: [Int]] = [:]
  /// Those that cover the whole, or have no known path.
  private var nameless: [Int] = []
  /// How many have no fixed place.
  private var unplacedCount = 0
  /// Those that have bytes; where no part has two owners, none overlap.
  private var parts = ByteIndex()
  /// Those of children, by the bytes of what these lie in; where no part has two owners, two are apart or equal.
  private var children = ByteIndex()

  /// Adds a part, or the children in a part, by a number.
  mutating func insert(_ footprint: Footprint, _ number: Int, ofChildren: Bool) {
    if let name = footprint.path?.first {
      byName[name, default: []].append(number)
    } else {
      nameless.append(number)
    }
    guard let bytes = footprint.bytes else {
      unplacedCount += 1
      return
    }
    if bytes.isEmpty { return }
    if ofChildren {
      children.insert(bytes, number)
    } else {
      parts.insert(bytes, number)
    }
  }

  mutating func remove(_ footprint: Footprint, _ number: Int) {
    if let name = footprint.path?.first {
      byName[name]?.removeAll { $0 == number }
      if byName[name]?.isEmpty ?? false { byName[name] = nil }
    } else {
      nameless.removeAll { $0 == number }
    }
    if footprint.bytes == nil { unplacedCount -= 1 }
    parts.remove(number)
    children.remove(number)
  }

  /// The numbers of the parts that may share something with a footprint, ascending; names are looked up only if needed.
  func numbers(near footprint: Footprint) -> [Int] {
    var found: [Int] = []
    if let bytes = footprint.bytes {
      parts.forEach(in: bytes) { found.append($0) }
      children.forEach(in: bytes) { found.append($0) }
      if unplacedCount == 0 { return found.count < 2 ? found : Self.inOrder(found) }
    }
    if let name = footprint.path?.first {
      found += nameless
      found += byName[name] ?? []
    } else {
      found += nameless
      for numbers in byName.values { found += numbers }
    }
    return Self.inOrder(found)
  }

  private static func inOrder(_ numbers: [Int]) -> [Int] {
    let sorted = numbers.sorted()
    return sorted.indices.filter { $0 == 0 || sorted[$0] != sorted[$0 - 1] }.map { sorted[$0] }
  }
}

/// Ranges of bytes in the order in which they begin; where few overlap, those that a further one overlaps are found
/// in O(log n).
private struct ByteIndex: Sendable {
  private struct Entry: Sendable {
    let bytes: Range<Int>
    let number: Int
    /// The end of this range, or of one before it that reaches further.
    var reach = 0
  }

  private var entries: [Entry] = []

  mutating func insert(_ bytes: Range<Int>, _ number: Int) {
    let position = position(of: bytes.lowerBound)
    entries.insert(Entry(bytes: bytes, number: number), at: position)
    updateReach(from: position)
  }

  mutating func remove(_ number: Int) {
    guard let position = entries.firstIndex(where: { $0.number == number }) else { return }
    entries.remove(at: position)
    updateReach(from: position)
  }

  /// Computes the reach of the entries from a position on, up to the first one whose reach stays.
  private mutating func updateReach(from position: Int) {
    var reach = position > 0 ? entries[position - 1].reach : 0
    for index in position..<entries.count {
      reach = max(reach, entries[index].bytes.upperBound)
      if entries[index].reach == reach { return }
      entries[index].reach = reach
    }
  }

  func forEach(in bytes: Range<Int>, _ body: (_ number: Int) -> Void) {
    var index = position(of: bytes.lowerBound)
    while index > 0, entries[index - 1].reach > bytes.lowerBound { index -= 1 }
    while index < entries.count, entries[index].bytes.lowerBound < bytes.upperBound {
      if entries[index].bytes.overlaps(bytes) { body(entries[index].number) }
      index += 1
    }
  }

  /// The first place whose bytes do not begin before an offset.
  private func position(of offset: Int) -> Int {
    entries.indices.partitioningIndex { entries[$0].bytes.lowerBound >= offset }
  }
}
