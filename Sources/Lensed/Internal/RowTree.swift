// A persistent sequence of rows: a B-tree with counts, whose rows have labels that ascend.
//
// 1. Leaves hold up to 32 rows, in order; branches hold up to 32 nodes. All leaves are at one depth.
// 2. A *label* is a number that a row keeps while others come and go around it. Labels ascend with the positions, so
//    a row is found by its label as by its position, in O(log n), and a hash index may lead to it.
// 3. A copy shares all nodes. A change makes the path from the root to its leaf unique (`unshare`): it copies the
//    nodes that somebody else has, and edits the others in place. Two versions are compared by the nodes that they
//    do not share.
// 4. A node that has too many or too few members is split or joined on the way up (`repair`).
// 5. Where no label is free between two rows, those around them are spread (`Entities.respread`).

/// Rows in order, in a form whose versions share what they have in common.
@usableFromInline
struct RowTree<Element> {
  /// Nil for no rows.
  @usableFromInline var root: RowNode?
  /// The number of branches above a leaf.
  @usableFromInline var height = 0
  @usableFromInline var count = 0

  @inlinable
  init() {}

  @usableFromInline
  init(root: RowNode?, height: Int, count: Int) {
    (self.root, self.height, self.count) = (root, height, count)
  }
}

extension RowTree: Sendable where Element: Sendable {}

/// Where a row lies, while the tree that it is in lives and is not changed.
@usableFromInline
struct RowPlace<Element> {
  @usableFromInline let leaf: Unretained<RowLeaf<Element>>
  @usableFromInline let offset: Int

  @inlinable
  init(_ leaf: Unretained<RowLeaf<Element>>, _ offset: Int) {
    (self.leaf, self.offset) = (leaf, offset)
  }

  /// The element; only who has unshared its path may write it.
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

  /// Takes the element out, so that the caller has the only reference to it; `putBack`, or `close` of the tree, follows.
  @inlinable
  func takeOut() -> Element { leaf.lend { $0.takeOut(offset) } }

  @inlinable
  func putBack(_ element: Element) { leaf.lend { $0.putBack(element, at: offset) } }
}

// MARK: Paths

extension RowNode {
  /// The leaf below with a position, which becomes the offset in it.
  @usableFromInline
  func leaf(at position: inout Int, height: Int) -> Unretained<RowNode> {
    var (node, offset) = (Unretained<RowNode>(self), position)
    for _ in 0..<height {
      node = node.known(as: RowBranch.self).lend { $0.child($0.index(of: &offset)) }
    }
    position = offset
    return node
  }

  /// The leaf below that has a label, if any has.
  @usableFromInline
  func leaf(of label: UInt64, height: Int) -> Unretained<RowNode> {
    var node = Unretained<RowNode>(self)
    for _ in 0..<height {
      node = node.known(as: RowBranch.self).lend { $0.child($0.index(of: label)) }
    }
    return node
  }

  /// The position of the first row of the leaf that has a label, if any has.
  @usableFromInline
  func position(ofLeafOf label: UInt64, height: Int) -> Int {
    var (node, position) = (Unretained<RowNode>(self), 0)
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
    _ root: inout RowNode?, pathTo position: inout Int, height: Int, adding number: Int
  ) -> Unretained<RowNode>? {
    guard var node = unshare(&root) else { return nil }
    var offset = position
    for _ in 0..<height {
      node = node.known(as: RowBranch.self).lend { branch in
        let index = branch.index(of: &offset)
        if number != 0 { branch[index].count += number }
        return branch.unsharedChild(index)
      }
    }
    position = offset
    return node
  }

  private static func unshare(_ root: inout RowNode?) -> Unretained<RowNode>? {
    guard var node = root.take() else { return nil }
    if !isOnlyReference(&node) { node = node.copy() }
    root = node
    return Unretained(node)
  }

