// A persistent sequence of rows: a B-tree with counts, whose rows have labels that ascend.
//
// 1. Leaves hold up to 32 rows, in order; branches hold up to 32 nodes. All leaves are at one depth.
// 2. A *label* is a number that a row keeps while others come and go around it. Labels ascend with the positions, so a
//    row is found by either, in O(log n). The index by id, `HashIndex`, holds labels: a shared leaf has no way up to a
//    position.
// 3. A copy shares all nodes. A change makes the path from the root to its leaf unique (`unshare`): it copies the nodes
//    that another version has, and edits the others in place. Versions are compared by the nodes that they do not
//    share.
// 4. A node that has too many or too few members is split or joined on the way up (`repair`).
// 5. Where no label is free between two rows, those around them are spread (`Entities.respread`).
//
// Memory decides the time of large collections. So a node and its members are one allocation, and leaves that are made
// together lie side by side. Where rows came one by one, leaves lie apart, and reading in order takes longer.
internal import LensedThread

/// Rows in order, in a form whose versions share what they have in common.
@usableFromInline
struct RowTree<Element> {
  /// Nil for no rows.
  @usableFromInline var root: RowNode?
  /// The number of branches above a leaf.
  @usableFromInline var height = 0
  @usableFromInline var count = 0

  init() {}

  @usableFromInline
  init(root: RowNode?, height: Int, count: Int) {
    (self.root, self.height, self.count) = (root, height, count)
  }
}

// A node that two threads can reach has two references, and is copied before it is edited.
extension RowTree: @unchecked Sendable where Element: Sendable {}

/// Where a row lies, while the tree that it is in lives and is not changed.
@usableFromInline
struct RowPlace<Element> {
  @usableFromInline let leaf: Unretained<RowLeaf<Element>>
  @usableFromInline let offset: Int

  @inlinable
  init(_ leaf: Unretained<RowLeaf<Element>>, _ offset: Int) {
    (self.leaf, self.offset) = (leaf, offset)
  }

  /// The element; only a caller that has unshared its path may write it.
  @inlinable
  var element: Element {
    unsafeAddress { unsafe UnsafePointer(address) }
    nonmutating unsafeMutableAddress { unsafe address }
  }

  @inlinable
  var address: UnsafeMutablePointer<Element> {
    unsafe leaf.reference._withUnsafeGuaranteedRef { leaf in unsafe leaf.elements + offset }
  }

  @inlinable
  var label: UInt64 { leaf.lend { $0.label(offset) } }

  /// Takes the element out, so that the caller has the only reference to it; `putBack`, or `close` of the tree,
  /// follows.
  @inlinable
  func takeOut() -> Element { leaf.lend { $0.takeOut(offset) } }

  @inlinable
  func putBack(_ element: Element) { leaf.lend { $0.putBack(element, at: offset) } }
}

// MARK: Paths

/// The ways from a root down, which is given as it is stored: a copy of it would be counted.
@usableFromInline
enum RowPaths {
  /// The leaf with a position, which becomes the offset in it.
  @usableFromInline
  static func leaf(
    below root: RowNode?, at position: inout Int, height: Int, count: Int
  ) -> Unretained<RowNode>? {
    guard let root else { return nil }
    var (node, offset, count) = (Unretained<RowNode>(root), position, count)
    for _ in 0..<height {
      node = node.known(as: RowBranch.self).lend { branch in
        let index = branch.index(of: &offset, among: count)
        count = branch[index].count
        return branch.child(index)
      }
    }
    position = offset
    return node
  }

  @usableFromInline
  static func leaf(below root: RowNode?, of label: UInt64, height: Int) -> Unretained<RowNode>? {
    guard let root else { return nil }
    var (node, height) = (Unretained<RowNode>(root), height)
    while height > 0 {
      node = node.known(as: RowBranch.self).lend { $0.child($0.index(of: label)) }
      height &-= 1
    }
    return node
  }

  /// The position of the first row of the leaf that has a label, if any has.
  @usableFromInline
  static func position(below root: RowNode?, ofLeafOf label: UInt64, height: Int) -> Int {
    guard let root else { return 0 }
    var (node, position) = (Unretained<RowNode>(root), 0)
    for _ in 0..<height {
      node = node.known(as: RowBranch.self).lend { branch in
        let index = branch.index(of: label)
        for former in 0..<index { position += branch[former].count }
        return branch.child(index)
      }
    }
    return position
  }

