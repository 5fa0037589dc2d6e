// A place in a `RowTree`, and the comparison of two trees by labels, which passes over the nodes that they share:
// behind `==`, `difference(from:)`, and the derived values that follow rows.

/// A place in a tree of rows, which goes on row by row, or over a whole node.
///
/// It counts no references, so the tree has to live as long; and it knows no type of rows, so it is compiled once.
@usableFromInline
struct RowCursor {
  /// The way from the root down; empty in a tree of one leaf.
  private var path: ContiguousArray<(branch: Unretained<RowBranch>, index: Int)> = []
  /// The number of branches on each way to a leaf.
  private let depth: Int
  /// Nil at the end.
  @usableFromInline private(set) var leaf: Unretained<RowNode>?
  /// The offset of the row in its leaf, and the number of rows of that.
  @usableFromInline private(set) var offset = 0
  private var size = 0
  @usableFromInline private(set) var position = 0

  /// A place before the first row of a tree.
  @usableFromInline
  init(_ root: RowNode?, height: Int) {
    depth = height
    path.reserveCapacity(height)
    if let root { descend(Unretained(root)) }
  }

  /// Goes over some rows of the leaf.
  @usableFromInline
  mutating func advance(by count: Int = 1) {
    if leaf == nil { return }
    position += count
    offset += count
    if offset == size { enterNext() }
  }

  /// The height of the largest node below the root that begins here; nil within a leaf.
  private var startHeight: Int? {
    if offset > 0 || path.isEmpty || leaf == nil { return nil }
    var height = 0
    while height + 1 < depth && path[depth - 1 - height].index == 0 { height += 1 }
    return height
  }

  /// What tells the node of some height that the row is in from others; leaves have the height 0.
  private func child(_ height: Int) -> UInt {
    let (branch, index) = path[depth - 1 - height]
    return branch.lend { $0.child(index).bits }
  }

  /// Goes to the row after the node of some height, which begins here.
  private mutating func skip(_ height: Int) {
    let (branch, index) = path[depth - 1 - height]
    position += branch.lend { $0[index].count }
    if height > 0 { path.removeLast(height) }
    enterNext()
  }

  private mutating func enterNext() {
    offset = 0
    while let (branch, index) = path.popLast() {
      if index + 1 < branch.lend({ $0.size }) {
        path.append((branch, index + 1))
        return descend(branch.lend { $0.child(index + 1) })
      }
    }
    leaf = nil
  }

  /// Goes to the first row below a node, which is where the path ends.
  private mutating func descend(_ node: Unretained<RowNode>) {
    var node = node
    while path.count < depth {
      let branch = node.known(as: RowBranch.self)
      path.append((branch, 0))
      node = branch.lend { $0.child(0) }
    }
    leaf = node
    size = node.lend { $0.size }
  }

  /// Goes over the largest node that begins at both places, and those behind it that are shared too; false if none
  /// does.
  @usableFromInline
  static func skipShared(_ left: inout RowCursor, _ right: inout RowCursor) -> Bool {
    guard let first = left.startHeight, let second = right.startHeight else { return false }
    var height = Swift.min(first, second)
    while left.child(height) != right.child(height) {
      if height == 0 { return false }
      height -= 1
    }
    left.skipSiblings(height, &right)
    left.skip(height)
    right.skip(height)
    return true
  }

