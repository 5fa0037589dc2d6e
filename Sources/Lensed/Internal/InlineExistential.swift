/// Which values an `any P` holds in its own memory.
///
/// An `any P` begins with a buffer of three words. A value that fits in it, and may be moved as bytes, lies there; any
/// other lies in a box. That is part of Swift's binary interface, and no promise of the language: so what the
/// store relies on is looked at once in a value made for it.
enum InlineExistential {
  private protocol Held: Sendable {}

  private struct Sample: Held, Equatable {
    var (first, second, third) = (1, 2, 3)
  }

  /// Whether the first words of an `any P` are its value, where it has room there.
  private static let liesInFront: Bool =
    StateAddress.reading(elementsOf: [Sample() as any Held]) { $0.read(Sample.self) == Sample() }

  /// Whether an `any P` of a value of this type has it in its first words.
  static func holds<Value>(_ type: Value.Type) -> Bool {
    _isPOD(type) && MemoryLayout<Value>.size <= 3 * MemoryLayout<Int>.size
      && MemoryLayout<Value>.alignment <= MemoryLayout<Int>.alignment && liesInFront
  }
}
