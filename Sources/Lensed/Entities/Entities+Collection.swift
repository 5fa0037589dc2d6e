extension Entities: RandomAccessCollection {
  /// The first position, 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The position after the last, which is the count.
  @inlinable
  public var endIndex: Int { rows.count }

  /// The element at a position.
  ///
  /// To read all of them, iterate: that goes from array to array, not from the root to each. To observe one, name its id,
  /// as in `states(\.rows, id: 7)`: the key path `\.rows[1]` is read after each commit, and traps where the rows are fewer.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(position: Int) -> Element {
    require(position, in: indices)
    return rows[position]
  }

  /// Hands out the elements in order.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var rows: RowTree<Element>.Iterator

    @inlinable
    init(_ rows: RowTree<Element>) { self.rows = RowTree.Iterator(rows) }

    /// The next element; nil after the last.
    @inlinable
    public mutating func next() -> Element? { rows.next() }
  }

  /// Makes an iterator, which keeps the elements as they are now.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(rows) }

  /// An array of what a closure makes of each element, in order.
  @inlinable
  public func map<Result, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Result
  ) throws(Failure) -> [Result] {
    var results: [Result] = []
    results.reserveCapacity(count)
    for element in self { results.append(try transform(element)) }
    return results
  }
}

extension Entities.Iterator: Sendable where Element: Sendable {}

extension Entities: ExpressibleByArrayLiteral {
  /// Creates a collection from a literal; traps if two elements have the same id.
  public init(arrayLiteral elements: Element...) {
    do { try self.init(elements) } catch { fatalError(error.description) }
  }
}

extension Entities: Equatable where Element: Equatable {
  /// Whether two collections have equal elements in the same order.
  ///
  /// What two versions share is not compared, as that of two arrays is not.
  ///
  /// - Complexity: What differs; O(1) for collections of different lengths, and O(*n*) for those that share nothing.
  @inlinable
  public static func == (left: Entities, right: Entities) -> Bool {
    left.rows.isEqual(right.rows, by: ==)
  }
}

extension Entities: Hashable where Element: Hashable {
  /// Hashes the elements in their order.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}

extension Entities: Encodable where Element: Encodable {
  /// Encodes the elements as an array.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension Entities: Decodable where Element: Decodable {
  /// Decodes an array of elements.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with a `DuplicateIDError` if two have the same id.
  public init(from decoder: any Decoder) throws {
    let elements = try [Element](from: decoder)
    do {
      try self.init(elements)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: error.description,
          underlyingError: error))
    }
  }
}

extension Entities: CustomStringConvertible, CustomReflectable {
  /// The elements, as an array prints them.
  public var description: String { "\(Array(self))" }

  /// The elements, as an array is reflected.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: self, displayStyle: .collection)
  }
}