  /// Goes from a shared node to the last of those behind it, below its parents, that are shared too.
  private mutating func skipSiblings(_ height: Int, _ other: inout RowCursor) {
    let (level, otherLevel) = (depth - 1 - height, other.depth - 1 - height)
    let ((branch, index), (otherBranch, otherIndex)) = (path[level], other.path[otherLevel])
    var (further, rows) = (0, 0)
    branch.lend { branch in
      otherBranch.lend { otherBranch in
        let most = Swift.min(branch.size - index, otherBranch.size - otherIndex) - 1
        while further < most,
          branch.child(index + further + 1).bits
            == otherBranch.child(otherIndex + further + 1).bits
        {
          rows += branch[index + further].count
          further += 1
        }
      }
    }
    position += rows
    other.position += rows
    path[level].index += further
    other.path[otherLevel].index += further
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
  /// A place before the first row, for as long as the tree lives.
  @inlinable
  var cursor: RowCursor { RowCursor(root, height: height) }

  /// Where the row of a cursor lies; nil at the end.
  @inlinable
  func place(of cursor: RowCursor) -> RowPlace<Element>? {
    cursor.leaf.map { RowPlace($0.known(as: RowLeaf<Element>.self), cursor.offset) }
  }

  @inlinable
  func isSame(_ other: RowTree) -> Bool { root === other.root }

  /// Hands out what differs from an older version, in the order of labels, but for rows that `areAlike` finds alike.
  ///
  /// - Complexity: O(*d* log *n*) in the number of nodes that the two do not share.
  @inlinable
  func forEachDifference(
    from older: RowTree, areAlike: (_ newer: Element, _ former: Element) -> Bool,
    _ body: (RowDifference<Element>) -> Void
  ) {
    if isSame(older) { return }
    withExtendedLifetime((self, older)) {
      var (new, old) = (cursor, older.cursor)
      while true {
        if RowCursor.skipShared(&new, &old) { continue }
        switch (place(of: new), older.place(of: old)) {
        case (let row?, let former?) where row.label == former.label:
          let common = row.countLabels(sharedWith: former)
          let alike = row.countAlike(former, among: common, by: areAlike)
          if alike > 0 {
            new.advance(by: alike)
            old.advance(by: alike)
          } else {
            body(
              .kept(
                row.element, former: former.element, label: row.label, position: new.position))
            new.advance()
            old.advance()
          }
        case (let row?, let former?) where row.label > former.label:
          body(.removed(former.element, label: former.label, position: old.position))
          old.advance()
        case (let row?, _):
          body(.added(row.element, label: row.label, position: new.position))
          new.advance()
        case (nil, let former?):
          body(.removed(former.element, label: former.label, position: old.position))
          old.advance()
        case (nil, nil): return
        }
      }
    }
  }

  /// Whether two trees have equal rows in the same order: O(*d* log *n*) in the nodes that the two do not share.
  @inlinable
  func isEqual(_ other: RowTree, by areEqual: (Element, Element) -> Bool) -> Bool {
    if isSame(other) { return true }
    if count != other.count { return false }
    return withExtendedLifetime((self, other)) {
      var (left, right) = (cursor, other.cursor)
      while true {
        if RowCursor.skipShared(&left, &right) { continue }
        guard let row = place(of: left), let otherRow = other.place(of: right) else { return true }
        let count = Swift.min(row.countToEnd, otherRow.countToEnd)
        if row.countAlike(otherRow, among: count, by: areEqual) < count { return false }
        left.advance(by: count)
        right.advance(by: count)
      }
    }
  }
}

extension RowPlace {
  /// The number of rows from here to the end of the leaf.
  @inlinable
  var countToEnd: Int { leaf.lend { $0.size } - offset }

  /// How many rows from here on have the labels of those from another place on.
  @inlinable
  func countLabels(sharedWith other: RowPlace) -> Int {
    let count = Swift.min(countToEnd, other.countToEnd)
    return leaf.lend { leaf in
      other.leaf.lend { otherLeaf in
        if count == 0 || leaf.label(offset) != otherLeaf.label(other.offset) { return 0 }
        // Labels that are not stored are at equal distances.
        if unsafe leaf.uncheckedHeader.labels == nil && otherLeaf.uncheckedHeader.labels == nil {
          return count
        }
        for index in 1..<count
        where leaf.label(offset + index) != otherLeaf.label(other.offset + index) {
          return index
        }
        return count
      }
    }
  }

  /// How many of some rows from here on are like those from another place on, before the first that is not.
  @inlinable
  func countAlike(
    _ other: RowPlace, among count: Int, by areAlike: (Element, Element) -> Bool
  ) -> Int {
    leaf.lend { leaf in
      other.leaf.lend { otherLeaf in
        for index in 0..<count
        where !areAlike(leaf[offset + index], otherLeaf[other.offset + index]) {
          return index
        }
        return count
      }
    }
  }
}
