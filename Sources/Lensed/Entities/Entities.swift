/// An ordered collection of elements with unique ids, whose versions share what they have in common.
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
/// - A copy is a version: it keeps its elements, whatever becomes of the original.
///
/// **Cost.** The elements lie in a tree of arrays of 32, and a trie finds an element by the hash of its id. The
/// logarithms below have the base 32: four steps for a million elements.
///
/// | | entities | array | dictionary |
/// |---|---|---|---|
/// | look up, edit, update by id | O(log *n*) | O(*n*) | O(1) |
/// | append, upsert | O(log *n*) | O(1) | O(1) |
/// | remove, insert, move | O(log *n*) | O(*n*) | no order |
/// | read by position | O(log *n*) | O(1) | no order |
/// | read all in order | O(*n*) | O(*n*) | no order |
/// | the first edit of a copy | O(log *n*) | O(*n*) | O(*n*) |
/// | two versions compared | what differs | O(*n*) | O(*n*) |
///
/// An append to an array or a dictionary is O(1) amortised. A copy of entities is O(1), and shares everything. A change
/// of a shared collection copies the arrays on the way to what it changes, about a hundred elements or references in a
/// million, and shares the rest. What no other version has is edited in place. So a history of a thousand versions
/// costs what the thousand changes cost.
public struct Entities<Element: Identifiable> {
  /// The id of an element.
  public typealias ID = Element.ID

  /// The elements in order; each has a label there that ascends with its position.
  @usableFromInline
  var rows = RowTree<Element>()
  /// The labels, by the hashes of ids.
  @usableFromInline
  var index = HashIndex()

  /// Creates an empty collection.
  @inlinable
  public init() {}

  /// Creates a collection of elements, in their order.
  ///
  /// - Throws: `DuplicateIDError` for the first element with an id that an earlier one has.
  /// - Complexity: O(*n*).
  @inlinable
  public init(_ elements: some Sequence<Element>) throws(DuplicateIDError) {
    var builder = RowTreeBuilder<Element>()
    for element in elements { builder.append(element) }
    self.init(distinct: builder.finish())
    if let position = firstDuplicate {
      throw DuplicateIDError(
        id: "\(id: rows[position].id)", element: "\(Element.self)", position: position)
    }
  }

  /// Creates a collection of rows whose ids differ; they are there first, so that they lie side by side in memory.
  @inlinable
  init(distinct rows: RowTree<Element>) {
    self.rows = rows
    var entries = ContiguousArray<HashEntry>()
    entries.reserveCapacity(rows.count)
    rows.forEachRow { entries.append(HashEntry(hash: Self.hash($0.id), label: $1)) }
    index = HashIndex(entries)
  }

  /// The position of the first element whose id an earlier one has.
  @usableFromInline
  var firstDuplicate: Int? {
    index.doubled.compactMap { labels in
      let rows = labels.compactMap { label in
        self.rows.place(of: label).map { ($0.element.id, label) }
      }
      let later = rows.indices.first { index in
        rows[..<index].contains { $0.0 == rows[index].0 }
      }
      return later.flatMap { self.rows.position(of: rows[$0].1) }
    }.min()
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
    // Most often no id occurs twice: to find that out takes a fourth of combining.
    let elements = Array(elements)
    var builder = RowTreeBuilder<Element>()
    for element in elements { builder.append(element) }
    self.init(distinct: builder.finish())
    if firstDuplicate == nil { return }
    self = Entities()
    for element in elements {
      let isKnown: Void? = try modify(id: element.id) { (row: inout Element) throws(Failure) in
        row = try combine(row, element)
      }
      if isKnown == nil { append(element) }
    }
  }

  /// The number of elements.
  @inlinable
  public var count: Int { rows.count }

  /// The ids, in the order of the elements.
  ///
  /// - Complexity: O(*n*).
  @inlinable
  public var ids: [Element.ID] { map { $0.id } }

  /// Whether there is an element with an id.
  @inlinable
  public func contains(id: Element.ID) -> Bool { label(of: id) != nil }

