extension Entities {
  /// The element with an id; nil if there is none.
  ///
  /// ```swift
  /// todos[id: 7]?.title = "Rewrite"   // edits in place
  /// todos[id: 7] = nil                // removes
  /// todos[id: 7] = Todo(id: 7)        // replaces, or appends
  /// ```
  ///
  /// An edit is in place: it copies neither the element nor the others, unless the collection is
  /// shared. A value that is set at an unknown id is upserted by its own id.
  ///
  /// - Complexity: O(1); removal is O(*n*) in integers.
  @inlinable
  public subscript(id id: Element.ID) -> Element? {
    get { slots[id].map { elements[$0] } }
    _modify {
      guard let slot = slots[id] else {
        var element: Element?
        defer { if let element { upsert(element) } }
        yield &element
        return
      }
      var element: Element? = takeOut(slot)
      defer { putBack(element, in: slot, of: id) }
      yield &element
    }
  }

  /// Puts an element back into the slot it was taken from; nil removes it.
  @inlinable
  mutating func putBack(_ element: Element?, in slot: Int, of id: Element.ID) {
    if let element {
      elements.append(element)
      elements.swapAt(slot, elements.count - 1)
      return rekey(slot, from: id)
    }
    slots[id] = nil
    vacate(slot)
  }

  /// Edits the element with an id in place.
  ///
  /// ```swift
  /// let isDone = todos.modify(id: 7) { todo in todo.isDone.toggle(); return todo.isDone }
  /// ```
  ///
  /// - Returns: The result of `body`; nil if there is no such element.
  /// - Complexity: O(1).
  @inlinable
  @discardableResult
  public mutating func modify<Result, Failure: Error>(
    id: Element.ID, _ body: (inout Element) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let slot = slots[id] else { return nil }
    defer { rekey(slot, from: id) }
    return try body(&elements[slot])
  }

  /// Edits the element at a position in place.
  ///
  /// - Returns: The result of `body`.
  /// - Complexity: O(1).
  @inlinable
  @discardableResult
  public mutating func modify<Result, Failure: Error>(
    at position: Int, _ body: (inout Element) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    require(position, in: order.indices)
    let slot = order[position]
    let id = elements[slot].id
    defer { rekey(slot, from: id) }
    return try body(&elements[slot])
  }

  /// Replaces the element with the same id; does nothing if there is none.
  ///
  /// - Returns: The replaced element; nil if there was none.
  /// - Complexity: O(1).
  @inlinable
  @discardableResult
  public mutating func update(_ element: Element) -> Element? {
    guard let slot = slots[element.id] else { return nil }
    var replaced = element
    swap(&elements[slot], &replaced)
    return replaced
  }

  /// Replaces the element with the same id, or appends the element if there is none.
  ///
  /// - Returns: The replaced element; nil if the element was appended.
  /// - Complexity: O(1) amortised.
  @inlinable
  @discardableResult
  public mutating func upsert(_ element: Element) -> Element? {
    let (inserted, index) = append(element)
    if inserted { return nil }
    var replaced = element
    swap(&elements[order[index]], &replaced)
    return replaced
  }

  /// Upserts each element of a sequence, in order.
  ///
  /// - Complexity: O(*m*) in the length of the sequence.
  @inlinable
  public mutating func upsert(contentsOf elements: some Sequence<Element>) {
    for element in elements { upsert(element) }
  }
}
