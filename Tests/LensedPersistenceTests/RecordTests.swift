import Foundation
import LensedPersistence
import LensedTestSupport
import Testing

/// What a file of records holds, as its reader sees it.
private struct Reading: Equatable {
  var texts: [String] = []
  var tornAt: UInt64?
  var damagedAt: UInt64?

  init(_ bytes: [UInt8], endingAt end: UInt64? = nil) {
    var reader = RecordReader(file: "file", endingAt: end) { offset, count in
      Array(bytes.dropFirst(Int(offset)).prefix(count))
    }
    do {
      while let record = try reader.next() {
        texts.append(String(decoding: record.json, as: UTF8.self))
      }
      tornAt = reader.tornAt
    } catch {
      damagedAt = (error as? RecordDamage)?.byte
    }
  }
}

/// Groups of records, each with a mark behind it where it was synced.
private struct Sample {
  var bytes: [UInt8] = []
  var texts: [String] = []
  /// Where each line ends; marks included.
  var ends: [UInt64] = []
  private var writer = RecordWriter()

  mutating func add(_ text: String) {
    writer.add(text.utf8, to: &bytes)
    texts.append(text)
    ends.append(writer.offset)
  }

  mutating func addMark() {
    bytes += writer.mark()
    ends.append(writer.offset)
  }

  /// A few groups, all synced.
  static func make(_ count: Int, marked: Bool = true, seed: UInt64 = 1) -> Sample {
    var (sample, generator) = (Sample(), SeededGenerator(seed: seed))
    for number in 0..<count {
      let padding = String(repeating: "x", count: Int.random(in: 0..<30, using: &generator))
      sample.add(#"{"number":\#(number),"padding":"\#(padding)"}"#)
      if marked && Bool.random(using: &generator) { sample.addMark() }
    }
    if marked { sample.addMark() }
    return sample
  }
}

@Suite struct RecordTests {
  @Test func `the check is CRC-32C`() {
    var check = Checksum()
    check.add([UInt8]("123456789".utf8)[...])
    #expect(check.value == 0xe306_9283)
    var zeros = Checksum()
    zeros.add([UInt8](repeating: 0, count: 32)[...])
    #expect(zeros.value == 0x8a91_36aa)
    var pieces = Checksum()
    for byte in "123456789".utf8 { pieces.add([byte][...]) }
    #expect(pieces.value == check.value)
  }

