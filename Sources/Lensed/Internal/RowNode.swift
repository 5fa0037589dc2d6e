// The nodes of a `RowTree`.
//
// Mutable state: that of nodes, written only by who has found each reference on the way from an exclusive root to be
// the only one. Hence trees are `Sendable` where rows are.

/// What a node knows of itself.
@safe
@usableFromInline
struct RowHeader {
  /// The number of its members: rows, or nodes.
  @usableFromInline var size = 0
  /// How many members its memory has room for.
  @usableFromInline let room: Int
  /// In a leaf, the label of its first row, if it has no array of labels.
  @usableFromInline var first: UInt64 = 0
  /// In a leaf whose labels are not at equal distances, these; null in others.
  @usableFromInline var labels: UnsafeMutablePointer<UInt64>?

  @inlinable
  init(room: Int) {
    self.room = room
    unsafe labels = nil
  }
}

/// A `RowLeaf` or a `RowBranch`, in one allocation with its members, so that reading them waits for one address.
@usableFromInline
class RowNode: ManagedBuffer<RowHeader, UInt64> {
  /// How many members a node has at most.
  @inlinable static var capacity: Int { 32 }
  /// How many it has at least, once something was removed from it, unless it is the only one.
  @inlinable static var leastSize: Int { 8 }

  @inlinable final var size: Int {
    get { uncheckedHeader.size }
    set { uncheckedHeader.size = newValue }
  }

  @inlinable final var room: Int { uncheckedHeader.room }

  var asChild: RowChild { abstract() }

  /// A node with the same members, and at least so much room.
  func copy(room: Int) -> RowNode { abstract() }

  /// Moves the members from an offset on into a new node.
  func split(at offset: Int) -> RowNode { abstract() }

  /// Appends the members of another node, for which there is room.
  func append(_ other: RowNode) { abstract() }

  private func abstract() -> Never {
    fatalError("Lensed: a node of rows without members; this is a fault of Lensed.")
  }
}

/// A node, as its parent knows it.
@usableFromInline
struct RowChild {
  // The node is first, so that it can be read without being retained.
  var node: RowNode
  /// The label of its first row.
  var first: UInt64
  /// The number of its rows.
  var count: Int

  @usableFromInline
  init(node: RowNode, first: UInt64, count: Int) {
    (self.node, self.first, self.count) = (node, first, count)
  }
}

// MARK: Leaves

/// Rows and their labels, of which those at the distance of appended rows are not stored: so rows lie side by side.
@safe
@usableFromInline
final class RowLeaf<Element>: RowNode {
  /// Creates an empty leaf: with less room than `capacity` only for a root.
  @inlinable
  static func make(room: Int = capacity) -> RowLeaf {
    let bytes =
      room * MemoryLayout<Element>.stride + (isAligned ? 0 : MemoryLayout<Element>.alignment)
    let leaf = create(minimumCapacity: (bytes + 7) / 8) { _ in RowHeader(room: room) }
    return unsafe unsafeDowncast(leaf, to: RowLeaf.self)
  }

  deinit {
    unsafe elements.deinitialize(count: size)
    unsafe uncheckedHeader.labels?.deallocate()
  }

  /// Whether an element may lie right behind a leaf: objects are aligned to two words, and their members lie behind
  /// six.
  @inlinable static var isAligned: Bool {
    MemoryLayout<Element>.alignment <= 2 * MemoryLayout<Int>.alignment
  }

  @inlinable
  var elements: UnsafeMutablePointer<Element> {
    unsafe (Self.isAligned ? memory : memory.alignedUp(for: Element.self))
      .assumingMemoryBound(to: Element.self)
  }

  @inlinable
  subscript(offset: Int) -> Element {
    unsafeAddress { unsafe UnsafePointer(elements + offset) }
    unsafeMutableAddress { unsafe elements + offset }
  }

  override var asChild: RowChild { RowChild(node: self, first: label(0), count: size) }

  // MARK: Labels

  @inlinable
  func label(_ offset: Int) -> UInt64 {
    if let labels = unsafe uncheckedHeader.labels { return unsafe labels[offset] }
    return uncheckedHeader.first &+ RowLabels.step &* UInt64(truncatingIfNeeded: offset)
  }

  func setLabel(_ label: UInt64, _ offset: Int) {
    if label == self.label(offset) { return }
    unsafe storedLabels()[offset] = label
  }

