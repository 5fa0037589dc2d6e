// A persistent trie from hashes to labels.
//
// 1. A node is a bucket of entries, or, once that is full, a branch of 16 nodes, chosen by the next four bits of the
//    hash. Hashes are spread evenly, so the nodes of a level are about equally full.
// 2. A copy shares all nodes. A change copies the shared ones on its path from the root, and edits the others in
//    place.
//
// It knows no ids: an entry is a claim that a row with this label has an id with this hash. Who looks up compares the
// id itself. So an id whose hash changes makes its row unfindable, and harms no other row.
//
// Mutable state: that of nodes. A node is written only by who has found, on the way from a root that it has
// exclusively, that each reference on the path is the only one.

/// A claim of a `HashIndex`: that an id with this hash belongs to the row with this label.
@usableFromInline
struct HashEntry: Sendable, Equatable {
  @usableFromInline var hash: Int
  @usableFromInline var label: UInt64

  @inlinable
  init(hash: Int, label: UInt64) {
    (self.hash, self.label) = (hash, label)
  }
}

/// Labels by hash, in a form whose versions share what they have in common.
///
/// Several labels may have one hash, and one label several hashes.
///
/// - Complexity: Each call is O(log *n*) with the base 16, and O(*k*) in the number of entries with one hash.
@usableFromInline
struct HashIndex: Sendable {
  private var root: HashNode?

  @usableFromInline
  init() {}

  // MARK: Looking up

  /// The label of the first entry with a hash.
  @usableFromInline
  func first(_ hash: Int) -> UInt64? {
    guard let root else { return nil }
    let bucket = root.bucket(of: hash)
    return bucket.lend { bucket in bucket.place(of: hash, from: 0).map { bucket[$0].label } }
  }

  /// The labels of all entries with a hash.
  @usableFromInline
  func labels(_ hash: Int) -> [UInt64] {
    guard let root else { return [] }
    return root.bucket(of: hash).lend { bucket in
      (0..<bucket.count).compactMap { bucket[$0].hash == hash ? bucket[$0].label : nil }
    }
  }

  // MARK: Changing

  @usableFromInline
  mutating func insert(_ entry: HashEntry) {
    HashNode.insert(entry, 0, into: &root)
  }

  /// Replaces the label of an entry; does nothing if there is no such entry.
  @usableFromInline
  mutating func replace(_ entry: HashEntry, with label: UInt64) {
    HashNode.edit(entry, 0, in: &root) { bucket, place in bucket[place].label = label }
  }

  /// Removes an entry; does nothing if there is none.
  @usableFromInline
  mutating func remove(_ entry: HashEntry) {
    HashNode.edit(entry, 0, in: &root) { bucket, place in
      bucket[place] = bucket[bucket.count - 1]
      bucket.count -= 1
    }
  }

  /// Every entry, in any order; for tests.
  var entries: [HashEntry] { root?.entries ?? [] }
}

/// A node of a `HashIndex`: a bucket of entries, or a branch of 16 nodes.
@safe
private final class HashNode: @unchecked Sendable {
  private static let bitsPerLevel = 4
  private static let width = 1 << bitsPerLevel
  /// How many entries a bucket has before it becomes a branch; a branch with half of that becomes a bucket again.
  private static let bucketSize = 40

  // Accesses of nodes never overlap: who writes one has it exclusively.
  @exclusivity(unchecked) private var uncheckedCount = 0
  @exclusivity(unchecked) private var capacity: Int
  /// Null in a branch.
  @exclusivity(unchecked) private var memory: UnsafeMutablePointer<HashEntry>?
  /// Null in a bucket.
  private let children: UnsafeMutablePointer<HashNode?>?

  /// The number of entries; none in a branch.
  var count: Int {
    get { unsafe uncheckedCount }
    set { unsafe uncheckedCount = newValue }
  }

  /// Creates an empty bucket.
  private init(capacity: Int) {
    unsafe self.capacity = capacity
    unsafe memory = .allocate(capacity: capacity)
    unsafe children = nil
  }

  /// Creates a branch without entries.
  private init() {
    unsafe capacity = 0
    unsafe memory = nil
    unsafe children = .allocate(capacity: Self.width)
    unsafe children?.initialize(repeating: nil, count: Self.width)
  }

  deinit {
    unsafe children?.deinitialize(count: Self.width)
    unsafe children?.deallocate()
    unsafe memory?.deallocate()
  }

  private var isBranch: Bool { unsafe children != nil }

  /// The entry at a place of a bucket.
  subscript(place: Int) -> HashEntry {
    unsafeAddress { unsafe UnsafePointer(memory.unsafelyUnwrapped + place) }
    unsafeMutableAddress { unsafe memory.unsafelyUnwrapped + place }
  }

