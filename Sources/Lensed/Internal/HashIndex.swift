// A persistent trie from hashes to labels.
//
// 1. A node is a bucket of entries, or, once that is full, a branch of 16 nodes, chosen by the next four bits of the
//    hash. Hashes are spread evenly, so the nodes of a level are about equally full.
// 2. A copy shares all nodes. A change copies the shared ones on its path from the root, and edits the others in place.
//
// An entry claims that a row with this label has an id with this hash. Who looks up compares the id itself
// (`Entities.place(of:)`), so an id whose hash changes makes its row unfindable, and harms no other. Half of a hash is
// enough: of a million ids some hundred pairs share it.
//
// Mutable state: that of nodes, written only by who has found each reference on the way from an exclusive root to be
// the only one.

/// A claim of a `HashIndex`: that an id with this hash belongs to the row with this label.
@usableFromInline
struct HashEntry: Sendable, Equatable {
  @usableFromInline var hash: UInt32
  @usableFromInline var label: UInt64

  @inlinable
  init(hash: UInt32, label: UInt64) { (self.hash, self.label) = (hash, label) }
}

/// Labels by hash; versions share what they have in common.
///
/// Several labels may have one hash, and one label several hashes.
///
/// Every thread can have it: a node that two threads can reach has two references, and is copied before it is edited.
///
/// - Complexity: Each call is O(log *n*) with the base 16, and O(*k*) in the number of entries with one hash.
@usableFromInline
struct HashIndex: @unchecked Sendable {
  private var root: HashNode?

  init() {}

  /// Creates an index of entries by sorting them level by level: O(*n* log *n*), a small part of inserting them.
  @usableFromInline
  init(_ entries: consuming ContiguousArray<HashEntry>) {
    let count = entries.count
    root = unsafe entries.withUnsafeMutableBufferPointer { entries in
      unsafe withUnsafeTemporaryAllocation(of: HashEntry.self, capacity: count) { other in
        guard let from = entries.baseAddress, let to = other.baseAddress else { return nil }
        return unsafe HashNode.node(of: from, 0..<count, 0, sortingInto: to)
      }
    }
  }

  // MARK: Looking up

  @usableFromInline
  func first(_ hash: UInt32) -> UInt64? {
    guard let root else { return nil }
    return root.bucket(of: hash).lend { bucket in
      bucket.place(of: hash, from: 0).map { unsafe bucket.labels[$0] }
    }
  }

  func labels(_ hash: UInt32) -> [UInt64] {
    guard let root else { return [] }
    return root.bucket(of: hash).lend { bucket in
      (0..<bucket.count).compactMap { bucket.label($0, of: hash) }
    }
  }

  // MARK: Changing

  @usableFromInline
  mutating func insert(_ entry: HashEntry) {
    unsafe withUnsafeMutablePointer(to: &root) { unsafe HashNode.insert(entry, 0, into: $0) }
  }

  /// Replaces the label of an entry; does nothing if there is no such entry.
  @usableFromInline
  mutating func replace(_ entry: HashEntry, with label: UInt64) {
    edit(entry) { bucket, place in unsafe bucket.labels[place] = label }
  }

  /// Removes an entry; does nothing if there is none.
  @usableFromInline
  mutating func remove(_ entry: HashEntry) {
    edit(entry) { bucket, place in bucket.remove(at: place) }
  }

  private mutating func edit(_ entry: HashEntry, _ body: (HashNode, Int) -> Void) {
    unsafe withUnsafeMutablePointer(to: &root) { root in
      _ = unsafe HashNode.edit(entry, 0, in: root, body)
    }
  }

  /// The labels of entries whose hash another entry has too, by hash, in the order in which they came.
  var doubled: [[UInt64]] {
    var doubled: [[UInt64]] = []
    root?.addDoubled(to: &doubled)
    return doubled
  }

  /// Every entry, in any order; for tests.
  var entries: [HashEntry] { root?.entries ?? [] }
}

/// What a node of a `HashIndex` knows of itself.
private struct HashHeader {
  /// The number of entries; none in a branch.
  var count = 0
  /// How many entries there is room for.
  let room: Int
  let isBranch: Bool
}

/// A bucket of entries, whose hashes lie together, so that a search reads little; or a branch of 16 nodes.
private final class HashNode: ManagedBuffer<HashHeader, UInt64> {
  private static let bitsPerLevel = 4
  private static let width = 1 << bitsPerLevel
  /// How many entries a bucket has before it becomes a branch; a branch with half of that becomes a bucket again.
  private static let bucketSize = 40
  private static let leastRoom = 8

  private static func bucket(room: Int) -> HashNode {
    let node = create(minimumCapacity: room + room / 2) { _ in
      HashHeader(room: room, isBranch: false)
    }
    return unsafe unsafeDowncast(node, to: HashNode.self)
  }