  /// The array of labels, which is made where there is none.
  @usableFromInline
  func storedLabels() -> UnsafeMutablePointer<UInt64> {
    if let labels = unsafe uncheckedHeader.labels { return unsafe labels }
    let labels = UnsafeMutablePointer<UInt64>.allocate(capacity: room)
    for offset in 0..<size { unsafe labels[offset] = label(offset) }
    unsafe uncheckedHeader.labels = labels
    return unsafe labels
  }

  /// Makes room for a label at an offset, and sets it there.
  @inlinable
  func insertLabel(_ label: UInt64, at offset: Int) {
    if unsafe uncheckedHeader.labels == nil {
      if size == 0 || (offset == 0 && label == uncheckedHeader.first &- RowLabels.step) {
        return uncheckedHeader.first = label
      }
      if offset == size && label == self.label(size) { return }
    }
    let labels = unsafe storedLabels()
    unsafe (labels + (offset + 1)).update(from: labels + offset, count: size - offset)
    unsafe labels[offset] = label
  }

  @inlinable
  func removeLabel(at offset: Int) {
    if unsafe uncheckedHeader.labels == nil {
      if offset == size - 1 { return }
      if offset == 0 { return uncheckedHeader.first &+= RowLabels.step }
    }
    let labels = unsafe storedLabels()
    unsafe (labels + offset).update(from: labels + (offset + 1), count: size - offset - 1)
  }

  /// The offset of the row with a label; nil if there is none.
  @inlinable
  @inline(__always)
  func offset(of label: UInt64) -> Int? {
    if unsafe uncheckedHeader.labels == nil {
      let distance = label &- uncheckedHeader.first
      let offset = distance / RowLabels.step
      return offset < UInt64(size) && distance % RowLabels.step == 0 ? Int(offset) : nil
    }
    return storedOffset(of: label)
  }

  @usableFromInline
  func storedOffset(of label: UInt64) -> Int? {
    let offset = offset(from: label)
    return offset < size && self.label(offset) == label ? offset : nil
  }

  /// The offset of the first row whose label is not smaller.
  @inlinable
  func offset(from label: UInt64) -> Int {
    (0..<size).partitioningIndex { self.label($0) >= label }
  }

  // MARK: Rows

  override func copy(room: Int) -> RowNode {
    let copy = RowLeaf.make(room: room)
    unsafe copy.elements.initialize(from: elements, count: size)
    copy.takeLabels(of: self, from: 0, count: size)
    return copy
  }

  /// Takes the labels of rows that it was given from another leaf, behind its own.
  @inlinable
  func takeLabels(of other: RowLeaf, from offset: Int, count: Int) {
    if size == 0 && count > 0 {
      if let labels = unsafe other.uncheckedHeader.labels {
        unsafe storedLabels().update(from: labels + offset, count: count)
      } else {
        uncheckedHeader.first = other.label(offset)
      }
      return size = count
    }
    for offset in offset..<offset + count {
      insertLabel(other.label(offset), at: size)
      size += 1
    }
  }

  @usableFromInline
  override func split(at offset: Int) -> RowNode {
    let other = RowLeaf.make()
    unsafe other.elements.moveInitialize(from: elements + offset, count: size - offset)
    other.takeLabels(of: self, from: offset, count: size - offset)
    size = offset
    return other
  }

  override func append(_ other: RowNode) {
    let other = unsafe unsafeDowncast(other, to: RowLeaf.self)
    unsafe (elements + size).initialize(from: other.elements, count: other.size)
    takeLabels(of: other, from: 0, count: other.size)
  }

  /// The leaf, or, if it is full, one with more room to which its rows were moved: no other version has the leaf.
  @inlinable
  func withRoom() -> RowLeaf {
    if size < room || size >= Self.capacity { return self }
    let larger = RowLeaf.make(room: Swift.min(size * 2, Self.capacity))
    unsafe larger.elements.moveInitialize(from: elements, count: size)
    larger.takeLabels(of: self, from: 0, count: size)
    size = 0
    return larger
  }

  /// Inserts a row at an offset; there is room for it.
  @inlinable
  func insert(_ element: consuming Element, _ label: UInt64, at offset: Int) {
    unsafe (elements + (offset + 1)).moveInitialize(from: elements + offset, count: size - offset)
    unsafe (elements + offset).initialize(to: element)
    insertLabel(label, at: offset)
    size += 1
  }

