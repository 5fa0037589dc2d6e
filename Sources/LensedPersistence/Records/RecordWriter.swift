// Records: a file of lines, each of them a check, a length and JSON. docs/format.md describes it for other programs.
//
//   1. A `RecordWriter` turns JSON into lines. It is pure: its owner writes the bytes where they belong.
//   2. When everything before a byte has been synced, a *mark* may follow there. It needs no sync of its own.
//   3. A `RecordReader` reads lines with bounded memory. The first line that does not fit is the torn tail of an
//      interrupted write, unless a mark stands behind it: then what was on the disk has been damaged.

/// Turns JSON into the lines of a file, from a byte of it on.
///
/// ```swift
/// var writer = RecordWriter()
/// var bytes: [UInt8] = []
/// writer.add(#"{"head":1}"#.utf8, to: &bytes)
/// try file.append(bytes)
/// try file.sync()
/// try file.append(writer.mark())
/// ```
package struct RecordWriter: Sendable {
  /// Where in the file the next line begins.
  package private(set) var offset: UInt64

  package init(at offset: UInt64 = 0) {
    self.offset = offset
  }

  /// Adds a line.
  ///
  /// - Precondition: The JSON has no line break outside of its strings, as encoders write it unless they are told
  ///   to make it pretty.
  package mutating func add(_ json: some Collection<UInt8>, to bytes: inout [UInt8]) {
    add(to: &bytes, length: json.count) { $0 += json }
  }

  /// Adds a line whose JSON is appended, of a length that is known before.
  mutating func add(
    to bytes: inout [UInt8], length: Int, appending json: (inout [UInt8]) -> Void
  ) {
    let start = bytes.count
    for _ in 0..<8 { bytes.append(RecordSyntax.zero) }
    bytes.append(RecordSyntax.space)
    let checked = bytes.count
    bytes += String(length).utf8
    bytes.append(RecordSyntax.space)
    json(&bytes)
    var check = RecordSyntax.check(of: bytes[checked...], at: offset)
    for index in (start..<start + 8).reversed() {
      bytes[index] = RecordSyntax.digit(check & 0xf)
      check >>= 4
    }
    bytes.append(RecordSyntax.newline)
    offset += UInt64(bytes.count - start)
  }

  /// The line that says that all bytes before it have been synced.
  package mutating func mark() -> [UInt8] {
    var bytes: [UInt8] = []
    add(RecordSyntax.mark, to: &bytes)
    return bytes
  }
}

/// What a line looks like: `1a2b3c4d 11 {"head":1}` and a line feed.
///
/// The check is that of the line's place in the file, as eight bytes with the lowest first, and of what stands
/// between the first space and the line feed. So a line fits only where it was written: lines that were removed,
/// repeated or exchanged do not.
enum RecordSyntax {
  static let space = UInt8(ascii: " ")
  static let newline = UInt8(ascii: "\n")
  static let zero = UInt8(ascii: "0")
  static let mark = [UInt8](#"{"synced":true}"#.utf8)
  static let maximalLength = 1 << 30
  /// How long the check, the length and the two spaces are at most.
  static let maximalHead = 8 + 1 + 10 + 1
  /// How long a mark is as a line.
  static let markLine = 8 + 1 + 2 + 1 + mark.count + 1

  static func check(of bytes: ArraySlice<UInt8>, at offset: UInt64) -> UInt32 {
    var check = Checksum()
    check.add(offset)
    check.add(bytes)
    return check.value
  }

  static func digit(_ value: UInt32) -> UInt8 {
    UInt8(value) + (value < 10 ? zero : UInt8(ascii: "a") - 10)
  }

  /// The check and the length that a line begins with.
  struct Head: Equatable {
    var check: UInt32
    var length: Int
    /// How many bytes come before the JSON.
    var size: Int
  }

  /// Why a line has no head.
  enum HeadFault: Error, Equatable {
    /// The file ends too early.
    case short
    /// Something else stands there.
    case foreign
  }

  /// Reads the head that bytes begin with; only the one way of writing it fits.
  static func head(of bytes: ArraySlice<UInt8>) throws(HeadFault) -> Head {
    var (check, length, index) = (UInt32(0), 0, bytes.startIndex)
    for _ in 0..<8 {
      if index == bytes.endIndex { throw .short }
      guard let digit = value(of: bytes[index]) else { throw .foreign }
      check = check << 4 | UInt32(digit)
      index += 1
    }
    if index == bytes.endIndex { throw .short }
    if bytes[index] != space { throw .foreign }
    index += 1
    let first = index
    while index < bytes.endIndex, bytes[index] != space {
      guard let digit = value(of: bytes[index]), digit < 10, index - first < 10 else {
        throw .foreign
      }
      if digit == 0 && index == first { throw .foreign }
      length = length * 10 + Int(digit)
      index += 1
    }
    if index == bytes.endIndex { throw .short }
    if index == first || length > maximalLength { throw .foreign }
    return Head(check: check, length: length, size: index + 1 - bytes.startIndex)
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
