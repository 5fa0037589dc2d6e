/// An ordered collection of elements with unique ids.
///
/// ```swift
/// var todos: Entities<Todo> = [Todo(id: 7, title: "Write"), Todo(id: 9, title: "Rest")]
/// todos[id: 7]?.title = "Rewrite"          // in place
/// todos.append(Todo(id: 7, title: "No"))   // refused: (inserted: false, index: 0)
/// todos.upsert(Todo(id: 9, title: "Sleep"))
/// todos.map(\.title)                       // ["Rewrite", "Sleep"]
/// ```
///
/// It reads like an array and looks up like a dictionary.
///
/// **Guarantees.**
/// - No two elements have equal ids. An insertion with a known id is refused by its return value.
///   `update` and `upsert` replace the element with that id.
/// - The order is that of insertion, until a move or a sort changes it.
/// - Two collections are equal if they have equal elements in the same order.
/// - An edit can change the id of an element. The element keeps its position. If another element has
///   the new id, that other element is removed: the last one wins.
///
/// **Cost.** The elements lie in one array without gaps, in any order. Two arrays of integers hold the
/// positions, and a dictionary finds an element by id.
///
/// | | `Entities` | `Array` | `Dictionary` |
/// |---|---|---|---|
/// | look up, edit, update by id | O(1) | O(*n*) | O(1) |
/// | append, upsert | O(1) amortised | O(1) amortised | O(1) amortised |
/// | remove, insert, move | O(*n*) in integers | O(*n*) in elements | no order |
///
/// A copy is O(1). The first change of a shared copy copies only what it changes: an edit copies the
/// elements, and a move copies the positions.
public struct Entities<Element: Identifiable> {
  /// The id of an element.
  public typealias ID = Element.ID

  /// The elements, in any order; an element's index here is its slot.
  @usableFromInline
  var elements: ContiguousArray<Element> = []
  /// The slots, by position.
  @usableFromInline
  var order: ContiguousArray<Int> = []
  /// The positions, by slot; the inverse of `order`.
  @usableFromInline
  var positions: ContiguousArray<Int> = []
  /// The slots, by id.
  @usableFromInline
  var slots: [Element.ID: Int] = [:]

  /// Creates an empty collection.
  @inlinable
  public init() {}

  /// Creates a collection of elements, in their order.
  ///
  /// - Throws: `DuplicateIDError` for the first element with an id that an earlier one has.
  /// - Complexity: O(*n*).
  @inlinable
  public init(_ elements: some Sequence<Element>) throws(DuplicateIDError) {
    reserveCapacity(elements.underestimatedCount)
    for element in elements where !append(element).inserted {
      throw DuplicateIDError(id: "\(element.id)", element: "\(Element.self)", position: count)
    }
  }

  /// Creates a collection of elements, and combines those with equal ids.
  ///
  /// ```swift
  /// let newest = Entities(todos) { older, newer in newer }
  /// ```
  ///
  /// - Parameters:
  ///   - elements: The elements, in their order.
  ///   - combine: Returns the element to keep, given the one so far and the next one with its id.
  /// - Throws: Only errors of `combine`.
  /// - Complexity: O(*n*).
  @inlinable
  public init<Failure: Error>(
    _ elements: some Sequence<Element>,
    uniquingIDsWith combine: (_ former: Element, _ next: Element) throws(Failure) -> Element
  ) throws(Failure) {
    reserveCapacity(elements.underestimatedCount)
    for element in elements {
      let (inserted, index) = append(element)
      if !inserted {
        let slot = order[index]
        self.elements[slot] = try combine(self.elements[slot], element)
        rekey(slot, from: element.id)
      }
    }
  }

  /// The number of elements.
  @inlinable
  public var count: Int { elements.count }

  /// The ids, in the order of the elements.
  ///
  /// - Complexity: O(*n*).
  public var ids: [Element.ID] { order.map { elements[$0].id } }

  /// Whether there is an element with an id.
  @inlinable
  public func contains(id: Element.ID) -> Bool { slots[id] != nil }

  /// The position of the element with an id.
  @inlinable
  public func index(id: Element.ID) -> Int? { slots[id].map { positions[$0] } }

  /// Appends an element, unless its id is known.
  ///
  /// - Returns: Whether it was appended, and the position of the element that has the id now.
  /// - Complexity: O(1) amortised.
  @inlinable
  @discardableResult
  public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
    let next = elements.count
    let slot = Self.value(of: &slots[element.id, default: next])
    if slot != next { return (false, positions[slot]) }
    elements.append(element)
    order.append(next)
    positions.append(next)
    return (true, next)
  }

  /// Reserves memory for a number of elements.
  @inlinable
  public mutating func reserveCapacity(_ capacity: Int) {
    elements.reserveCapacity(capacity)
    order.reserveCapacity(capacity)
    positions.reserveCapacity(capacity)
    slots.reserveCapacity(capacity)
  }

  /// Registers the element in a slot by its own id, after it might have changed.
  ///
  /// The last one wins: another element with that id is removed.
  @inlinable
  mutating func rekey(_ slot: Int, from former: Element.ID) {
    let id = elements[slot].id
    if id == former { return }
    slots[former] = nil
    if let other = slots.updateValue(slot, forKey: id), other != slot {
      extract(at: positions[other], isKeyed: false)
    }
  }

  /// Removes the element at a position; `isKeyed` says that its id still leads to it.
  @inlinable
  @discardableResult
  mutating func extract(at position: Int, isKeyed: Bool) -> Element {
    let slot = order[position]
    if isKeyed { slots[elements[slot].id] = nil }
    let element = takeOut(slot)
    vacate(slot)
    return element
  }

  /// Takes an element out of its slot, so that the caller has the only reference to it.
  ///
  /// `vacate` or `putBack` has to follow before any other call.
  @inlinable
  mutating func takeOut(_ slot: Int) -> Element {
    elements.swapAt(slot, elements.count - 1)
    return elements.removeLast()
  }

  /// Gives up the position of an element that was taken out; the last element has filled its slot.
  @inlinable
  mutating func vacate(_ slot: Int) {
    let (position, last) = (positions[slot], elements.count)
    order.remove(at: position)
    renumber(position..<last)
    if slot != last {
      positions[slot] = positions[last]
      order[positions[slot]] = slot
      slots[elements[slot].id] = slot
    }
    positions.removeLast()
  }

  /// Updates the positions of the slots in a range of `order`.
  @inlinable
  mutating func renumber(_ range: Range<Int>) {
    for position in range { positions[order[position]] = position }
  }

  /// Returns a value in a dictionary, inserted by the access if it was missing: one hash for both.
  @inlinable
  static func value(of entry: inout Int) -> Int { entry }
}

extension Entities: Sendable where Element: Sendable, Element.ID: Sendable {}