  /// Inserts a row at an offset; a full leaf is split before, and what was split from it is returned.
  @inlinable
  func insertOrSplit(
    _ element: consuming Element, _ label: UInt64, at offset: Int, _ change: RowTreeChange
  ) -> RowNode? {
    if size < Self.capacity {
      insert(element, label, at: offset)
      return nil
    }
    // At an end the row comes into a leaf of its own, so that rows that come one by one fill the leaves.
    let place = change == .prepending ? 0 : change == .appending ? size : size / 2
    let other = unsafe unsafeDowncast(split(at: place), to: RowLeaf.self)
    if offset > self.size || self.size == Self.capacity {
      other.insert(element, label, at: offset - self.size)
    } else {
      insert(element, label, at: offset)
    }
    return other
  }

  /// Closes the gap that a row left whose element was taken out.
  @inlinable
  func close(_ offset: Int) {
    removeLabel(at: offset)
    size -= 1
    unsafe (elements + offset).moveInitialize(from: elements + (offset + 1), count: size - offset)
  }

  /// Takes an element out, so that the caller has the only reference to it; `putBack` or `close` has to follow.
  @inlinable
  func takeOut(_ offset: Int) -> Element { unsafe (elements + offset).move() }

  @inlinable
  func putBack(_ element: consuming Element, at offset: Int) {
    unsafe (elements + offset).initialize(to: element)
  }
}

// MARK: Branches

@safe
@usableFromInline
final class RowBranch: RowNode {
  static func make(_ members: some Sequence<RowChild>, room: Int = capacity + 1) -> RowBranch {
    let words = room * MemoryLayout<RowChild>.stride / MemoryLayout<UInt64>.stride
    let node = create(minimumCapacity: words) { _ in RowHeader(room: room) }
    let branch = unsafe unsafeDowncast(node, to: RowBranch.self)
    for member in members { branch.insert(member, at: branch.size) }
    return branch
  }

  deinit {
    unsafe children.deinitialize(count: size)
  }

  @inlinable
  var children: UnsafeMutablePointer<RowChild> {
    unsafe memory.assumingMemoryBound(to: RowChild.self)
  }

  subscript(index: Int) -> RowChild {
    unsafeAddress { unsafe UnsafePointer(children + index) }
    unsafeMutableAddress { unsafe children + index }
  }

  /// A child, which is not retained.
  @inlinable
  func child(_ index: Int) -> Unretained<RowNode> {
    unsafe Unretained(
      unmanaged: UnsafeRawPointer(children + index).load(as: Unmanaged<RowNode>.self))
  }

  override var asChild: RowChild {
    var count = 0
    for index in 0..<size { count += self[index].count }
    return RowChild(node: self, first: self[0].first, count: count)
  }

  override func copy(room: Int) -> RowNode {
    let copy = RowBranch.make([], room: room)
    // One by one: a copy of many asks the runtime, for each, how to copy it.
    for index in 0..<size { unsafe (copy.children + index).initialize(to: self[index]) }
    copy.size = size
    return copy
  }

  override func split(at offset: Int) -> RowNode {
    let other = RowBranch.make([])
    other.size = size - offset
    unsafe other.children.moveInitialize(from: children + offset, count: other.size)
    size = offset
    return other
  }

  override func append(_ other: RowNode) {
    let other = unsafe unsafeDowncast(other, to: RowBranch.self)
    unsafe (children + size).initialize(from: other.children, count: other.size)
    size += other.size
  }

  func insert(_ child: RowChild, at index: Int) {
    unsafe (children + (index + 1)).moveInitialize(from: children + index, count: size - index)
    unsafe (children + index).initialize(to: child)
    size += 1
  }

  func remove(at index: Int) {
    unsafe (children + index).deinitialize(count: 1)
    size -= 1
    unsafe (children + index).moveInitialize(from: children + (index + 1), count: size - index)
  }

  /// The index of the child with a position, which becomes that in the child; the last one for a position too far.
  func index(of position: inout Int, among count: Int) -> Int {
    let start = count - self[size - 1].count
    if position >= start {
      position -= start
      return size - 1
    }
    var index = 0
    while index + 1 < size, case let count = self[index].count, position >= count {
      position -= count
      index += 1
    }
    return index
  }

