/// The check of a record: CRC-32C (Castagnoli), as disks, networks and databases use it.
package struct Checksum: Sendable {
  private var register: UInt32 = ~0

  package init() {}

  /// The check of the bytes so far.
  package var value: UInt32 { ~register }

  /// Takes in further bytes, eight at a time.
  package mutating func add(_ bytes: ArraySlice<UInt8>) {
    var register = register
    var index = bytes.startIndex
    let tables = Self.tables
    while bytes.endIndex - index >= 8 {
      let low =
        register ^ UInt32(bytes[index]) ^ UInt32(bytes[index + 1]) << 8
        ^ UInt32(bytes[index + 2]) << 16 ^ UInt32(bytes[index + 3]) << 24
      register =
        tables[7 * 256 + Int(low & 0xff)] ^ tables[6 * 256 + Int(low >> 8 & 0xff)]
        ^ tables[5 * 256 + Int(low >> 16 & 0xff)] ^ tables[4 * 256 + Int(low >> 24)]
        ^ tables[3 * 256 + Int(bytes[index + 4])] ^ tables[2 * 256 + Int(bytes[index + 5])]
        ^ tables[256 + Int(bytes[index + 6])] ^ tables[Int(bytes[index + 7])]
      index += 8
    }
    while index < bytes.endIndex {
      register = register >> 8 ^ tables[Int((register ^ UInt32(bytes[index])) & 0xff)]
      index += 1
    }
    self.register = register
  }

  /// Takes in a number as eight bytes, the lowest first.
  package mutating func add(_ number: UInt64) {
    for place in 0..<8 { add(UInt8(truncatingIfNeeded: number >> (place * 8))) }
  }

  private mutating func add(_ byte: UInt8) {
    register = register >> 8 ^ Self.tables[Int((register ^ UInt32(byte)) & 0xff)]
  }

  /// Entry `table * 256 + byte`: what a byte contributes that `table` further bytes follow.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var entry = UInt32(byte)
      for _ in 0..<8 { entry = entry & 1 == 1 ? entry >> 1 ^ 0x82f6_3b78 : entry >> 1 }
      tables[byte] = entry
    }
    for index in 256..<tables.count {
      let former = tables[index - 256]
      tables[index] = former >> 8 ^ tables[Int(former & 0xff)]
    }
    return tables
  }()
}
