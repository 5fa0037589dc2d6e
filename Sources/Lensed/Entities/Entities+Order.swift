extension Entities {
  /// Inserts an element at a position, unless its id is known.
  ///
  /// - Returns: Whether it was inserted, and the position of the element that has the id now.
  /// - Complexity: O(*n*) in integers; O(1) at the end.
  @inlinable
  @discardableResult
  public mutating func insert(_ element: Element, at position: Int) -> (inserted: Bool, index: Int)
  {
    require(position, in: 0..<count + 1)
    let (inserted, index) = append(element)
    if !inserted { return (false, index) }
    move(from: index, to: position)
    return (true, position)
  }

  /// Removes the element with an id.
  ///
  /// - Returns: The removed element; nil if there was none.
  /// - Complexity: O(*n*) in integers; O(1) at the end.
  @inlinable
  @discardableResult
  public mutating func remove(id: Element.ID) -> Element? {
    slots[id].map { extract(at: positions[$0], isKeyed: true) }
  }

  /// Removes the element at a position.
  ///
  /// - Returns: The removed element.
  /// - Complexity: O(*n*) in integers; O(1) at the end.
  @inlinable
  @discardableResult
  public mutating func remove(at position: Int) -> Element {
    require(position, in: order.indices)
    return extract(at: position, isKeyed: true)
  }

  /// Removes all elements that satisfy a condition, and keeps the order of the others.
  ///
  /// If `shouldRemove` throws, nothing is removed.
  ///
  /// - Complexity: O(*n*).
  @inlinable
  public mutating func removeAll<Failure: Error>(
    where shouldRemove: (Element) throws(Failure) -> Bool
  ) throws(Failure) {
    let isKept = try elements.map { element throws(Failure) in try !shouldRemove(element) }
    if isKept.allSatisfy({ $0 }) { return }
    var next = 0
    for slot in elements.indices {
      let id = elements[slot].id
      if isKept[slot] {
        // The kept elements are moved together, not copied; `positions` has their new slots meanwhile.
        elements.swapAt(slot, next)
        positions[slot] = next
        slots[id] = next
        next += 1
      } else {
        slots[id] = nil
      }
    }
    order = ContiguousArray(order.filter { isKept[$0] }.map { positions[$0] })
    elements.removeLast(elements.count - next)
    positions.removeLast(positions.count - next)
    renumber(0..<next)
  }

  /// Removes all elements.
  public mutating func removeAll(keepingCapacity: Bool = false) {
    elements.removeAll(keepingCapacity: keepingCapacity)
    order.removeAll(keepingCapacity: keepingCapacity)
    positions.removeAll(keepingCapacity: keepingCapacity)
    slots.removeAll(keepingCapacity: keepingCapacity)
  }

  /// Moves an element to another position; the elements in between move by one.
  ///
  /// ```swift
  /// todos.move(from: 0, to: todos.count - 1)   // the first becomes the last
  /// ```
  ///
  /// - Complexity: O(*n*) in integers between the two positions.
  @inlinable
  public mutating func move(from source: Int, to destination: Int) {
    require(source, in: order.indices)
    require(destination, in: order.indices)
    if source == destination { return }
    order.insert(order.remove(at: source), at: destination)
    renumber(Swift.min(source, destination)..<Swift.max(source, destination) + 1)
  }

  /// Moves the element with an id to a position.
  ///
  /// - Returns: Whether there is such an element.
  /// - Complexity: O(*n*) in integers between the two positions.
  @inlinable
  @discardableResult
  public mutating func move(id: Element.ID, to destination: Int) -> Bool {
    guard let source = index(id: id) else { return false }
    move(from: source, to: destination)
    return true
  }

  /// Exchanges the positions of two elements.
  ///
  /// - Complexity: O(1).
  @inlinable
  public mutating func swapAt(_ first: Int, _ second: Int) {
    require(first, in: order.indices)
    require(second, in: order.indices)
    order.swapAt(first, second)
    positions[order[first]] = first
    positions[order[second]] = second
  }

  /// Sorts the elements; equal ones keep their order.
  ///
  /// - Complexity: O(*n* log *n*); only integers are moved.
  @inlinable
  public mutating func sort(by areInIncreasingOrder: (Element, Element) -> Bool) {
    let (elements, positions) = (elements, positions)
    order.sort { left, right in
      if areInIncreasingOrder(elements[left], elements[right]) { return true }
      if areInIncreasingOrder(elements[right], elements[left]) { return false }
      return positions[left] < positions[right]
    }
    renumber(0..<count)
  }

  /// Traps for a position that is not there, in release builds with a sentence too.
  @usableFromInline
  func require(_ position: Int, in positions: Range<Int>) {
    if positions.contains(position) { return }
    fatalError(
      """
      Lensed: \(position) is no position in an `\(Self.self)` of \(count): it has to be in \(positions). Look for \
      the element by its id, or compare the position with `indices` first.
      """)
  }
}

extension Entities where Element: Comparable {
  /// Sorts the elements in ascending order; equal ones keep their order.
  ///
  /// - Complexity: O(*n* log *n*); only integers are moved.
  @inlinable
  public mutating func sort() { sort(by: <) }
}