  /// The index of the child that has a label, if any has.
  func index(of label: UInt64) -> Int {
    if size < 2 || label < self[1].first { return 0 }
    // The labels of rows that were appended are at equal distances, which are powers of two.
    let start = self[0].first
    let shift = (self[1].first &- start).trailingZeroBitCount
    let guess = Int(truncatingIfNeeded: (label &- start) &>> UInt64(truncatingIfNeeded: shift))
    if guess >= 0 && guess < size && self[guess].first <= label
      && (guess &+ 1 == size || label < self[guess &+ 1].first)
    {
      return guess
    }
    var (low, high) = (1, size - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if self[middle].first <= label { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// A child, which no other version has afterwards.
  func unsharedChild(_ index: Int) -> Unretained<RowNode> {
    let place = unsafe children + index
    if unsafe !isOnlyReference(&place.pointee.node) {
      unsafe place.pointee.node = place.pointee.node.copy(room: place.pointee.node.room)
    }
    return child(index)
  }

  // MARK: Limits of size

  /// Restores the limits of size on the unshared path to a label, after its row was inserted or removed, and a leaf may
  /// have been split from that of the label; returns what was split from this branch.
  func repair(
    _ label: UInt64, height: Int, _ change: RowTreeChange, _ splitOff: RowNode?
  ) -> RowNode? {
    let index = index(of: label)
    let child = self[index].node
    var other = splitOff
    if height > 1 { other = child.asBranch.repair(label, height: height - 1, change, splitOff) }
    if child.size == 0 {
      remove(at: index)
    } else if change == .removal && child.size < Self.leastSize && size > 1 {
      join(index == 0 ? 0 : index - 1)
    } else {
      self[index] = child.asChild
    }
    if let other { insert(other.asChild, at: index + 1) }
    return size > Self.capacity ? split(at: change.splitOffset(size)) : nil
  }

  /// Joins a child with the next one, or shares their members evenly if they are too many for one.
  private func join(_ index: Int) {
    let right = self[index + 1].node
    let total = self[index].node.size + right.size
    if total <= Self.capacity {
      _ = unsharedChild(index)
      self[index].node.append(right)
      remove(at: index + 1)
    } else {
      let all = self[index].node.copy(room: total)
      all.append(right)
      self[index + 1] = all.split(at: total / 2).asChild
      self[index].node = all
    }
    self[index] = self[index].node.asChild
  }

  /// Updates what the parents of the leaf with a position know of it; the path is unshared.
  func refresh(_ position: Int, height: Int, count: Int) {
    var position = position
    let index = index(of: &position, among: count)
    if height > 1 {
      self[index].node.asBranch.refresh(position, height: height - 1, count: self[index].count)
    }
    self[index] = self[index].node.asChild
  }

  /// The root of the branches above some leaves, and the number of their levels.
  @usableFromInline
  static func above(_ leaves: ContiguousArray<RowChild>) -> (root: RowNode?, height: Int) {
    var (level, height) = (leaves, 0)
    while level.count > 1 {
      level = ContiguousArray(
        stride(from: 0, to: level.count, by: capacity).map { start in
          RowBranch.make(level[start..<min(start + capacity, level.count)]).asChild
        })
      height += 1
    }
    return (level.first?.node, height)
  }
}

extension RowNode {
  var asBranch: RowBranch { unsafe unsafeDowncast(self, to: RowBranch.self) }
}

/// What was done to a tree whose limits of size are to be restored.
@usableFromInline
enum RowTreeChange {
  case removal
  /// At the front, at the back, or elsewhere.
  case prepending, appending, insertion

  /// Where a node with too many members is split: so that rows that are appended one by one fill the nodes.
  func splitOffset(_ size: Int) -> Int {
    switch self {
    case .prepending: 1
    case .appending: size - 1
    case .insertion, .removal: size / 2
    }
  }
}

@usableFromInline
enum RowLabels {
  /// The distance of the labels of rows that are appended.
  @inlinable static var step: UInt64 { 1 << 32 }
  /// The label of the first row.
  @inlinable static var first: UInt64 { 1 << 62 }

  /// A label between two others, of which nil stands for an end of the rows; nil if none is free.
  @usableFromInline
  static func between(_ former: UInt64?, _ next: UInt64?) -> UInt64? {
    guard former != nil || next != nil else { return first }
    let (low, high) = (former ?? 0, next ?? .max)
    let distance = min(step, (high - low) / 2)
    if distance == 0 { return nil }
    return former == nil ? high - distance : low + distance
  }
}
