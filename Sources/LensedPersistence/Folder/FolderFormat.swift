internal import Foundation
internal import Lensed

// What the files of a folder say; docs/format.md describes it for other programs.
//
//   segment-N.lensed   a head, and then groups: the parts that a commit left differently, and the commit
//   snapshot-N.lensed  a head, all parts, and the commit: the state in which segment N begins
//   lock               nothing; the owner of the folder has a lock on it
//
// Each segment names the one before it, and how many bytes of that were synced. So a segment that was given up, or
// whose tail is torn, is followed by another one, and nothing is ever written over.

enum FolderFormat {
  static let version = 1

  static func segment(_ number: UInt64) -> String { "segment-\(number).lensed" }
  static func snapshot(_ number: UInt64) -> String { "snapshot-\(number).lensed" }
  static func unfinishedSnapshot(_ number: UInt64) -> String { "snapshot-\(number).new" }
  static func aside(_ file: String) -> String { "damaged-\(file)" }
  /// What a file is called while it is copied aside.
  static func unfinishedAside(_ file: String) -> String {
    "damaged-\(file.dropLast(".lensed".count)).new"
  }

  /// The number of a file that is called so.
  static func number(of file: String, _ prefix: String, _ suffix: String = ".lensed") -> UInt64? {
    guard file.hasPrefix(prefix), file.hasSuffix(suffix) else { return nil }
    let digits = file.dropFirst(prefix.count).dropLast(suffix.count)
    guard let number = UInt64(digits), String(number) == digits else { return nil }
    return number
  }
}

struct SegmentPlace: Sendable, Equatable {
  var segment: UInt64
  var bytes: UInt64
}

/// Where a record stands, for errors.
struct RecordPlace: Sendable {
  var file: String
  var byte: UInt64

  func damage(_ problem: String) -> PersistenceError {
    .damaged(file: file, byte: byte, problem: problem)
  }
}

enum FolderRecord {
  case segment(SegmentHead)
  case snapshot(SnapshotHead)
  case commit(UInt64)
  case part(PartRecord)

  struct SegmentHead: Codable, Equatable {
    var segment: UInt64
    var format: Int
    var after: After?

    /// What it follows: so many bytes of a segment, or a snapshot behind which there was none.
    struct After: Codable, Equatable {
      var segment: UInt64?
      var bytes: UInt64?
      var snapshot: UInt64?
    }
  }

  struct SnapshotHead: Codable, Equatable {
    var snapshot: UInt64
    var format: Int
  }

  private struct Commit: Codable { var commit: UInt64 }

  /// Reads a record; its keys come in one order.
  init(_ json: [UInt8], at place: RecordPlace) throws(PersistenceError) {
    do {
      if json.starts(with: Self.partStart) {
        guard let part = PartRecord(json) else {
          throw place.damage("The record names no part as this version writes it.")
        }
        self = .part(part)
      } else if json.starts(with: Self.commitStart) {
        self = .commit(try JSONDecoder().decode(Commit.self, from: Data(json)).commit)
      } else if json.starts(with: Self.segmentStart) {
        self = .segment(try JSONDecoder().decode(SegmentHead.self, from: Data(json)))
      } else if json.starts(with: Self.snapshotStart) {
        self = .snapshot(try JSONDecoder().decode(SnapshotHead.self, from: Data(json)))
      } else {
        throw place.damage("The record is of no kind that this version knows.")
      }
    } catch let error as PersistenceError {
      throw error
    } catch {
      throw place.damage("The record cannot be read: \(error).")
    }
  }

  static func isCommit(_ json: [UInt8]) -> Bool { json.starts(with: commitStart) }

  static func head(
    ofSegment number: UInt64, after place: SegmentPlace?, snapshot: UInt64
  ) -> String {
    var after = ""
    if let place {
      after = #","after":{"segment":\#(place.segment),"bytes":\#(place.bytes)}"#
    } else if snapshot > 0 {
      after = #","after":{"snapshot":\#(snapshot)}"#
    }
    return #"{"segment":\#(number),"format":\#(FolderFormat.version)\#(after)}"#
  }

  static func head(ofSnapshot number: UInt64) -> String {
    #"{"snapshot":\#(number),"format":\#(FolderFormat.version)}"#
  }

