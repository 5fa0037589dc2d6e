/// A list that grows at its end, with value semantics, whose copies share what they have in common.
///
/// An array that is held twice is copied when it grows. Of this list, the one that still reaches to the
/// end of the shared elements appends to them; any other makes a copy of its own.
///
/// - Complexity: A copy is O(1), and `append` O(1) amortised, but O(*n*) for a list that another copy has
///   outgrown. A copy keeps the elements that were appended after it was made.
struct GrowingList<Element: Sendable>: Sendable {
  private final class Storage: Sendable {
    let elements: Locked<[Element]>

    init(_ elements: [Element]) {
      self.elements = Locked(elements)
    }
  }

  private var storage: Storage
  private(set) var count: Int

  init(_ elements: [Element] = []) {
    storage = Storage(elements)
    count = elements.count
  }

  /// The elements; while somebody holds them, the next `append` copies all.
  var elements: ArraySlice<Element> { storage.elements.withLock { $0 }.prefix(count) }

  mutating func append(_ element: Element) {
    append(contentsOf: CollectionOfOne(element))
  }

  mutating func append(contentsOf new: some Collection<Element> & Sendable) {
    let (storage, count) = (storage, count)
    let isLongest = storage.elements.withLock { elements in
      if elements.count != count { return false }
      elements.append(contentsOf: new)
      return true
    }
    if !isLongest { self.storage = Storage(Array(elements) + new) }
    self.count += new.count
  }
}