  private static func branch() -> HashNode {
    let node = create(minimumCapacity: width) { _ in HashHeader(room: 0, isBranch: true) }
    let branch = unsafe unsafeDowncast(node, to: HashNode.self)
    unsafe branch.children.initialize(repeating: nil, count: width)
    return branch
  }

  deinit {
    if isBranch { unsafe children.deinitialize(count: Self.width) }
  }

  private var isBranch: Bool { uncheckedHeader.isBranch }

  // MARK: Members

  var count: Int {
    get { uncheckedHeader.count }
    set { uncheckedHeader.count = newValue }
  }

  private var room: Int { uncheckedHeader.room }

  private var hashes: UnsafeMutablePointer<UInt32> {
    unsafe memory.assumingMemoryBound(to: UInt32.self)
  }

  /// The labels of a bucket; its room is even.
  var labels: UnsafeMutablePointer<UInt64> {
    unsafe (memory + room &* MemoryLayout<UInt32>.stride).assumingMemoryBound(to: UInt64.self)
  }

  private var children: UnsafeMutablePointer<HashNode?> {
    unsafe memory.assumingMemoryBound(to: HashNode?.self)
  }

  /// Where a child of a branch is stored.
  private func slot(_ hash: UInt32, _ depth: Int) -> UnsafeMutablePointer<HashNode?> {
    let place = Int(
      truncatingIfNeeded: hash &>> UInt32(truncatingIfNeeded: depth &* Self.bitsPerLevel))
    return unsafe children + (place & (Self.width - 1))
  }

  private static func node(in slot: UnsafeMutablePointer<HashNode?>) -> Unretained<HashNode>? {
    Unretained(bits: unsafe UnsafeRawPointer(slot).load(as: UInt.self))
  }

  /// The place of the first entry with a hash, from a place on.
  @inline(__always)
  func place(of hash: UInt32, from start: Int) -> Int? {
    let (hashes, count) = unsafe (hashes, count)
    var place = start
    while place < count {
      if unsafe hashes[place] == hash { return place }
      place &+= 1
    }
    return nil
  }

  /// The bucket below for a hash; a branch without one.
  @inline(__always)
  func bucket(of hash: UInt32) -> Unretained<HashNode> {
    var (node, rest) = (Unretained<HashNode>(self), hash)
    while let child = node.lend({ $0.isBranch ? unsafe Self.node(in: $0.slot(rest, 0)) : nil }) {
      node = child
      rest &>>= UInt32(Self.bitsPerLevel)
    }
    return node
  }

  func label(_ place: Int, of hash: UInt32) -> UInt64? {
    unsafe hashes[place] == hash ? labels[place] : nil
  }

  private func append(_ hash: UInt32, _ label: UInt64) {
    unsafe hashes[count] = hash
    unsafe labels[count] = label
    count += 1
  }

  func remove(at place: Int) {
    count -= 1
    unsafe hashes[place] = hashes[count]
    unsafe labels[place] = labels[count]
  }

  private func append(_ other: HashNode) {
    for place in 0..<other.count { unsafe append(other.hashes[place], other.labels[place]) }
  }

  var entries: [HashEntry] {
    if isBranch { return (0..<Self.width).flatMap { unsafe children[$0]?.entries ?? [] } }
    return (0..<count).map { unsafe HashEntry(hash: hashes[$0], label: labels[$0]) }
  }

  func addDoubled(to doubled: inout [[UInt64]]) {
    if isBranch {
      for index in 0..<Self.width { unsafe children[index]?.addDoubled(to: &doubled) }
    } else if hasDoubled {
      let groups = Dictionary(grouping: entries, by: \.hash).values.filter { $0.count > 1 }
      doubled += groups.map { $0.map(\.label) }
    }
  }

  private var hasDoubled: Bool {
    let (hashes, count) = unsafe (hashes, count)
    var place = 1
    while place < count {
      let hash = unsafe hashes[place]
      var former = 0
      while former < place {
        if unsafe hashes[former] == hash { return true }
        former &+= 1
      }
      place &+= 1
    }
    return false
  }

  // MARK: Making

