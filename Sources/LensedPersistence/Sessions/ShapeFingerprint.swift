internal import Lensed

/// What a value is made of: the names of its properties and their types, as reflection shows them.
///
/// Of an enum, a collection and a class it is the name of the type.
enum ShapeFingerprint {
  /// Eight digits that are the same for the same shape.
  static func text(of value: Any) -> String {
    var sum = FNV1a()
    sum.mix(shape(of: value, depth: 4))
    let digits = String(UInt32(truncatingIfNeeded: sum.value ^ sum.value >> 32), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  private static func shape(of value: Any, depth: Int) -> String {
    let name = "\(type(of: value))"
    let mirror = Mirror(reflecting: value)
    guard depth > 0, mirror.displayStyle == .struct || mirror.displayStyle == .tuple else {
      return name
    }
    let properties = mirror.children.map { child in
      "\(child.label ?? "_"):\(shape(of: child.value, depth: depth - 1))"
    }
    return "\(name){\(properties.joined(separator: ","))}"
  }
}
