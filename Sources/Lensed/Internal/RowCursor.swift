// A place in a `RowTree`, and the comparison of two trees, which passes over the nodes that they share.

/// A place in a tree of rows, which goes on row by row, or over a whole node.
@usableFromInline
struct RowCursor<Element> {
  /// The way from the root down; empty in a tree of one leaf.
  @usableFromInline private(set) var path: ContiguousArray<(branch: RowBranch, index: Int)> = []
  /// Nil at the end.
  @usableFromInline private(set) var leaf: RowLeaf<Element>?
  /// The offset of the row in its leaf.
  @usableFromInline private(set) var offset = 0
  @usableFromInline private(set) var position = 0

  /// A place before the first row of a tree.
  @inlinable
  init(_ tree: RowTree<Element>) {
    if let root = tree.root { descend(root, height: tree.height) }
  }

  /// The row, if it is not at the end.
  @inlinable
  var row: (element: Element, label: UInt64)? {
    guard let leaf else { return nil }
    return (leaf[offset], leaf.label(offset))
  }

  @inlinable
  mutating func advance() {
    guard let leaf else { return }
    position += 1
    offset += 1
    if offset == leaf.size { enterNext() }
  }

  /// The height of the largest node below the root that begins here; nil within a leaf.
  @inlinable
  var startHeight: Int? {
    if offset > 0 || path.isEmpty { return nil }
    var height = 0
    while height + 1 < path.count && path[path.count - 1 - height].index == 0 { height += 1 }
    return height
  }

  /// The node of some height that the row is in; leaves have the height 0.
  @usableFromInline
  func child(_ height: Int) -> RowChild {
    let (branch, index) = path[path.count - 1 - height]
    return branch[index]
  }

  /// Goes to the row after the node of some height, which begins here.
  @inlinable
  mutating func skip(_ height: Int) {
    position += child(height).count
    path.removeLast(height)
    enterNext()
  }

  @usableFromInline
  mutating func enterNext() {
    offset = 0
    while let (branch, index) = path.popLast() {
      if index + 1 < branch.size {
        path.append((branch, index + 1))
        let height = depth - path.count
        return descend(branch[index + 1].node, height: height)
      }
    }
    leaf = nil
  }

  /// The number of branches on each way to a leaf.
  @usableFromInline private(set) var depth = 0

  @usableFromInline
  mutating func descend(_ node: RowNode, height: Int) {
    if path.isEmpty { depth = height }
    var node = node
    for _ in 0..<height {
      let branch = node.asBranch
      path.append((branch, 0))
      node = branch[0].node
    }
    leaf = unsafe unsafeDowncast(node, to: RowLeaf<Element>.self)
  }

  /// Goes over the largest node that begins at both places; false if none does.
  @inlinable
  static func skipShared(_ left: inout RowCursor, _ right: inout RowCursor) -> Bool {
    guard let first = left.startHeight, let second = right.startHeight else { return false }
    var height = Swift.min(first, second)
    while left.child(height).node !== right.child(height).node {
      if height == 0 { return false }
      height -= 1
    }
    while left.skipSibling(height, &right) {}
    left.skip(height)
    right.skip(height)
    return true
  }

  /// Goes from a shared node to the next one of its parent at both places; false if that is not shared.
  @usableFromInline
  mutating func skipSibling(_ height: Int, _ other: inout RowCursor) -> Bool {
    let (level, otherLevel) = (path.count - 1 - height, other.path.count - 1 - height)
    let (branch, index) = path[level]
    let (otherBranch, otherIndex) = other.path[otherLevel]
    guard index + 1 < branch.size, otherIndex + 1 < otherBranch.size,
      branch[index + 1].node === otherBranch[otherIndex + 1].node
    else { return false }
    position += branch[index].count
    other.position += otherBranch[otherIndex].count
    path[level].index += 1
    other.path[otherLevel].index += 1
    return true
  }
}

/// How two versions of rows differ at one label.
@usableFromInline
enum RowDifference<Element> {
  /// Only the newer version has the label.
  case added(Element, label: UInt64, position: Int)
  /// Only the older version has the label.
  case removed(Element, label: UInt64, position: Int)
  /// Both have it, in nodes that they do not share.
  case kept(Element, former: Element, label: UInt64, position: Int)
}

extension RowTree {
  /// Whether two trees are the same version.
  @inlinable
  func isSame(_ other: RowTree) -> Bool { root === other.root }

  /// Hands out what differs from an older version, in the order of labels.
  ///
  /// - Complexity: O(*d* log *n*) in the number of nodes that the two do not share.
  @inlinable
  func forEachDifference(from older: RowTree, _ body: (RowDifference<Element>) -> Void) {
    if isSame(older) { return }
    var (new, old) = (RowCursor(self), RowCursor(older))
    while true {
      if RowCursor.skipShared(&new, &old) { continue }
      switch (new.row, old.row) {
      case (let row?, let former?):
        if row.label == former.label {
          body(
            .kept(
              row.element, former: former.element, label: row.label, position: new.position))
          new.advance()
          old.advance()
        } else if row.label < former.label {
          body(.added(row.element, label: row.label, position: new.position))
          new.advance()
        } else {
          body(.removed(former.element, label: former.label, position: old.position))
          old.advance()
        }
      case (let row?, nil):
        body(.added(row.element, label: row.label, position: new.position))
        new.advance()
      case (nil, let former?):
        body(.removed(former.element, label: former.label, position: old.position))
        old.advance()
      case (nil, nil): return
      }
    }
  }

  /// Whether two trees have equal rows in the same order.
  ///
  /// - Complexity: O(*d* log *n*) in the number of nodes that the two do not share.
  @inlinable
  func isEqual(_ other: RowTree, by areEqual: (Element, Element) -> Bool) -> Bool {
    if isSame(other) { return true }
    if count != other.count { return false }
    var (left, right) = (RowCursor(self), RowCursor(other))
    while true {
      if RowCursor.skipShared(&left, &right) { continue }
      guard let row = left.row, let otherRow = right.row else { return true }
      if !areEqual(row.element, otherRow.element) { return false }
      left.advance()
      right.advance()
    }
  }
}