  static func commit(_ revision: UInt64) -> String { #"{"commit":\#(revision)}"# }

  private static let partStart = [UInt8](#"{"part":""#.utf8)
  private static let commitStart = [UInt8](#"{"commit":"#.utf8)
  private static let segmentStart = [UInt8](#"{"segment":"#.utf8)
  private static let snapshotStart = [UInt8](#"{"snapshot":"#.utf8)
}

/// What a record says of a part: `{"part":"cards","version":2,"edited":[…]}`.
struct PartRecord {
  enum Verb: String, Sendable {
    /// The value of the part.
    case value
    /// There are no rows.
    case cleared
    /// Rows to remove, by id or key.
    case removed
    /// Rows that come instead of those with their ids.
    case edited
    /// Rows at the end.
    case appended
    /// Rows that come, or go, behind another one.
    case placed
    /// Keys with their values.
    case entries
  }

  var name: String
  var version: Int
  var verb: Verb
  var content: ArraySlice<UInt8>

  init?(_ json: [UInt8]) {
    var scanner = Scanner(rest: json[...])
    guard scanner.skip(#"{"part":"#), let name = scanner.string(), scanner.skip(#","version":"#),
      let version = scanner.number(), scanner.skip(","), let key = scanner.string(),
      let verb = Verb(rawValue: key), scanner.skip(":"), scanner.rest.last == UInt8(ascii: "}")
    else { return nil }
    (self.name, self.version, self.verb) = (name, version, verb)
    content = scanner.rest.dropLast()
  }

  /// What the records of a part begin with, up to the verb.
  static func start(_ name: String, _ version: Int) -> [UInt8] {
    var bytes = [UInt8](#"{"part":"#.utf8)
    JSONText.write(name, to: &bytes)
    return bytes + #","version":\#(version),""#.utf8
  }

  private struct Scanner {
    var rest: ArraySlice<UInt8>

    mutating func skip(_ text: String) -> Bool {
      guard rest.starts(with: text.utf8) else { return false }
      rest = rest.dropFirst(text.utf8.count)
      return true
    }

    mutating func number() -> Int? {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(digits.count)
      return Int(String(decoding: digits, as: UTF8.self))
    }

    mutating func string() -> String? {
      guard rest.first == UInt8(ascii: "\"") else { return nil }
      var (index, isEscaped) = (rest.startIndex + 1, false)
      while index < rest.endIndex, isEscaped || rest[index] != UInt8(ascii: "\"") {
        isEscaped = !isEscaped && rest[index] == UInt8(ascii: "\\")
        index += 1
      }
      if index == rest.endIndex { return nil }
      let quoted = rest[rest.startIndex...index]
      rest = rest[(index + 1)...]
      return try? JSONDecoder().decode(String.self, from: Data(quoted))
    }
  }
}

/// Why a value cannot be encoded, whatever its type threw.
struct EncodingFault: Error {
  let reason: String
}

/// Values as JSON, as all files of this package have them.
enum JSONValue {
  static func encode(_ value: some Encodable) throws(EncodingFault) -> [UInt8] {
    let json: [UInt8]
    do {
      json = [UInt8](try encoder.encode(value))
    } catch {
      throw EncodingFault(reason: Redaction.coding(error))
    }
    if hasNaN(json) {
      throw EncodingFault(
        reason: """
          a `Decimal` in it is `Decimal.nan`, and JSON has no such number. Make it optional, and nil where there is no \
          number
          """)
    }
    return json
  }

  /// Whether a `NaN` stands outside of strings, where no decoder takes it: `JSONEncoder` writes that for `Decimal.nan`.
  private static func hasNaN(_ json: [UInt8]) -> Bool {
    if !json.contains(UInt8(ascii: "N")) { return false }
    var (isString, isEscaped) = (false, false)
    for byte in json {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\"") {
        isString.toggle()
      } else if isString {
        isEscaped = byte == UInt8(ascii: "\\")
      } else if byte == UInt8(ascii: "N") {
        return true
      }
    }
    return false
  }

  /// Numbers that JSON has not are written as text.
  ///
  /// One encodes for all: to make one costs as much as to encode a small row.
  private static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }()

  static func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}