  /// A node of the entries in a range, whose hashes agree in the bits of the levels above.
  static func node(
    of entries: UnsafeMutablePointer<HashEntry>, _ range: Range<Int>, _ depth: Int,
    sortingInto other: UnsafeMutablePointer<HashEntry>
  ) -> HashNode? {
    if range.isEmpty { return nil }
    let first = unsafe entries[range.lowerBound].hash
    if range.count <= bucketSize || range.allSatisfy({ unsafe entries[$0].hash == first }) {
      let bucket = bucket(room: max(leastRoom, (range.count + 3) / 4 * 4))
      for index in range { unsafe bucket.append(entries[index].hash, entries[index].label) }
      return bucket
    }
    let place = { (hash: UInt32) in
      Int(truncatingIfNeeded: hash &>> UInt32(depth * bitsPerLevel)) & (width - 1)
    }
    let branch = branch()
    unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: width) { ends in
      unsafe ends.initialize(repeating: 0)
      for index in range { unsafe ends[place(entries[index].hash)] += 1 }
      var start = range.lowerBound
      for index in 0..<width {
        let count = unsafe ends[index]
        unsafe ends[index] = start
        start += count
      }
      for index in range {
        let target = unsafe place(entries[index].hash)
        unsafe other[ends[target]] = entries[index]
        unsafe ends[target] += 1
      }
      start = range.lowerBound
      for index in 0..<width {
        let end = unsafe ends[index]
        unsafe branch.children[index] = unsafe node(
          of: other, start..<end, depth + 1, sortingInto: entries)
        start = end
      }
    }
    return branch
  }

  // MARK: Changing

  /// A bucket with the same entries.
  private func copy(room: Int) -> HashNode {
    let copy = Self.bucket(room: room)
    copy.append(self)
    return copy
  }

  /// The node in a slot, which no other version has afterwards.
  private static func unshared(_ slot: UnsafeMutablePointer<HashNode?>) -> Unretained<HashNode>? {
    if unsafe !isOnlyReference(&slot.pointee), let node = unsafe slot.pointee {
      if node.isBranch {
        let copy = branch()
        unsafe copy.children.update(from: node.children, count: width)
        unsafe slot.pointee = copy
      } else {
        unsafe slot.pointee = node.copy(room: node.room)
      }
    }
    return unsafe node(in: slot)
  }

  static func insert(_ entry: HashEntry, _ depth: Int, into slot: UnsafeMutablePointer<HashNode?>) {
    let node = unsafe unshared(slot)
    let isInserted = node?.lend { node in
      if node.isBranch {
        unsafe insert(entry, depth + 1, into: node.slot(entry.hash, depth))
      } else if node.count == node.room {
        return false
      } else {
        node.append(entry.hash, entry.label)
      }
      return true
    }
    if isInserted != true { unsafe insert(entry, depth, intoFull: slot) }
  }

  /// Makes a larger bucket of a full one, or of none; or a branch, unless it is small, or its entries have one hash.
  private static func insert(
    _ entry: HashEntry, _ depth: Int, intoFull slot: UnsafeMutablePointer<HashNode?>
  ) {
    let node = unsafe slot.pointee
    let count = node?.count ?? 0
    if count < bucketSize || node?.hasOneHash(entry.hash) == true {
      let room = count < bucketSize ? min(bucketSize, max(leastRoom, count * 2)) : count * 2
      let larger = node?.copy(room: room) ?? bucket(room: room)
      larger.append(entry.hash, entry.label)
      unsafe slot.pointee = larger
    } else {
      unsafe slot.pointee = branch()
      for former in node?.entries ?? [] { unsafe insert(former, depth, into: slot) }
      unsafe insert(entry, depth, into: slot)
    }
  }

  private func hasOneHash(_ hash: UInt32) -> Bool {
    (0..<count).allSatisfy { unsafe hashes[$0] == hash }
  }

  /// Edits the bucket of an entry, if there is such an entry; returns whether the bucket is empty afterwards.
  static func edit(
    _ entry: HashEntry, _ depth: Int, in slot: UnsafeMutablePointer<HashNode?>,
    _ body: (HashNode, Int) -> Void
  ) -> Bool {
    guard let node = unsafe unshared(slot) else { return false }
    let (isBranch, isEmpty) = node.lend { node in
      if node.isBranch {
        return (true, unsafe edit(entry, depth + 1, in: node.slot(entry.hash, depth), body))
      }
      var start = 0
      while let place = node.place(of: entry.hash, from: start) {
        if unsafe node.labels[place] == entry.label {
          body(node, place)
          return (false, node.count == 0)
        }
        start = place + 1
      }
      return (false, false)
    }
    if isBranch && isEmpty { unsafe join(slot) }
    return isEmpty && !isBranch
  }

  /// Makes a bucket of a branch with few entries.
  private static func join(_ slot: UnsafeMutablePointer<HashNode?>) {
    guard let node = unsafe slot.pointee else { return }
    let children = (0..<width).compactMap { unsafe node.children[$0] }
    if children.contains(where: \.isBranch) { return }
    if children.reduce(0, { $0 + $1.count }) > bucketSize / 2 { return }
    let bucket = bucket(room: bucketSize)
    for child in children { bucket.append(child) }
    unsafe slot.pointee = bucket
  }
}