  /// Unshares the path to the leaf that has a label, if any has, and adds a number to the counts on it.
  @usableFromInline
  static func unshare(
    _ root: inout RowNode?, pathTo label: UInt64, height: Int, adding number: Int = 0
  ) -> Unretained<RowNode>? {
    guard var node = unshare(&root) else { return nil }
    for _ in 0..<height {
      node = node.known(as: RowBranch.self).lend { branch in
        let index = branch.index(of: label)
        if number != 0 { branch[index].count += number }
        return branch.unsharedChild(index)
      }
    }
    return node
  }

  /// Unshares the path to the leaf with a position, and adds a number to the counts on it.
  @usableFromInline
  static func unshare(
    _ root: inout RowNode?, pathTo position: inout Int, height: Int, count: Int,
    adding number: Int
  ) -> Unretained<RowNode>? {
    guard var node = unshare(&root) else { return nil }
    var (offset, count) = (position, count)
    for _ in 0..<height {
      node = node.known(as: RowBranch.self).lend { branch in
        let index = branch.index(of: &offset, among: count)
        count = branch[index].count
        if number != 0 { branch[index].count += number }
        return branch.unsharedChild(index)
      }
    }
    position = offset
    return node
  }

  private static func unshare(_ root: inout RowNode?) -> Unretained<RowNode>? {
    if !isOnlyReference(&root) { root = root.map { $0.copy(room: $0.room) } }
    return root.map { Unretained($0) }
  }

  /// Restores the limits of size on the path to a label, from whose leaf one may have been split, and the height.
  @usableFromInline
  static func repair(
    _ root: inout RowNode?, _ label: UInt64, height: inout Int, _ change: RowTreeChange,
    splitOff: RowNode? = nil
  ) {
    guard var node = root else { return }
    var other = splitOff
    if height > 0 { other = node.asBranch.repair(label, height: height, change, splitOff) }
    if let other {
      node = RowBranch.make([node.asChild, other.asChild])
      height += 1
    }
    while height > 0 && node.size == 1 {
      node = node.asBranch[0].node
      height -= 1
    }
    root = node.size == 0 ? nil : node
    if root == nil { height = 0 }
  }

  /// Updates what the parents of the leaf with a position know of it; the path is unshared.
  static func refresh(_ root: RowNode?, _ position: Int, height: Int, count: Int) {
    if height > 0 { root?.asBranch.refresh(position, height: height, count: count) }
  }
}

// MARK: Reading

extension RowTree {
  @inlinable
  func place(at position: Int) -> RowPlace<Element> {
    var offset = position
    guard let leaf = RowPaths.leaf(below: root, at: &offset, height: height, count: count)
    else { fatalError("Lensed: a row of none was read; this is a fault of Lensed.") }
    return RowPlace(leaf.known(as: RowLeaf<Element>.self), offset)
  }

  /// Where the row with a label lies; nil if there is none.
  @inlinable
  func place(of label: UInt64) -> RowPlace<Element>? {
    guard let node = RowPaths.leaf(below: root, of: label, height: height) else { return nil }
    let leaf = node.known(as: RowLeaf<Element>.self)
    return leaf.lend { $0.offset(of: label) }.map { RowPlace(leaf, $0) }
  }

  /// The position of the row with a label; nil if there is none.
  @inlinable
  func position(of label: UInt64) -> Int? {
    guard let offset = place(of: label)?.offset else { return nil }
    return RowPaths.position(below: root, ofLeafOf: label, height: height) + offset
  }

  /// The number of rows whose labels are smaller.
  @inlinable
  func rank(of label: UInt64) -> Int {
    guard let leaf = RowPaths.leaf(below: root, of: label, height: height) else { return 0 }
    return RowPaths.position(below: root, ofLeafOf: label, height: height)
      + leaf.known(as: RowLeaf<Element>.self).lend { $0.offset(from: label) }
  }

  @inlinable
  subscript(position: Int) -> Element { withExtendedLifetime(self) { place(at: position).element } }

  /// The label of a position; nil where there is no such position.
  @inlinable
  func label(at position: Int) -> UInt64? {
    position < 0 || position >= count ? nil : place(at: position).label
  }
}

