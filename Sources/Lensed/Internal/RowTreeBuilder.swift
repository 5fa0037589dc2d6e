/// Makes a tree of rows that come in order.
@usableFromInline
struct RowTreeBuilder<Element> {
  @usableFromInline var leaf: RowLeaf<Element>?
  @usableFromInline var leaves: ContiguousArray<RowChild> = []
  @usableFromInline var count = 0

  @inlinable
  init() {}

  @inlinable
  mutating func append(_ element: Element, _ label: UInt64) {
    if leaf == nil || leaf?.size == RowNode.capacity {
      flush()
      leaf = RowLeaf(room: count == 0 ? 4 : RowNode.capacity)
    }
    leaf?.append(element, label)
    count += 1
  }

  /// The element at a position.
  @inlinable
  subscript(position: Int) -> Element {
    let (number, offset) = position.quotientAndRemainder(dividingBy: RowNode.capacity)
    if number < leaves.count {
      return Unretained(leaves[number].node).known(as: RowLeaf<Element>.self).lend { $0[offset] }
    }
    guard let leaf else {
      fatalError("Lensed: a row was read before it was added; this is a fault of Lensed.")
    }
    return leaf[offset]
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
