// The nodes of a `RowTree`.
//
// Mutable state: that of nodes. A node is written only by who has found, on the way from a root that it has
// exclusively, that each reference on the path is the only one. Hence nodes are `Sendable` where rows are.

/// A node of a `RowTree`: a `RowLeaf`, or a `RowBranch`.
@usableFromInline
class RowNode: @unchecked Sendable {
  /// How many members a node has at most.
  @inlinable static var capacity: Int { 32 }
  /// How many it has at least, once something was removed from it, unless it is the only one.
  @inlinable static var leastSize: Int { 8 }

  // Accesses of nodes never overlap: who writes one has it exclusively.
  @exclusivity(unchecked) @usableFromInline final var uncheckedSize = 0

  /// The number of its members: rows, or nodes.
  @inlinable final var size: Int {
    get { unsafe uncheckedSize }
    set { unsafe uncheckedSize = newValue }
  }

  @usableFromInline
  init() {}

  /// The node as its parent knows it.
  var asChild: RowChild { abstract() }

  @usableFromInline
  func copy() -> RowNode { abstract() }

  /// Moves the members from an offset on into a new node.
  func split(at offset: Int) -> RowNode { abstract() }

  /// Appends the members of another node, as many as there is room for.
  func append(_ other: RowNode) { abstract() }

  private func abstract() -> Never {
    fatalError("Lensed: a node of rows without members; this is a fault of Lensed.")
  }
}

/// Whether a reference is the only one, so that its object may be written.
///
/// The other threads that had one have released it, which the thread sanitizer does not see: the runtime counts
/// references where it does not look. So under `-D TSAN` each object counts as shared.
func isOnlyReference<Object: AnyObject>(_ reference: inout Object) -> Bool {
  #if TSAN
    false
  #else
    isKnownUniquelyReferenced(&reference)
  #endif
}

/// A node, as its parent knows it.
@usableFromInline
struct RowChild: Sendable {
  // The node is first, so that it can be read without being retained.
  @usableFromInline var node: RowNode
  /// The label of its first row.
  @usableFromInline var first: UInt64
  /// The number of its rows.
  @usableFromInline var count: Int

  @usableFromInline
  init(node: RowNode, first: UInt64, count: Int) {
    (self.node, self.first, self.count) = (node, first, count)
  }
}

// MARK: Leaves