// MARK: Changing

extension RowTree {
  /// Where the row with a label lies, for writing; nil if there is none.
  @inlinable
  mutating func unsharedPlace(of label: UInt64) -> RowPlace<Element>? {
    guard let node = RowPaths.unshare(&root, pathTo: label, height: height) else { return nil }
    let leaf = node.known(as: RowLeaf<Element>.self)
    return leaf.lend { $0.offset(of: label) }.map { RowPlace(leaf, $0) }
  }

  /// Where the row with a position lies, for writing.
  @inlinable
  mutating func unsharedPlace(at position: Int, adding number: Int = 0) -> RowPlace<Element> {
    var offset = position
    let path = RowPaths.unshare(
      &root, pathTo: &offset, height: height, count: count, adding: number)
    guard let leaf = path
    else { fatalError("Lensed: a row of none was written; this is a fault of Lensed.") }
    return RowPlace(leaf.known(as: RowLeaf<Element>.self), offset)
  }

  /// Inserts a row at a position; the label fits between those of its neighbours.
  @inlinable
  mutating func insert(_ element: Element, _ label: UInt64, at position: Int) {
    if root == nil {
      let leaf = RowLeaf<Element>.make(room: 4)
      leaf.insert(element, label, at: 0)
      (root, count) = (leaf, 1)
      return
    }
    if height == 0 { makeRoom() }
    // Between two leaves a row joins the former one.
    let isFirst = position == 0
    let place = unsharedPlace(at: isFirst ? 0 : position - 1, adding: 1)
    let change: RowTreeChange =
      position == count ? .appending : isFirst ? .prepending : .insertion
    let splitOff = place.leaf.lend { leaf in
      leaf.insertOrSplit(element, label, at: isFirst ? 0 : place.offset + 1, change)
    }
    count += 1
    if !isFirst && splitOff == nil { return }
    RowPaths.repair(&root, label, height: &height, change, splitOff: splitOff)
  }

  /// Makes room for a row in a leaf that is the root.
  @inlinable
  mutating func makeRoom() {
    guard let node = RowPaths.unshare(&root, pathTo: 0, height: 0) else { return }
    root = node.known(as: RowLeaf<Element>.self).lend { $0.withRoom() }
  }

  @inlinable
  mutating func remove(at position: Int) -> (element: Element, label: UInt64) {
    let place = unsharedPlace(at: position, adding: -1)
    let label = place.label
    let element = place.leaf.lend { leaf in
      let element = leaf.takeOut(place.offset)
      leaf.close(place.offset)
      return element
    }
    count -= 1
    if place.offset == 0 || place.leaf.lend({ $0.size < RowNode.leastSize }) {
      RowPaths.repair(&root, label, height: &height, .removal)
    }
    return (element, label)
  }

  /// Removes a row whose element was taken out of its leaf; the path to it is unshared.
  @inlinable
  mutating func close(_ place: RowPlace<Element>, _ label: UInt64) {
    // The leaf is not looked at after the path was unshared, which may have copied it.
    let isSmall = place.leaf.lend { leaf in
      leaf.close(place.offset)
      return leaf.size < RowNode.leastSize
    }
    count -= 1
    _ = RowPaths.unshare(&root, pathTo: label, height: height, adding: -1)
    if place.offset == 0 || isSmall {
      RowPaths.repair(&root, label, height: &height, .removal)
    }
  }

  /// Gives the rows at some positions new labels, leaf by leaf; what is not among them fits around the new ones.
  mutating func setLabels(
    _ positions: Range<Int>, to label: (_ position: Int) -> UInt64,
    _ body: (_ element: Element, _ former: UInt64, _ label: UInt64) -> Void
  ) {
    var position = positions.lowerBound
    while position < positions.upperBound {
      let (start, place) = (position, unsharedPlace(at: position))
      place.leaf.lend { leaf in
        for offset in place
          .offset..<Swift.min(leaf.size, place.offset + positions.upperBound - start)
        {
          let (former, label) = (leaf.label(offset), label(position))
          body(leaf[offset], former, label)
          leaf.setLabel(label, offset)
          position += 1
        }
      }
      RowPaths.refresh(root, start, height: height, count: count)
    }
  }
}

