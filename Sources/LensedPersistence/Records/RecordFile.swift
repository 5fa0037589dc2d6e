package import Foundation
internal import Lensed

/// A file of records that grows: what a session is written to.
///
/// The file is the user's alone (0600), links are not followed, and a write that failed is never followed by another one.
/// A record is written when 64 KB have come together, or by `flush`.
package final class RecordFile: SessionLines {
  private struct Lines {
    let file: DiskFile
    private var writer = RecordWriter()
    private var waiting: [UInt8] = []
    private var fault: DiskFault?

    init(_ file: DiskFile) { self.file = file }

    mutating func append(_ json: [UInt8]) throws(DiskFault) {
      writer.add(json, to: &waiting)
      if waiting.count >= 65_536 { try flush() }
    }

    mutating func flush() throws(DiskFault) {
      if let fault { throw fault }
      if waiting.isEmpty { return }
      do throws(DiskFault) {
        try file.write(waiting)
      } catch {
        fault = error
        throw error
      }
      waiting.removeAll(keepingCapacity: true)
    }

    mutating func mark() throws(DiskFault) {
      try flush()
      waiting = writer.mark()
      try flush()
    }
  }

  private let lines: Locked<Lines>

  /// Makes a new file; it must not be there yet.
  package init(creating url: URL) throws(DiskFault) {
    lines = Locked(Lines(try DiskFile(url.path, .creating)))
  }

  package func append(_ json: [UInt8], _ kind: SessionLineKind) throws {
    try lines.withLock { lines throws(DiskFault) in try lines.append(json) }
  }

  package func flush() throws {
    try lines.withLock { lines throws(DiskFault) in try lines.flush() }
  }

  package func mark() throws {
    try lines.withLock { lines throws(DiskFault) in try lines.mark() }
  }
}

extension RecordReader {
  /// A reader of a file on the disk, which is open as long as the reader is there.
  package init(_ url: URL, from offset: UInt64 = 0) throws(DiskFault) {
    let file = try DiskFile(url.path, .reading)
    self.init(file: url.lastPathComponent, from: offset) { try file.read(from: $0, count: $1) }
  }
}