/// Some rows that follow each other, and their labels.
@safe
@usableFromInline
final class RowLeaf<Element>: RowNode, @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var elements: UnsafeMutablePointer<Element>
  @exclusivity(unchecked) @usableFromInline var labels: UnsafeMutablePointer<UInt64>
  @exclusivity(unchecked) @usableFromInline var uncheckedRoom: Int

  /// How many rows the memory has room for.
  @inlinable var room: Int {
    get { unsafe uncheckedRoom }
    set { unsafe uncheckedRoom = newValue }
  }

  @inlinable
  init(room: Int) {
    unsafe uncheckedRoom = room
    unsafe elements = .allocate(capacity: room)
    unsafe labels = .allocate(capacity: room)
    super.init()
  }

  deinit {
    unsafe elements.deinitialize(count: size)
    unsafe elements.deallocate()
    unsafe labels.deallocate()
  }

  /// The element at an offset.
  @inlinable
  subscript(offset: Int) -> Element {
    unsafeAddress { unsafe UnsafePointer(elements + offset) }
    unsafeMutableAddress { unsafe elements + offset }
  }

  @inlinable
  func label(_ offset: Int) -> UInt64 { unsafe labels[offset] }

  @inlinable
  func setLabel(_ label: UInt64, _ offset: Int) { unsafe labels[offset] = label }

  override var asChild: RowChild { RowChild(node: self, first: label(0), count: size) }

  @inlinable
  override func copy() -> RowNode {
    let copy = RowLeaf(room: room)
    unsafe copy.elements.initialize(from: elements, count: size)
    unsafe copy.labels.initialize(from: labels, count: size)
    copy.size = size
    return copy
  }

  override func split(at offset: Int) -> RowNode {
    let other = RowLeaf(room: Self.capacity + 1)
    other.size = size - offset
    unsafe other.elements.moveInitialize(from: elements + offset, count: other.size)
    unsafe other.labels.initialize(from: labels + offset, count: other.size)
    size = offset
    return other
  }

  override func append(_ other: RowNode) {
    let other = unsafe unsafeDowncast(other, to: RowLeaf.self)
    makeRoom(size + other.size)
    unsafe (elements + size).initialize(from: other.elements, count: other.size)
    unsafe (labels + size).initialize(from: other.labels, count: other.size)
    size += other.size
  }

  @inlinable
  func makeRoom(_ number: Int) {
    if number <= room { return }
    let (formerElements, formerLabels) = unsafe (elements, labels)
    room = number
    unsafe elements = .allocate(capacity: room)
    unsafe labels = .allocate(capacity: room)
    unsafe elements.moveInitialize(from: formerElements, count: size)
    unsafe labels.initialize(from: formerLabels, count: size)
    unsafe formerElements.deallocate()
    unsafe formerLabels.deallocate()
  }

  @inlinable
  func append(_ element: Element, _ label: UInt64) {
    insert(element, label, at: size)
  }

  @inlinable
  func insert(_ element: consuming Element, _ label: UInt64, at offset: Int) {
    if size == room { makeRoom(Swift.min(Swift.max(4, size * 2), Self.capacity + 1)) }
    open(offset, label)
    unsafe (elements + offset).initialize(to: element)
  }

  /// Makes a gap for a row at an offset; its element is not there yet.
  @inlinable
  func open(_ offset: Int, _ label: UInt64) {
    unsafe (elements + (offset + 1)).moveInitialize(from: elements + offset, count: size - offset)
    unsafe (labels + (offset + 1)).update(from: labels + offset, count: size - offset)
    unsafe labels[offset] = label
    size += 1
  }

  /// Closes the gap that a row left whose element was taken out.
  @inlinable
  func close(_ offset: Int) {
    size -= 1
    unsafe (elements + offset).moveInitialize(from: elements + (offset + 1), count: size - offset)
    unsafe (labels + offset).update(from: labels + (offset + 1), count: size - offset)
  }

  /// Takes an element out, so that the caller has the only reference to it; `putBack` or `close` has to follow.
  @inlinable
  func takeOut(_ offset: Int) -> Element { unsafe (elements + offset).move() }

  @inlinable
  func putBack(_ element: consuming Element, at offset: Int) {
    unsafe (elements + offset).initialize(to: element)
  }

  /// The offset of the row with a label; nil if there is none.
  @inlinable
  func offset(of label: UInt64) -> Int? {
    // Rows that were appended have labels at equal distances.
    let guess = Int(truncatingIfNeeded: (label &- self.label(0)) / RowLabels.step)
    if guess < size && self.label(guess) == label { return guess }
    let offset = offset(from: label)
    return offset < size && self.label(offset) == label ? offset : nil
  }

  /// The offset of the first row whose label is not smaller.
  @inlinable
  func offset(from label: UInt64) -> Int {
    var (low, high) = (0, size)
    while low < high {
      let middle = (low + high) / 2
      if self.label(middle) < label { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

// MARK: Branches

/// Some nodes that follow each other.
@safe
@usableFromInline
final class RowBranch: RowNode, @unchecked Sendable {
  private let children: UnsafeMutablePointer<RowChild>

  override init() {
    unsafe children = .allocate(capacity: Self.capacity * 2)
    super.init()
  }

  @usableFromInline
  convenience init(_ members: some Sequence<RowChild>) {
    self.init()
    for member in members { insert(member, at: size) }
  }

  deinit {
    unsafe children.deinitialize(count: size)
    unsafe children.deallocate()
  }

  /// The child with an index.
  subscript(index: Int) -> RowChild {
    unsafeAddress { unsafe UnsafePointer(children + index) }
    unsafeMutableAddress { unsafe children + index }
  }

  /// A child, which is not retained.
  @usableFromInline
  func child(_ index: Int) -> Unretained<RowNode> {
    unsafe Unretained(
      unmanaged: UnsafeRawPointer(children + index).load(as: Unmanaged<RowNode>.self))
  }

  override var asChild: RowChild {
    var count = 0
    for index in 0..<size { count += self[index].count }
    return RowChild(node: self, first: self[0].first, count: count)
  }

  @usableFromInline
  override func copy() -> RowNode {
    let copy = RowBranch()
    unsafe copy.children.initialize(from: children, count: size)
    copy.size = size
    return copy
  }

  override func split(at offset: Int) -> RowNode {
    let other = RowBranch()
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
  @usableFromInline
  func index(of position: inout Int) -> Int {
    var index = 0
    while index + 1 < size, case let count = self[index].count, position >= count {
      position -= count
      index += 1
    }
    return index
  }

  /// The index of the child that has a label, if any has.
  @usableFromInline
  func index(of label: UInt64) -> Int {
    if size < 2 || label < self[1].first { return 0 }
    // The labels of rows that were appended are at equal distances, which are powers of two.
    let shift = (self[1].first - self[0].first).trailingZeroBitCount
    let distance = (label - self[0].first) >> UInt64(shift)
    if distance < UInt64(size), case let guess = Int(distance), self[guess].first <= label,
      guess + 1 == size || label < self[guess + 1].first
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

  /// A child, which nobody else has afterwards.
  func unsharedChild(_ index: Int) -> Unretained<RowNode> {
    let place = unsafe children + index
    if unsafe !isOnlyReference(&place.pointee.node) {
      unsafe place.pointee.node = place.pointee.node.copy()
    }
    return child(index)
  }

  // MARK: Limits of size

  /// Restores the limits of size on the path to a label, after its row was inserted or removed; all nodes of the path
  /// are unshared.
  func repair(_ label: UInt64, height: Int, _ change: RowTreeChange) {
    let index = index(of: label)
    let child = self[index].node
    if height > 1 { child.asBranch.repair(label, height: height - 1, change) }
    let size = child.size
    if size == 0 { return remove(at: index) }
    if size > Self.capacity {
      insert(child.split(at: change.splitOffset(size)).asChild, at: index + 1)
    } else if change == .removal && size < Self.leastSize && self.size > 1 {
      return join(index == 0 ? 0 : index - 1)
    }
    self[index] = child.asChild
  }

  /// Joins a child with the next one, or shares their members evenly if they are too many for one.
  private func join(_ index: Int) {
    _ = unsharedChild(index)
    let (left, right) = (self[index].node, self[index + 1].node)
    left.append(right)
    if left.size > Self.capacity {
      self[index + 1] = left.split(at: left.size / 2).asChild
    } else {
      remove(at: index + 1)
    }
    self[index] = left.asChild
  }

  /// Updates what the parents of the leaf with a position know of it; the path is unshared.
  func refresh(_ position: Int, height: Int) {
    var position = position
    let index = index(of: &position)
    if height > 1 { self[index].node.asBranch.refresh(position, height: height - 1) }
    self[index] = self[index].node.asChild
  }

  /// The root of the branches above some leaves, and the number of their levels.
  @usableFromInline
  static func above(_ leaves: ContiguousArray<RowChild>) -> (root: RowNode?, height: Int) {
    var (level, height) = (leaves, 0)
    while level.count > 1 {
      level = ContiguousArray(
        stride(from: 0, to: level.count, by: capacity).map { start in
          RowBranch(level[start..<min(start + capacity, level.count)]).asChild
        })
      height += 1
    }
    return (level.first?.node, height)
  }
}

extension RowNode {
  @usableFromInline
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

/// The labels of rows.
@usableFromInline
enum RowLabels {
  /// The distance of the labels of rows that are appended.
  @inlinable static var step: UInt64 { 1 << 32 }
  /// The label of the first row.
  @inlinable static var first: UInt64 { 1 << 62 }

  /// A label between two others, or nil if none is free.
  ///
  /// Nil stands for an end of the rows.
  @usableFromInline
  static func between(_ former: UInt64?, _ next: UInt64?) -> UInt64? {
    guard former != nil || next != nil else { return first }
    let (low, high) = (former ?? 0, next ?? .max)
    let distance = min(step, (high - low) / 2)
    if distance == 0 { return nil }
    return former == nil ? high - distance : low + distance
  }
}