// MARK: In order

extension RowTree {
  /// Hands out the rows in order, leaf by leaf.
  @safe
  @usableFromInline
  struct Iterator: IteratorProtocol {
    @usableFromInline let tree: RowTree
    /// The next row of the leaf, and the end of its rows.
    @usableFromInline var row: UnsafeMutablePointer<Element>?
    @usableFromInline var end: UnsafeMutablePointer<Element>?
    /// The position of the first row of the next leaf.
    @usableFromInline var start = 0
    /// The branch above the leaf, and the index of the next leaf in it.
    @usableFromInline var branch: Unretained<RowBranch>?
    @usableFromInline var index = 0

    @inlinable
    init(_ tree: RowTree) { self.tree = tree }

    @inlinable
    mutating func next() -> Element? {
      if unsafe row == end && !goOn() { return nil }
      // Where there is an end, there is a row before it.
      let place = unsafe row.unsafelyUnwrapped
      unsafe row = place + 1
      return withExtendedLifetime(tree) { unsafe place.pointee }
    }

    @inlinable
    mutating func goOn() -> Bool {
      if start == tree.count { return false }
      nextLeaf().known(as: RowLeaf<Element>.self).lend { leaf in
        unsafe row = leaf.elements
        unsafe end = leaf.elements + leaf.size
        start += leaf.size
      }
      fetchAhead()
      return true
    }

    /// Begins to fetch the leaf behind the present one: leaves lie anywhere in memory.
    @usableFromInline
    func fetchAhead() { branch?.lend { if index < $0.size { lensed_fetch($0.child(index).bits) } } }

    @inlinable
    mutating func nextLeaf() -> Unretained<RowNode> {
      if branch == nil || branch?.lend({ $0.size }) == index { enterNextBranch() }
      defer { index += 1 }
      guard let leaf = branch?.lend({ $0.child(index) }) ?? tree.root.map({ Unretained($0) }) else {
        fatalError("Lensed: a row of none was read; this is a fault of Lensed.")
      }
      return leaf
    }

    /// Finds the branch above the next leaf; there is none above a root.
    @usableFromInline
    mutating func enterNextBranch() {
      if tree.height == 0 { return }
      var position = start
      branch = RowPaths.leaf(
        below: tree.root, at: &position, height: tree.height - 1, count: tree.count)?
        .known(as: RowBranch.self)
      index = 0
    }
  }
}

extension RowTree {
  @inlinable
  func forEachRow(_ body: (Element, UInt64) -> Void) {
    var start = 0
    while start < count {
      start += place(at: start).leaf.lend { leaf in
        for offset in 0..<leaf.size { body(leaf[offset], leaf.label(offset)) }
        return leaf.size
      }
    }
  }
}

extension RowTree: Sequence {
  @inlinable
  func makeIterator() -> Iterator { Iterator(self) }
}

// It reads nodes, which its tree keeps as they are.
extension RowTree.Iterator: @unchecked Sendable where Element: Sendable {}

// MARK: Made in order

/// Makes a tree of rows that come in order.
@usableFromInline
struct RowTreeBuilder<Element> {
  @usableFromInline var leaf: RowLeaf<Element>?
  @usableFromInline var leaves: ContiguousArray<RowChild> = []
  @usableFromInline var count = 0

  @inlinable
  init() {}

  /// Appends a row with the next label of rows that are appended.
  @inlinable
  mutating func append(_ element: Element) {
    append(element, RowLabels.first + RowLabels.step * UInt64(count))
  }

  @inlinable
  mutating func append(_ element: Element, _ label: UInt64) {
    if leaf?.size == RowNode.capacity { flush() }
    leaf = leaf?.withRoom() ?? .make(room: count == 0 ? 4 : RowNode.capacity)
    leaf?.insert(element, label, at: leaf?.size ?? 0)
    count += 1
  }

  @inlinable
  mutating func flush() {
    guard let leaf else { return }
    leaves.append(RowChild(node: leaf, first: leaf.label(0), count: leaf.size))
    self.leaf = nil
  }

  @inlinable
  consuming func finish() -> RowTree<Element> {
    flush()
    let (root, height) = RowBranch.above(leaves)
    return RowTree(root: root, height: height, count: count)
  }
}
