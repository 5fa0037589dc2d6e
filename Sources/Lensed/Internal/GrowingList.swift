/// A list that grows at its end, with value semantics, whose copies share what they have in common.
///
/// An array that is held twice is copied when it grows. Copies of this list share one storage. The longest
/// copy appends to it in place; every other copy first copies its elements.
///
/// - Complexity: Copying is O(1). `append` is amortised O(1), but O(*n*) for a list that another copy has
///   outgrown. A copy keeps alive the elements that were appended after it was made.
struct GrowingList<Element: Sendable>: Sendable {
  private final class Storage: Sendable {
    let elements: Locked<[Element]>

    init(_ elements: [Element]) {
      self.elements = Locked(elements)
    }
  }

  private var storage: Storage
  private(set) var count: Int

  init(_ elements: [Element]) {
    storage = Storage(elements)
    count = elements.count
  }

  /// The elements; while the slice is held, the next `append` copies all of them.
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
