extension Entities: RandomAccessCollection {
  /// The first position, 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The position after the last, which is the count.
  @inlinable
  public var endIndex: Int { elements.count }

  /// The element at a position.
  ///
  /// - Complexity: O(1).
  @inlinable
  public subscript(position: Int) -> Element { elements[order[position]] }
}

extension Entities: ExpressibleByArrayLiteral {
  /// Creates a collection from a literal; traps if two elements have the same id.
  public init(arrayLiteral elements: Element...) {
    do { try self.init(elements) } catch { fatalError(error.description) }
  }
}

extension Entities: Equatable where Element: Equatable {
  /// Whether two collections have equal elements in the same order.
  ///
  /// - Complexity: O(*n*); O(1) for collections of different lengths, and for copies that share their elements.
  @inlinable
  public static func == (left: Entities, right: Entities) -> Bool {
    if left.count != right.count { return false }
    // Copies of one collection share their arrays, which compare those by identity.
    if left.order == right.order { return left.elements == right.elements }
    return left.elementsEqual(right)
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
