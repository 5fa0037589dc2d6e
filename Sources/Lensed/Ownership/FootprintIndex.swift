/// The registered parts by their footprints, so that a new one is compared with few of them.
///
/// Two footprints can only share something if their bytes do, if their paths begin with the same name, or if
/// one of them cannot be placed.
struct FootprintIndex: Sendable {
  /// The registered parts, by numbers that rise.
  private var owners: [Int: Owner] = [:]
  private var next = 0
  /// By the first name of the path.
  private var byName: [String: [Int]] = [:]
  /// Those that own parts themselves, by their bytes, in order; they do not overlap.
  private var parts = ByteIndex()
  /// Those that own children, by their bytes, in order; they do not overlap each other, unless they are equal.
  private var children = ByteIndex()
  /// Those that cover the whole, or have no known path.
  private var unplaced: [Int] = []

  mutating func insert(_ owner: Owner) {
    let (number, footprint) = (next, owner.footprint)
    next += 1
    owners[number] = owner
    if let name = footprint.path?.first {
      byName[name, default: []].append(number)
    } else {
      unplaced.append(number)
    }
    if let bytes = footprint.bytes, !bytes.isEmpty {
      if owner.children == nil {
        parts.insert(bytes, number)
      } else {
        children.insert(bytes, number)
      }
    }
  }

  mutating func remove(_ owner: Owner) {
    let footprint = owner.footprint
    let found = candidates(for: footprint).first { owners[$0]?.identity == owner.identity }
    guard let found else { return }
    owners[found] = nil
    if let name = footprint.path?.first {
      byName[name]?.removeAll { $0 == found }
      if byName[name]?.isEmpty ?? false { byName[name] = nil }
    }
    unplaced.removeAll { $0 == found }
    parts.remove(found)
    children.remove(found)
  }

  /// The registered parts that may share something with a footprint, in the order they were added.
  func near(_ footprint: Footprint) -> [Owner] {
    candidates(for: footprint).compactMap { owners[$0] }
  }

  private func candidates(for footprint: Footprint) -> [Int] {
    guard let name = footprint.path?.first else { return owners.keys.sorted() }
    var found = Set(unplaced)
    found.formUnion(byName[name] ?? [])
    if let bytes = footprint.bytes {
      found.formUnion(parts.numbers(in: bytes))
      found.formUnion(children.numbers(in: bytes))
    }
    return found.sorted()
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

  /// The numbers of the ranges that overlap one; of equal ranges that begin before it, one at least.
  func numbers(in bytes: Range<Int>) -> [Int] {
    var found: [Int] = []
    // The one before may reach into it.
    var index = max(position(of: bytes.lowerBound) - 1, 0)
    while index < entries.count, entries[index].bytes.lowerBound < bytes.upperBound {
      if entries[index].bytes.overlaps(bytes) { found.append(entries[index].number) }
      index += 1
    }
    return found
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