  /// Restores the limits of size on the path to a label, and the height.
  @usableFromInline
  static func repair(
    _ root: inout RowNode?, _ label: UInt64, height: inout Int, _ change: RowTreeChange
  ) {
    guard var node = root else { return }
    if height > 0 { node.asBranch.repair(label, height: height, change) }
    if node.size > capacity {
      let other = node.split(at: change.splitOffset(node.size))
      node = RowBranch([node.asChild, other.asChild])
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
  @usableFromInline
  func refreshPath(_ position: Int, height: Int) {
    if height > 0 { asBranch.refresh(position, height: height) }
  }
}

// MARK: Reading

extension RowTree {
  /// Where the row with a position lies.
  @inlinable
  func place(at position: Int) -> RowPlace<Element> {
    guard let root else { fatalError("Lensed: a row of none was read; this is a fault of Lensed.") }
    var offset = position
    let leaf = root.leaf(at: &offset, height: height)
    return RowPlace(leaf.known(as: RowLeaf<Element>.self), offset)
  }

  /// Where the row with a label lies; nil if there is none.
  @inlinable
  func place(of label: UInt64) -> RowPlace<Element>? {
    guard let root else { return nil }
    let leaf = root.leaf(of: label, height: height).known(as: RowLeaf<Element>.self)
    return leaf.lend { $0.offset(of: label) }.map { RowPlace(leaf, $0) }
  }

  /// The position of the row with a label; nil if there is none.
  @inlinable
  func position(of label: UInt64) -> Int? {
    guard let root, let offset = place(of: label)?.offset else { return nil }
    return root.position(ofLeafOf: label, height: height) + offset
  }

  /// The number of rows whose labels are smaller.
  @inlinable
  func rank(of label: UInt64) -> Int {
    guard let root else { return 0 }
    let leaf = root.leaf(of: label, height: height).known(as: RowLeaf<Element>.self)
    return root.position(ofLeafOf: label, height: height) + leaf.lend { $0.offset(from: label) }
  }

  @inlinable
  subscript(position: Int) -> Element {
    withExtendedLifetime(self) { place(at: position).element }
  }

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
    guard let node = RowNode.unshare(&root, pathTo: label, height: height) else { return nil }
    let leaf = node.known(as: RowLeaf<Element>.self)
    return leaf.lend { $0.offset(of: label) }.map { RowPlace(leaf, $0) }
  }

  /// Where the row with a position lies, for writing.
  @inlinable
  mutating func unsharedPlace(at position: Int, adding number: Int = 0) -> RowPlace<Element> {
    var offset = position
    guard let leaf = RowNode.unshare(&root, pathTo: &offset, height: height, adding: number)
    else { fatalError("Lensed: a row of none was written; this is a fault of Lensed.") }
    return RowPlace(leaf.known(as: RowLeaf<Element>.self), offset)
  }

  /// Inserts a row at a position; the label fits between those of its neighbours.
  @inlinable
  mutating func insert(_ element: Element, _ label: UInt64, at position: Int) {
    if root == nil {
      let leaf = RowLeaf<Element>(room: 4)
      leaf.append(element, label)
      (root, count) = (leaf, 1)
      return
    }
    // Between two leaves a row joins the former one.
    let isFirst = position == 0
    let place = unsharedPlace(at: isFirst ? 0 : position - 1, adding: 1)
    let isFull = place.leaf.lend { leaf in
      leaf.insert(element, label, at: isFirst ? 0 : place.offset + 1)
      return leaf.size > RowNode.capacity
    }
    count += 1
    if !isFirst && !isFull { return }
    RowNode.repair(
      &root, label, height: &height,
      position == count - 1 ? .appending : isFirst ? .prepending : .insertion)
  }

  /// Removes the row at a position.
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
      RowNode.repair(&root, label, height: &height, .removal)
    }
    return (element, label)
  }

  /// Removes a row whose element was taken out of its leaf; the path to it is unshared.
  @inlinable
  mutating func close(_ place: RowPlace<Element>, _ label: UInt64) {
    place.leaf.lend { $0.close(place.offset) }
    count -= 1
    _ = RowNode.unshare(&root, pathTo: label, height: height, adding: -1)
    RowNode.repair(&root, label, height: &height, .removal)
  }

  /// Gives the row at a position another label; those around it follow.
  @inlinable
  mutating func setLabel(_ label: UInt64, at position: Int) {
    let place = unsharedPlace(at: position)
    place.leaf.lend { $0.setLabel(label, place.offset) }
    if place.offset == 0 { root?.refreshPath(position, height: height) }
  }
}

// MARK: In order

extension RowTree {
  /// Hands out the rows in order, and reads leaf by leaf.
  @usableFromInline
  struct Iterator: IteratorProtocol {
    @usableFromInline let tree: RowTree
    /// The leaf, which the tree keeps.
    @usableFromInline var leaf: Unretained<RowLeaf<Element>>?
    @usableFromInline var offset = 0
    @usableFromInline var end = 0
    /// The position of the first row of the next leaf.
    @usableFromInline var start = 0
    /// The branch above the leaf, and the index of the next leaf in it.
    @usableFromInline var branch: Unretained<RowBranch>?
    @usableFromInline var index = 0

    @inlinable
    init(_ tree: RowTree) { self.tree = tree }

    @inlinable
    mutating func next() -> Element? {
      if offset == end && !goOn() { return nil }
      defer { offset += 1 }
      return withExtendedLifetime(tree) { leaf?.lend { $0[offset] } }
    }

    @inlinable
    mutating func goOn() -> Bool {
      if start == tree.count { return false }
      let leaf = nextLeaf().known(as: RowLeaf<Element>.self)
      self.leaf = leaf
      (offset, end) = (0, leaf.lend { $0.size })
      start += end
      return true
    }

    @inlinable
    mutating func nextLeaf() -> Unretained<RowNode> {
      if branch == nil || branch?.lend({ $0.size }) == index {
        guard let root = tree.root else {
          fatalError("Lensed: a row of none was read; this is a fault of Lensed.")
        }
        if tree.height == 0 { return Unretained(root) }
        var position = start
        branch = root.leaf(at: &position, height: tree.height - 1).known(as: RowBranch.self)
        index = 0
      }
      defer { index += 1 }
      guard let leaf = branch?.lend({ $0.child(index) }) else {
        fatalError("Lensed: a row of none was read; this is a fault of Lensed.")
      }
      return leaf
    }
  }
}

extension RowTree.Iterator: Sendable where Element: Sendable {}