  /// Where a child of a branch is stored.
  private func slot(_ hash: Int, _ depth: Int) -> UnsafeMutablePointer<HashNode?> {
    let place = Int(truncatingIfNeeded: UInt(bitPattern: hash) >> UInt(depth * Self.bitsPerLevel))
    return unsafe children.unsafelyUnwrapped + (place & (Self.width - 1))
  }

  /// The place of the first entry with a hash, from a place on.
  func place(of hash: Int, from start: Int) -> Int? {
    var place = start
    while place < count {
      if unsafe memory.unsafelyUnwrapped[place].hash == hash { return place }
      place += 1
    }
    return nil
  }

  /// The bucket below for a hash.
  func bucket(of hash: Int) -> Unretained<HashNode> {
    var (node, depth) = (Unretained<HashNode>(self), 0)
    while let child = node.lend({ $0.child(hash, depth) }) {
      node = child
      depth += 1
    }
    return node
  }

  /// The child of a branch for a hash, if it is there: none in a bucket.
  private func child(_ hash: Int, _ depth: Int) -> Unretained<HashNode>? {
    if unsafe children == nil { return nil }
    let bits = unsafe UnsafeRawPointer(slot(hash, depth)).load(as: UInt.self)
    return Unretained(bits: bits)
  }

  private func copy() -> HashNode {
    if let children = unsafe children {
      let copy = HashNode()
      unsafe copy.children?.update(from: children, count: Self.width)
      return copy
    }
    let copy = unsafe HashNode(capacity: capacity)
    if let memory = unsafe memory { unsafe copy.memory?.initialize(from: memory, count: count) }
    copy.count = count
    return copy
  }

  private static func unshare(_ slot: inout HashNode?) {
    guard var node = slot.take() else { return }
    if !isOnlyReference(&node) { node = node.copy() }
    slot = node
  }

  static func insert(_ entry: HashEntry, _ depth: Int, into slot: inout HashNode?) {
    unshare(&slot)
    guard let node = slot else {
      let node = HashNode(capacity: 8)
      node.append(entry)
      slot = node
      return
    }
    if node.isBranch {
      return unsafe insert(entry, depth + 1, into: &node.slot(entry.hash, depth).pointee)
    }
    if unsafe node.count == node.capacity { return insert(entry, depth, intoFull: node, &slot) }
    node.append(entry)
  }

  /// Makes room for as many entries again.
  private func grow() {
    unsafe capacity = count < Self.bucketSize ? min(Self.bucketSize, count * 2) : count * 2
    let former = unsafe memory
    unsafe memory = .allocate(capacity: capacity)
    if let former = unsafe former {
      unsafe memory?.initialize(from: former, count: count)
      unsafe former.deallocate()
    }
  }

  private func append(_ entry: HashEntry) {
    self[count] = entry
    count += 1
  }

  /// Makes a branch of a full bucket, unless all of its entries have one hash, or it is small.
  private static func insert(
    _ entry: HashEntry, _ depth: Int, intoFull node: HashNode, _ slot: inout HashNode?
  ) {
    if node.count < bucketSize || (0..<node.count).allSatisfy({ node[$0].hash == entry.hash }) {
      node.grow()
      node.append(entry)
      return
    }
    slot = HashNode()
    for place in 0..<node.count { insert(node[place], depth, into: &slot) }
    insert(entry, depth, into: &slot)
  }

  /// Edits the bucket of an entry, if there is such an entry.
  ///
  /// - Returns: Whether the bucket is empty afterwards.
  @discardableResult
  static func edit(
    _ entry: HashEntry, _ depth: Int, in slot: inout HashNode?,
    _ body: (HashNode, Int) -> Void
  ) -> Bool {
    unshare(&slot)
    guard let node = slot else { return false }
    if node.isBranch {
      let isEmpty = unsafe edit(entry, depth + 1, in: &node.slot(entry.hash, depth).pointee, body)
      if isEmpty { join(&slot) }
      return false
    }
    var start = 0
    while let place = node.place(of: entry.hash, from: start) {
      if node[place].label == entry.label {
        body(node, place)
        return node.count == 0
      }
      start = place + 1
    }
    return false
  }

  /// Makes a bucket of a branch with few entries.
  private static func join(_ slot: inout HashNode?) {
    guard let node = slot, let children = unsafe node.children else { return }
    var total = 0
    for index in 0..<width {
      guard let child = unsafe children[index] else { continue }
      total += child.count
      if child.isBranch || total > bucketSize / 2 { return }
    }
    let bucket = HashNode(capacity: bucketSize)
    for index in 0..<width {
      guard let child = unsafe children[index] else { continue }
      for place in 0..<child.count { bucket.append(child[place]) }
    }
    slot = bucket
  }

  var entries: [HashEntry] {
    guard let children = unsafe children else { return (0..<count).map { self[$0] } }
    return (0..<Self.width).flatMap { unsafe children[$0]?.entries ?? [] }
  }
}