  /// The position of the element with an id.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  public func index(id: Element.ID) -> Int? { label(of: id).flatMap { rows.position(of: $0) } }

  /// Does nothing: a tree needs no room beforehand.
  @inlinable
  public mutating func reserveCapacity(_ capacity: Int) {}
}

extension Entities: Sendable where Element: Sendable, Element.ID: Sendable {}

// MARK: Finding

extension Entities {
  @inlinable
  static func hash(_ id: Element.ID) -> UInt32 { UInt32(truncatingIfNeeded: id.hashValue) }

  @inlinable
  func label(of id: Element.ID) -> UInt64? { place(of: id)?.label }

  /// Where the element with an id lies; nil if there is none.
  @inlinable
  func place(of id: Element.ID) -> RowPlace<Element>? { place(of: id, Self.hash(id)) }

  @inlinable
  func place(of id: Element.ID, _ hash: UInt32) -> RowPlace<Element>? {
    guard let label = index.first(hash) else { return nil }
    if let place = rows.place(of: label), place.element.id == id { return place }
    return self.label(of: id, hash).flatMap { rows.place(of: $0) }
  }

  /// The label of the element with an id, among several entries with one hash.
  @usableFromInline
  func label(of id: Element.ID, _ hash: UInt32) -> UInt64? {
    index.labels(hash).first { rows.place(of: $0)?.element.id == id }
  }

  /// Where the element with an id lies, for writing; nil if there is none.
  @inlinable
  mutating func unsharedPlace(of id: Element.ID) -> RowPlace<Element>? {
    let hash = Self.hash(id)
    guard let label = index.first(hash) else { return nil }
    if let place = rows.unsharedPlace(of: label), place.element.id == id { return place }
    return self.label(of: id, hash).flatMap { rows.unsharedPlace(of: $0) }
  }
}

// MARK: Editing

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
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(id id: Element.ID) -> Element? {
    get { withExtendedLifetime(self) { place(of: id)?.element } }
    _modify {
      let place = unsharedPlace(of: id)
      var element = place?.takeOut()
      defer { putBack(element, at: place, of: id) }
      yield &element
    }
  }

  /// Puts an element back into its place, closes that where there is none, and upserts one that had no place.
  @inlinable
  mutating func putBack(
    _ element: consuming Element?, at place: RowPlace<Element>?, of id: Element.ID
  ) {
    guard let place else {
      if let element { upsert(element) }
      return
    }
    if let element {
      place.putBack(element)
      rekey(place, from: id)
    } else {
      let label = place.label
      rows.close(place, label)
      index.remove(HashEntry(hash: Self.hash(id), label: label))
    }
  }

  /// Edits the element with an id in place.
  ///
  /// ```swift
  /// let isDone = todos.modify(id: 7) { todo in todo.isDone.toggle(); return todo.isDone }
  /// ```
  ///
  /// - Returns: The result of `body`; nil if there is no such element.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func modify<Result, Failure: Error>(
    id: Element.ID, _ body: (inout Element) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let place = unsharedPlace(of: id) else { return nil }
    defer { rekey(place, from: id) }
    return try body(&place.element)
  }

  /// Edits the element at a position in place.
  ///
  /// - Returns: The result of `body`.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func modify<Result, Failure: Error>(
    at position: Int, _ body: (inout Element) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    require(position, in: indices)
    let place = rows.unsharedPlace(at: position)
    let id = place.element.id
    defer { rekey(place, from: id) }
    return try body(&place.element)
  }

  /// Replaces the element with the same id; does nothing if there is none.
  ///
  /// - Returns: The replaced element; nil if there was none.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func update(_ element: Element) -> Element? {
    guard let place = unsharedPlace(of: element.id) else { return nil }
    var replaced = element
    swap(&place.element, &replaced)
    return replaced
  }

  /// Replaces the element with the same id, or appends the element if there is none.
  ///
  /// - Returns: The replaced element; nil if the element was appended.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func upsert(_ element: Element) -> Element? {
    if let replaced = update(element) { return replaced }
    append(element)
    return nil
  }

  /// Upserts each element of a sequence, in order.
  ///
  /// - Complexity: O(*m* log *n*) in the length of the sequence.
  @inlinable
  public mutating func upsert(contentsOf elements: some Sequence<Element>) {
    for element in elements { upsert(element) }
  }
}

