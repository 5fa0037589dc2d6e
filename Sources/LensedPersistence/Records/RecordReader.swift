/// Reads the records of a file, one after another, with the memory of one record.
///
/// ```swift
/// var reader = RecordReader(file: "session.lensed") { offset, count in
///   try file.read(from: offset, count: count)
/// }
/// while let record = try reader.next() { use(record.json) }
/// if let byte = reader.tornAt { report("The last write ended early, at byte \(byte).") }
/// ```
///
/// A *torn tail* is the end of a file that a crash has cut short. The reader stops before it, and says where it begins. No
/// byte is removed: `FolderReader.readSegment` decides how far a folder counts, and the next writer begins a new segment.
package struct RecordReader {
  package struct Record: Sendable, Equatable {
    package var offset: UInt64
    package var json: [UInt8]
  }

  /// Reads up to so many bytes from a byte on; fewer, or none, only at the end of the file.
  package typealias Source = (_ offset: UInt64, _ count: Int) throws -> [UInt8]

  /// Where the next line begins; after the end, where the last whole one ended.
  package private(set) var offset: UInt64
  /// Where the torn tail begins, once `next` has come to it.
  ///
  /// What follows there was never synced.
  package private(set) var tornAt: UInt64?

  private let file: String
  private let end: UInt64?
  private let read: Source
  /// Bytes of the file from `offset` on that have been read already, in `buffer[start...]`.
  private var buffer: [UInt8] = []
  private var start = 0
  private var isOver = false

  /// A reader of a file.
  ///
  /// - Parameters:
  ///   - file: The name of the file, for errors.
  ///   - offset: Where its first line begins.
  ///   - end: Where the last line ends, if that is known to have been synced: then anything that does not fit before
  ///     it is damage, and what comes after it is not read.
  ///   - read: Reads bytes of the file. Its errors are thrown as they are.
  package init(
    file: String, from offset: UInt64 = 0, endingAt end: UInt64? = nil,
    reading read: @escaping Source
  ) {
    (self.file, self.offset, self.end, self.read) = (file, offset, end, read)
  }

  /// The next record; nil at the end of the file and at its torn tail.
  ///
  /// Marks are skipped.
  ///
  /// - Throws: `RecordDamage` where what was synced does not fit, and what reading throws.
  package mutating func next() throws -> Record? {
    while !isOver {
      if offset == end {
        isOver = true
        return nil
      }
      if try fill(1) == 0 {
        isOver = true
        if end != nil { throw damage("The file is shorter than it was once.", at: offset) }
        return nil
      }
      guard let record = try readLine() else { return nil }
      if record.json != RecordSyntax.mark { return record }
    }
    return nil
  }

  // MARK: One line

  private mutating func readLine() throws -> Record? {
    let available = min(try fill(RecordSyntax.maximalHead), RecordSyntax.maximalHead)
    let head: RecordSyntax.Head
    do throws(RecordSyntax.HeadFault) {
      head = try RecordSyntax.head(of: buffer[start..<start + available])
    } catch {
      return try tail(
        error == .short
          ? "The record ends before its length." : "No record begins here.")
    }
    let size = head.size + head.length + 1
    if try fill(size) < size {
      return try tail("The record has \(head.length) bytes, and the file ends before them.")
    }
    if let end, offset + UInt64(size) > end {
      return try tail("The record is longer than what was written.")
    }
    let line = buffer[start..<start + size]
    // The check is of what follows its own eight digits and the space.
    let checked = line[(start + 9)..<(start + size - 1)]
    let record = Record(offset: offset, json: [UInt8](checked.suffix(head.length)))
    if RecordSyntax.check(of: checked, at: offset) != head.check {
      return try tail("The record does not have the check that was written with it.", size)
    }
    if line.last != RecordSyntax.newline {
      return try tail("No line ends behind the record.", size)
    }
    skip(size)
    return record
  }

  /// Sees to it that so many bytes are at hand, if the file has them.
  ///
  /// - Returns: How many are at hand.
  private mutating func fill(_ count: Int) throws -> Int {
    while buffer.count - start < count {
      if start > 0 {
        buffer.removeFirst(start)
        start = 0
      }
      // A length is believed only as far as there are bytes: a long record is read in ever larger pieces.
      let wanted = max(Self.piece, min(count - buffer.count, buffer.count))
      let further = try read(offset + UInt64(buffer.count), wanted)
      if further.isEmpty { break }
      buffer += further
    }
    return buffer.count - start
  }

  private mutating func skip(_ count: Int) {
    start += count
    offset += UInt64(count)
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 4 * Self.piece)
      start = 0
    }
  }

  private static let piece = 65_536

  // MARK: The tail

  /// Decides what a line is that does not fit: the torn tail, or damage.
  ///
  /// Whatever was not synced can be lost or torn by a power cut, in any order. What stands before a mark was synced.
  private mutating func tail(_ problem: String, _ size: Int = 1) throws -> Record? {
    isOver = true
    let fault = offset
    if end != nil { throw damage(problem, at: fault) }
    var isLineStart = false
    // The line's own end first: the line feed may be what is damaged.
    if size > 1, try hasMark(after: size) { throw damage(problem, at: fault) }
    var position = 0
    while try fill(position + 1) > position {
      if isLineStart, try hasMark(after: position) { throw damage(problem, at: fault) }
      isLineStart = buffer[start + position] == RecordSyntax.newline
      position += 1
      if position == Self.piece {
        skip(position)
        position = 0
      }
    }
    (offset, tornAt) = (fault, fault)
    return nil
  }

  /// Whether a mark stands so many bytes behind `offset`.
  private mutating func hasMark(after distance: Int) throws -> Bool {
    let size = RecordSyntax.markLine
    if try fill(distance + size) < distance + size { return false }
    let line = buffer[(start + distance)..<(start + distance + size)]
    guard line.last == RecordSyntax.newline, line.dropLast().hasSuffix(RecordSyntax.mark),
      let head = try? RecordSyntax.head(of: line)
    else { return false }
    let checked = line.dropFirst(9).dropLast()
    return head.check == RecordSyntax.check(of: checked, at: offset + UInt64(distance))
  }

  private func damage(_ problem: String, at byte: UInt64) -> RecordDamage {
    RecordDamage(file: file, byte: byte, problem: problem)
  }
}

extension ArraySlice<UInt8> {
  fileprivate func hasSuffix(_ other: [UInt8]) -> Bool {
    suffix(other.count).elementsEqual(other)
  }
}

/// A record that does not fit though it had been synced: the file was damaged or changed.
package struct RecordDamage: Error, Sendable {
  package let file: String
  /// Where the line begins that does not fit.
  package let byte: UInt64
  /// What is wrong, as a sentence.
  package let problem: String
}