  @Test func `a record is a line of check, length and JSON`() {
    var (writer, bytes) = (RecordWriter(), [UInt8]())
    writer.add(#"{"head":1}"#.utf8, to: &bytes)
    let line = String(decoding: bytes, as: UTF8.self)
    #expect(line.hasSuffix(#" 10 {"head":1}"# + "\n"))
    #expect(line.utf8.count == 8 + 4 + 10 + 1)
    #expect(writer.offset == UInt64(bytes.count))
  }

  @Test func `what was written is read`() {
    let sample = Sample.make(50)
    #expect(Reading(sample.bytes).texts == sample.texts)
    #expect(Reading(sample.bytes).tornAt == nil)
    #expect(Reading([]).texts.isEmpty)
    #expect(Reading(sample.bytes, endingAt: UInt64(sample.bytes.count)).texts == sample.texts)
  }

  @Test func `a record longer than what is read at once is read`() {
    var sample = Sample()
    sample.add(#"{"a":"\#(String(repeating: "y", count: 300_000))"}"#)
    sample.add(#"{"b":1}"#)
    #expect(Reading(sample.bytes).texts == sample.texts)
  }

  @Test func `a file cut at any byte ends before the record that is cut`() {
    let sample = Sample.make(8 * VerificationLength.factor)
    for count in 0...sample.bytes.count {
      let reading = Reading(Array(sample.bytes.prefix(count)))
      let whole = sample.ends.last { $0 <= UInt64(count) } ?? 0
      #expect(reading.damagedAt == nil)
      #expect(reading.tornAt == (whole == UInt64(count) ? nil : whole), "cut at \(count)")
      #expect(reading.texts == Array(sample.texts.prefix(reading.texts.count)))
    }
  }

  @Test func `any bit that flips before a mark is found, at the record that has it`() {
    let sample = Sample.make(3 + 3 * VerificationLength.factor)
    let lastMark = sample.ends.dropLast().last ?? 0
    for index in sample.bytes.indices {
      for bit in 0..<8 {
        var bytes = sample.bytes
        bytes[index] ^= 1 << bit
        let reading = Reading(bytes)
        let start = sample.ends.last { $0 <= UInt64(index) } ?? 0
        if start < lastMark {
          #expect(reading.damagedAt == start, "byte \(index), bit \(bit)")
        } else {
          // The last mark itself.
          #expect(reading.tornAt == start && reading.texts == sample.texts)
        }
      }
    }
  }

  @Test func `without a mark behind it, what does not fit is the torn tail`() {
    let sample = Sample.make(5, marked: false)
    for index in sample.bytes.indices {
      var bytes = sample.bytes
      bytes[index] ^= 1
      let start = sample.ends.last { $0 <= UInt64(index) } ?? 0
      #expect(Reading(bytes).tornAt == start)
      #expect(Reading(bytes, endingAt: UInt64(bytes.count)).damagedAt == start)
    }
  }

  @Test func `lines that were removed, repeated or exchanged do not fit`() {
    let sample = Sample.make(4, marked: false)
    let starts = [0] + sample.ends.map { Int($0) }
    let lines = (0..<4).map { Array(sample.bytes[starts[$0]..<starts[$0 + 1]]) }
    #expect(Reading(Array(lines[1...].joined())).tornAt == 0)
    #expect(Reading(lines[0] + lines[0]).texts.count == 1)
    #expect(Reading(lines[0] + lines[2] + lines[1]).texts.count == 1)
  }

  @Test func `a mark counts only in its own place`() {
    var sample = Sample.make(2, marked: false)
    let mark = RecordWriter().markLine
    sample.bytes[3] ^= 1
    #expect(Reading(sample.bytes + mark).tornAt == 0)
  }

  @Test func `a length that the file does not have costs no memory and is the tail`() {
    let bytes = [UInt8]("00000000 1073741824 {".utf8)
    #expect(Reading(bytes).tornAt == 0)
    #expect(Reading([UInt8]("00000000 1073741825 {".utf8)).tornAt == 0)
    #expect(Reading([UInt8]("00000000 99999999999999 {".utf8)).tornAt == 0)
    #expect(Reading([UInt8](repeating: 0, count: 200_000)).tornAt == 0)
  }

  @Test func `a mark far behind the damage is found`() {
    var sample = Sample()
    sample.add(#"{"a":1}"#)
    sample.add(#"{"a":"\#(String(repeating: "z", count: 200_000))"}"#)
    sample.addMark()
    sample.bytes[12] ^= 4
    #expect(Reading(sample.bytes).damagedAt == 0)
  }

  @Test func `records that end at, before or behind a block are read, and damage in them is found`()
  {
    // Beside the large blocks each place in the long form only.
    let (all, some) = (Array(-20...20), [-20, -9, -8, -2, -1, 0, 1, 2, 8, 9, 20])
    for block in [4_096, 65_536, 131_072] {
      for beside in block == 4_096 || VerificationLength.factor > 1 ? all : some {
        var sample = Sample()
        // The first line ends so many bytes beside the block.
        let head = RecordSyntaxSizes.head(of: block + beside)
        sample.add(#"{"a":"\#(String(repeating: "z", count: block + beside - head))"}"#)
        sample.add(#"{"b":1}"#)
        sample.addMark()
        #expect(sample.ends.first == UInt64(block + beside))
        let whole = Reading(sample.bytes)
        #expect(whole.texts.count == 2 && whole.tornAt == nil && whole.damagedAt == nil)
        for byte in [0, 12, block + beside - 1] {
          var damaged = sample.bytes
          damaged[byte] ^= 1
          #expect(Reading(damaged).damagedAt == 0, "byte \(byte) beside \(beside) of \(block)")
        }
        var damaged = sample.bytes
        damaged[block + beside + 3] ^= 1
        #expect(Reading(damaged).damagedAt == UInt64(block + beside), "\(beside) of \(block)")
      }
    }
  }

  @Test func `places beyond 4 GiB are read like others`() {
    for start in [UInt64(1) << 31, 1 << 32, 1 << 40, .max >> 1] {
      for offset in (start - 40)...(start + 1) {
        var (writer, bytes) = (RecordWriter(at: offset), [UInt8]())
        writer.add(#"{"a":1}"#.utf8, to: &bytes)
        writer.add(#"{"b":2}"#.utf8, to: &bytes)
        bytes += writer.mark()
        func read(_ bytes: [UInt8]) -> (count: Int, fault: UInt64?) {
          var reader = RecordReader(file: "file", from: offset) { place, count in
            Array(bytes.dropFirst(Int(place - offset)).prefix(count))
          }
          var count = 0
          do {
            while try reader.next() != nil { count += 1 }
          } catch {
            return (count, (error as? RecordDamage)?.byte)
          }
          return (count, nil)
        }
        #expect(read(bytes) == (2, nil), "\(offset)")
        bytes[10] ^= 1
        #expect(read(bytes) == (0, offset), "\(offset)")
      }
    }
  }

  @Test func `a file of records on the disk is read while it is written`() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    let file = try RecordFile(creating: url)
    try file.append(Array(#"{"a":1}"#.utf8), .commit)
    try file.mark()
    try file.append(Array(#"{"b":2}"#.utf8), .commit)
    try file.flush()
    try file.append(Array(#"{"c":3}"#.utf8), .commit)
    var (reader, texts) = (try RecordReader(url), [String]())
    while let record = try reader.next() {
      texts.append(String(decoding: record.json, as: UTF8.self))
    }
    #expect(texts == [#"{"a":1}"#, #"{"b":2}"#])
    #expect(reader.tornAt == nil)
    let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(throws: DiskFault.self) { _ = try RecordFile(creating: url) }
  }
}

/// How long the lines of this test are beside their text.
private enum RecordSyntaxSizes {
  /// What stands in a line of so many bytes beside the text of `{"a":""}`.
  static func head(of line: Int) -> Int {
    // The check, a space, the length, a space, the JSON without its text, a line feed.
    (1...10).map { 9 + $0 + 1 + 8 + 1 }.first { head in
      String(line - head + 8).count == head - 19
    } ?? 0
  }
}

extension RecordWriter {
  fileprivate var markLine: [UInt8] {
    var writer = self
    return writer.mark()
  }
}
