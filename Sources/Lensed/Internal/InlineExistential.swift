/// Where an `any P` has its value and its type.
///
/// It begins with three words: the value, if it fits there and may be moved as bytes, or else a box. Then come the type
/// and its conformance, in the form of an `any P.Type`. That is part of Swift's binary interface, and no promise of the
/// language: so what the store relies on is looked at once in a value made for it.
enum InlineExistential {
  private protocol Held: Sendable {
    static var mark: Int { get }
  }

  private struct Sample: Held, Equatable {
    static let mark = 4
    var (first, second, third) = (1, 2, 3)
  }

  /// How far behind the beginning of an `any P` its type lies, as an `any P.Type`.
  static let typeOffset = 3 * MemoryLayout<Int>.size

  /// Whether the first words of an `any P` are its value, where it has room there, and the next ones its type.
  static let isLaidOutAsKnown: Bool =
    StateAddress.reading(elementsOf: [Sample() as any Held]) { sample in
      guard MemoryLayout<any Held>.size == typeOffset + MemoryLayout<any Held.Type>.size else {
        return false
      }
      let type = sample.advanced(by: typeOffset).read((any Held.Type).self)
      return type == Sample.self && type.mark == Sample.mark
        && sample.read(Sample.self) == Sample()
    }

  /// Whether an `any P` of a value of this type has it in its first words.
  static func holds<Value>(_ type: Value.Type) -> Bool {
    _isPOD(type) && MemoryLayout<Value>.size <= typeOffset
      && MemoryLayout<Value>.alignment <= MemoryLayout<Int>.alignment && isLaidOutAsKnown
  }
}

/// Returns the value in an existential if its type is exactly `type`; a cast finds more, and searches each time.
@usableFromInline
func exactly<Value>(_ value: any Sendable, _ type: Value.Type) -> Value? {
  func read<Held: Sendable>(_ held: Held) -> Value? {
    Held.self == type ? StateAddress.reading(held, as: Held.self) { $0.read(type) } : nil
  }
  return read(value)
}
