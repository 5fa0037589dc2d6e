/// What a value is made of: the names of its properties and their types, as reflection shows them.
///
/// Of an enum, a collection and a class it is the name of the type.
enum Fingerprint {
  /// Eight digits that are the same for the same shape.
  static func text(of value: Any) -> String {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in shape(of: value, depth: 4).utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(UInt32(truncatingIfNeeded: sum ^ sum >> 32), radix: 16)
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
