/// The part of a root value that a lens covers, as far as that can be seen without running it.
///
/// Two kinds of evidence exist: a range of bytes (stored key paths), and a path of property names
/// (readable key paths and lenses with a `name:`). An empty path is the whole. A lens with neither
/// is *undecided*: it may cover anything.
///
/// The names of a key path are read from its description, which takes microseconds. A footprint that is made of
/// labels reads them when bytes alone do not decide.
@usableFromInline
struct Footprint: Sendable, Equatable {
  enum Names: Sendable {
    case labels(InlineList<LensLabel>, valueType: any Any.Type)
    indirect case known(path: [String]?, typeName: String)
    /// Of several parts together; none of them has this case.
    case parts([Footprint])
  }

  let names: Names
  /// The bytes of the root that the lens covers, or nil where it has no fixed ones.
  let bytes: Range<Int>?

  init(path: [String]?, bytes: Range<Int>?, typeName: String) {
    names = .known(path: path, typeName: typeName)
    self.bytes = bytes
  }

  init(labels: InlineList<LensLabel>, bytes: Range<Int>?, of valueType: any Any.Type) {
    names = .labels(labels, valueType: valueType)
    self.bytes = bytes ?? LensLabel.row(in: labels)?.bytes
  }

  /// The footprint of several parts together.
  init(ofAll parts: [Footprint]) {
    var all: [Footprint] = []
    for part in parts.flatMap(\.parts) where !all.contains(part) { all.append(part) }
    if all.count == 1 {
      self = all[0]
    } else {
      names = .parts(all)
      bytes = nil
    }
  }

  /// The parts that it was made of; itself, where it is of one.
  var parts: [Footprint] {
    if case .parts(let parts) = names { parts } else { [self] }
  }

  /// The labels that it is made of; none where its names were looked up.
  var labels: InlineList<LensLabel> {
    if case .labels(let labels, _) = names { labels } else { .none }
  }

  /// The row that it is of, where the part is an element of a collection, or lies in one.
  var row: RowLabel? { LensLabel.row(in: labels) }

  /// The property names from the root down, or nil where they cannot be seen.
  var path: [String]? {
    switch names {
    case .labels(let labels, _): LensLabel.path(labels.all)
    case .known(let path, _): path
    case .parts: nil
    }
  }

  /// The type of the part, for messages and for telling undecided lenses of one type apart.
  var typeName: String {
    switch names {
    case .labels(_, let valueType): "\(valueType)"
    case .known(_, let typeName): typeName
    case .parts(let parts): "(\(parts.map(\.typeName).joined(separator: ", ")))"
    }
  }

  /// The same footprint with its names looked up, to be kept and compared often.
  var resolved: Footprint {
    switch names {
    case .known: self
    case .parts(let parts): Footprint(ofAll: parts.map(\.resolved))
    case .labels: Footprint(path: path, bytes: bytes, typeName: typeName)
    }
  }

  /// The same footprint under other names.
  func named(_ path: [String]) -> Footprint {
    Footprint(path: path, bytes: bytes, typeName: typeName)
  }

  /// Neither bytes nor names show where the part lies.
  var isUndecided: Bool {
    if case .parts(let parts) = names { return parts.contains(where: \.isUndecided) }
    return bytes == nil && path == nil
  }

  /// The part has no bytes, so it can neither be missed nor be written twice.
  var isEmpty: Bool { bytes?.isEmpty ?? false }

  /// The part is the whole of the root.
  var isWhole: Bool {
    if case .parts(let parts) = names { return parts.contains(where: \.isWhole) }
    if row != nil { return false }
    // A stored part that has a label is a property.
    if bytes != nil, case .labels(let labels, _) = names { return labels.isEmpty }
    return path?.isEmpty ?? false
  }

  /// The property as a person would write it.
  var name: String {
    guard let path else { return "an unnamed lens to \(typeName)" }
    return path.isEmpty ? "\\.self" : LensLabel.text(path)
  }

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

  @usableFromInline
  static func == (left: Footprint, right: Footprint) -> Bool {
    if case .parts(let parts) = left.names, case .parts(let others) = right.names {
      return parts == others
    }
    return left.bytes == right.bytes && haveSameRow(left, right) && left.path == right.path
      && left.typeName == right.typeName
  }

  private static func haveSameRow(_ left: Footprint, _ right: Footprint) -> Bool {
    switch (left.row, right.row) {
    case (nil, nil): true
    case (let row?, let other?): row.collection == other.collection && row.isSame(other)
    default: false
    }
  }
}

// MARK: Lifting

extension Footprint {
  /// The footprint of the same part in a larger root, of which a lens focuses on the root of this one.
  func lifted<Root, Value>(_ lens: Lens<Root, Value>) -> Footprint {
    var (moved, start): (Range<Int>?, Int?) = (nil, nil)
    if case .stored(let offset) = lens.location {
      start = offset
      moved = bytes.map { ($0.lowerBound + offset)..<($0.upperBound + offset) }
    }
    switch names {
    case .labels(let labels, let valueType):
      return Footprint(
        labels: InlineList(lens.labels).appending(labels, at: start), bytes: moved, of: valueType)
    case .parts(let parts):
      return Footprint(ofAll: parts.map { $0.lifted(lens) })
    case .known(let path, let typeName):
      let outer = LensLabel.path(lens.labels)
      return Footprint(
        path: outer.flatMap { outer in path.map { outer + $0 } }, bytes: moved, typeName: typeName)
    }
  }
}

// MARK: Many of them

/// Parts of one root by their footprints, so that another part is compared with few of them.
///
/// Two footprints can only share something if their bytes do; where one has no bytes, if their paths begin with the
/// same name, or if one of them cannot be placed.
struct FootprintIndex: Sendable {
  /// By the first name of the path.
  private var byName: [String: [Int]] = [:]
  /// Those that cover the whole, or have no known path.
  private var nameless: [Int] = []
  /// How many have no fixed place.
  private var unplacedCount = 0
  /// Those that have bytes, in order; they do not overlap.
  private var parts = ByteIndex()
  /// Those of children, by the bytes of what these lie in; two overlap only where they are equal.
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

  /// The numbers of the parts that may share something with a footprint, in ascending order.
  ///
  /// Where all have bytes, names are not looked up: reading them off a key path takes microseconds.
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

/// Ranges of bytes in order, of which two are apart or equal.
private struct ByteIndex: Sendable {
  private var entries: [(bytes: Range<Int>, number: Int)] = []

  mutating func insert(_ bytes: Range<Int>, _ number: Int) {
    entries.insert((bytes, number), at: position(of: bytes.lowerBound))
  }

  mutating func remove(_ number: Int) {
    entries.removeAll { $0.number == number }
  }

  /// Hands out the numbers of the ranges that overlap one.
  func forEach(in bytes: Range<Int>, _ body: (_ number: Int) -> Void) {
    var index = position(of: bytes.lowerBound)
    // Those that are equal to the one before may reach into it.
    while index > 0, entries[index - 1].bytes.overlaps(bytes) { index -= 1 }
    while index < entries.count, entries[index].bytes.lowerBound < bytes.upperBound {
      if entries[index].bytes.overlaps(bytes) { body(entries[index].number) }
      index += 1
    }
  }

  /// The first place whose bytes do not begin before an offset, found by halving.
  private func position(of offset: Int) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].bytes.lowerBound < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