// MARK: Inserting and removing

extension Entities {
  /// Appends an element, unless its id is known.
  ///
  /// - Returns: Whether it was appended, and the position of the element that has the id now.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
    insert(element, at: count)
  }

  /// Appends each element of a sequence whose id is unknown, in order.
  ///
  /// - Returns: The number of elements that were appended.
  /// - Complexity: O(*m* log *n*) in the length of the sequence.
  @inlinable
  @discardableResult
  public mutating func append(contentsOf elements: some Sequence<Element>) -> Int {
    let former = count
    for element in elements { append(element) }
    return count - former
  }

  /// Inserts an element at a position, unless its id is known.
  ///
  /// - Returns: Whether it was inserted, and the position of the element that has the id now.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func insert(_ element: Element, at position: Int) -> (inserted: Bool, index: Int)
  {
    require(position, in: 0..<count + 1)
    let hash = Self.hash(element.id)
    if let known = place(of: element.id, hash) {
      return (false, rows.position(of: known.label) ?? position)
    }
    let label = freeLabel(at: position)
    rows.insert(element, label, at: position)
    index.insert(HashEntry(hash: hash, label: label))
    return (true, position)
  }

  /// Inserts an element before the one with an id, unless its own id is known.
  ///
  /// - Returns: Whether it was inserted, and the position of the element that has the id now; nil if there is no
  ///   element with the id `next`.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func insert(
    _ element: Element, before next: Element.ID
  ) -> (inserted: Bool, index: Int)? {
    index(id: next).map { insert(element, at: $0) }
  }

  /// Removes the element with an id.
  ///
  /// - Returns: The removed element; nil if there was none.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func remove(id: Element.ID) -> Element? {
    guard let place = unsharedPlace(of: id) else { return nil }
    let (label, element) = (place.label, place.takeOut())
    rows.close(place, label)
    index.remove(HashEntry(hash: Self.hash(id), label: label))
    return element
  }

  /// Removes the element at a position.
  ///
  /// - Returns: The removed element.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func remove(at position: Int) -> Element {
    require(position, in: indices)
    return extract(at: position)
  }

  @inlinable
  @discardableResult
  mutating func extract(at position: Int) -> Element {
    let (element, label) = rows.remove(at: position)
    index.remove(HashEntry(hash: Self.hash(element.id), label: label))
    return element
  }

  /// Removes the elements at some positions, such as the `IndexSet` of a list view.
  ///
  /// - Complexity: O(*k* log *n*) in the number of positions.
  @inlinable
  public mutating func remove(atOffsets offsets: some Sequence<Int>) {
    for position in Set(offsets).sorted(by: >) { remove(at: position) }
  }

  /// Removes all elements that satisfy a condition, and keeps the order of the others.
  ///
  /// If `shouldRemove` throws, nothing is removed.
  ///
  /// - Complexity: O(*n*) to look at the elements, and O(*k* log *n*) to remove *k* of them.
  @inlinable
  public mutating func removeAll<Failure: Error>(
    where shouldRemove: (Element) throws(Failure) -> Bool
  ) throws(Failure) {
    let removed = try positions(where: shouldRemove)
    if removed.count == count { return removeAll() }
    for position in removed.reversed() { extract(at: position) }
  }

  @inlinable
  func positions<Failure: Error>(
    where isMeant: (Element) throws(Failure) -> Bool
  ) throws(Failure) -> ContiguousArray<Int> {
    var (position, positions) = (0, ContiguousArray<Int>())
    for element in self {
      if try isMeant(element) { positions.append(position) }
      position += 1
    }
    return positions
  }

  /// Removes all elements.
  public mutating func removeAll(keepingCapacity: Bool = false) { self = Entities() }

  /// The elements that satisfy a condition, in their order.
  ///
  /// What it has in common with this collection is shared. For a plain array, write the type.
  ///
  /// - Complexity: O(*n*).
  @inlinable
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Entities {
    var (number, kept) = (0, ContiguousArray<Bool>())
    kept.reserveCapacity(count)
    for element in self {
      let isKept = try isIncluded(element)
      kept.append(isKept)
      if isKept { number += 1 }
    }
    // Few are removed from a copy, which shares the others; few that are left are put together.
    if number > count / 4 * 3 {
      var copy = self
      for position in kept.indices.reversed() where !kept[position] { copy.extract(at: position) }
      return copy
    }
    var builder = RowTreeBuilder<Element>()
    var position = 0
    rows.forEachRow { element, label in
      if kept[position] { builder.append(element, label) }
      position += 1
    }
    return Entities(distinct: builder.finish())
  }
}

