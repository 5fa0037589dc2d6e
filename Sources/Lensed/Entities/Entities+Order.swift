extension Entities {
  /// Moves an element to another position; the elements in between move by one.
  ///
  /// ```swift
  /// todos.move(from: 0, to: todos.count - 1)   // the first becomes the last
  /// ```
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func move(from source: Int, to destination: Int) {
    require(source, in: indices)
    require(destination, in: indices)
    if source == destination { return }
    let (element, label) = rows.remove(at: source)
    insertMoved(element, from: label, at: destination)
  }

  /// Moves the element with an id to a position.
  ///
  /// - Returns: Whether there is such an element.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func move(id: Element.ID, to destination: Int) -> Bool {
    guard let place = unsharedPlace(of: id) else { return false }
    require(destination, in: indices)
    let (label, element) = (place.label, place.takeOut())
    rows.close(place, label)
    insertMoved(element, from: label, at: destination)
    return true
  }

  /// Inserts a row that was removed from its place, where its entry still has its former label.
  @inlinable
  mutating func insertMoved(_ element: Element, from label: UInt64, at destination: Int) {
    // Another row may have been given the former label. If its id has the same hash, their entries are equal, and it
    // does not matter which of them is replaced.
    let new = freeLabel(at: destination)
    rows.insert(element, new, at: destination)
    index.replace(HashEntry(hash: Self.hash(element.id), label: label), with: new)
  }

  /// Moves the elements at some positions to before the element at another one, as the `onMove` of a list view does.
  ///
  /// The moved elements keep their order among each other. All positions are those before the call.
  ///
  /// ```swift
  /// List { ForEach(todos) { … }.onMove { todos.move(fromOffsets: $0, toOffset: $1) } }
  /// ```
  ///
  /// - Complexity: O(*k* log *n*) in the number of positions.
  @inlinable
  public mutating func move(fromOffsets source: some Sequence<Int>, toOffset destination: Int) {
    require(destination, in: 0..<count + 1)
    let sources = Set(source).sorted()
    for position in sources { require(position, in: indices) }
    // Those before the destination go to it from its side, so that the positions of the others stand.
    var place = destination - 1
    for position in sources.reversed() where position < destination {
      move(from: position, to: place)
      place -= 1
    }
    place = destination
    for position in sources where position >= destination {
      move(from: position, to: place)
      place += 1
    }
  }

  /// Exchanges the positions of two elements.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func swapAt(_ first: Int, _ second: Int) {
    require(first, in: indices)
    require(second, in: indices)
    if first == second { return }
    let (former, latter) = (Swift.min(first, second), Swift.max(first, second))
    move(from: latter, to: former)
    move(from: former + 1, to: latter)
  }

  /// Sorts the elements; equal ones keep their order.
  ///
  /// Elements that are in order already stay as they are, and shared.
  ///
  /// - Complexity: O(*n* log *n*).
  @inlinable
  public mutating func sort(by areInIncreasingOrder: (Element, Element) -> Bool) {
    if isSorted(by: areInIncreasingOrder) { return }
    reorder { $0.sort(by: areInIncreasingOrder) }
  }

  @inlinable
  func isSorted(by areInIncreasingOrder: (Element, Element) -> Bool) -> Bool {
    var former: Element?
    for element in self {
      if let former, areInIncreasingOrder(element, former) { return false }
      former = element
    }
    return true
  }

  /// Reverses the order of the elements.
  ///
  /// - Complexity: O(*n*).
  @inlinable
  public mutating func reverse() { reorder { $0.reverse() } }

  /// Moves the elements that satisfy a condition behind all others; within both parts the order stays.
  ///
  /// - Returns: The position of the first element that satisfies the condition.
  /// - Complexity: O(*n*) to look at the elements, and O(*k* log *n*) to move *k* of them.
  @inlinable
  @discardableResult
  public mutating func partition<Failure: Error>(
    by belongsInSecondPartition: (Element) throws(Failure) -> Bool
  ) throws(Failure) -> Int {
    let moved = try positions(where: belongsInSecondPartition)
    let start = count - moved.count
    if let first = moved.first, first < start { move(fromOffsets: moved, toOffset: count) }
    return start
  }

  /// Puts the elements into another order, all at once.
  @inlinable
  mutating func reorder(_ body: (inout ContiguousArray<Element>) -> Void) {
    var elements = ContiguousArray(self)
    self = Entities()
    body(&elements)
    var builder = RowTreeBuilder<Element>()
    for element in elements { builder.append(element) }
    self = Entities(distinct: builder.finish())
  }

  /// Traps for a position that is not there, in release builds with a sentence too.
  @inlinable
  func require(_ position: Int, in positions: Range<Int>) {
    if !positions.contains(position) { refuse(position, positions) }
  }

  @usableFromInline
  func refuse(_ position: Int, _ positions: Range<Int>) -> Never {
    fatalError(
      """
      Lensed: \(position) is no position in an \(code: Self.self) of \(count): it has to be in \(positions). Look for \
      the element by its id, or compare the position with `indices` first. An observed key path with such an index, as \
      `\\.rows[1]`, traps when the rows get fewer: observe one by its id, as `states(\\.rows, id: 7)`.
      """)
  }
}

extension Entities where Element: Comparable {
  /// Sorts the elements in ascending order; equal ones keep their order.
  ///
  /// - Complexity: O(*n* log *n*).
  @inlinable
  public mutating func sort() { sort(by: <) }
}