// MARK: Labels

extension Entities {
  /// Inserts a row at the place of its label, which no other row has.
  @inlinable
  mutating func insert(_ element: Element, label: UInt64) {
    rows.insert(element, label, at: rows.rank(of: label))
    index.insert(HashEntry(hash: Self.hash(element.id), label: label))
  }

  /// Removes the row with a label; nil if there is none.
  @inlinable
  @discardableResult
  mutating func remove(label: UInt64) -> Element? {
    rows.position(of: label).map { extract(at: $0) }
  }

  /// Replaces the row with a label by one with the same id; false if there is none.
  @inlinable
  @discardableResult
  mutating func replace(_ label: UInt64, with element: Element) -> Bool {
    guard let place = rows.unsharedPlace(of: label) else { return false }
    place.element = element
    return true
  }

  /// A label for a row that is inserted at a position.
  @inlinable
  mutating func freeLabel(at position: Int) -> UInt64 {
    let label = RowLabels.between(rows.label(at: position - 1), rows.label(at: position))
    return label ?? respread(at: position)
  }

  /// Spreads the labels of the rows around a position, where none is free, and returns a free one.
  ///
  /// More rows are spread at a greater distance, so that those of a small reach fill up many times before a larger one
  /// is spread: for each of many rows inserted at one place, some six others get a new label, and at most O(log *n*).
  @usableFromInline
  mutating func respread(at position: Int) -> UInt64 {
    var (reach, least) = (RowNode.capacity / 4, UInt64(1) << 8)
    while true {
      let (start, end) = (Swift.max(0, position - reach), Swift.min(count, position + reach))
      let isWhole = start == 0 && end == count
      let low = rows.label(at: start - 1) ?? (isWhole ? RowLabels.first : 0)
      let distance = Swift.min(
        RowLabels.step, ((rows.label(at: end) ?? .max) - low) / UInt64(end - start + 1))
      if distance >= least || isWhole {
        rows.setLabels(start..<end) {
          low + distance * UInt64($0 - start + 1)
        } _: {
          index.replace(HashEntry(hash: Self.hash($0.id), label: $1), with: $2)
        }
        return freeLabel(at: position)
      }
      reach *= 2
      least = Swift.min(least * 4, RowLabels.step / 4)
    }
  }
}

// MARK: An id that occurs twice

/// The error of making `Entities` from elements of which two have the same id.
public struct DuplicateIDError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The id, as text.
  public let id: String
  /// The type of the elements, as text.
  public let element: String
  /// The position of the second element with that id.
  public let position: Int

  @usableFromInline
  init(id: String, element: String, position: Int) {
    (self.id, self.element, self.position) = (id, element, position)
  }

  /// The error, its place, and the remedy.
  public var description: String {
    """
    Lensed: the element at position \(position) has the id \(id), which an earlier \(code: element) has. \
    Give each element its own id, or pass uniquingIDsWith: to choose between the two.
    """
  }
}
