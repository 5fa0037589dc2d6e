package import Foundation

/// A file of records that grows: what a session is written to.
///
/// It is not shared: its writer has it behind a lock or on a task of its own. The file is the user's alone
/// (0600), links are not followed, and a write that failed is never followed by another one.
///
/// ```swift
/// var file = try RecordFile(creating: url)
/// try file.append(#"{"head":1}"#.utf8)
/// try file.flush()
/// ```
package struct RecordFile: ~Copyable {
  private let file: DiskFile
  private var writer: RecordWriter
  private var waiting: [UInt8] = []
  private var fault: DiskFault?

  /// Makes a new file; it must not be there yet.
  package init(creating url: URL) throws(DiskFault) {
    file = try DiskFile(url.path, .creating)
    writer = RecordWriter()
  }

  /// How many bytes the records have so far, those that wait included.
  package var count: UInt64 { writer.offset }

  /// Adds a record.
  ///
  /// It is written when 64 KB have come together, or by `flush`.
  package mutating func append(_ json: some Collection<UInt8>) throws(DiskFault) {
    writer.add(json, to: &waiting)
    if waiting.count >= 65_536 { try flush() }
  }

  /// Hands what waits to the operating system: it outlives the process then, however that ends.
  package mutating func flush() throws(DiskFault) {
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

  /// As `flush`, and then says in the file that all before is whole: what does not fit there from now on is damage.
  package mutating func mark() throws(DiskFault) {
    try flush()
    waiting = writer.mark()
    try flush()
  }

  /// As `mark`, once the disk has everything: it outlives a power cut.
  package mutating func sync() throws(DiskFault) {
    try flush()
    try file.sync()
    try mark()
  }
}

extension RecordReader {
  /// A reader of a file on the disk, which is open as long as the reader is there.
  package init(_ url: URL, from offset: UInt64 = 0) throws(DiskFault) {
    let file = try DiskFile(url.path, .reading)
    self.init(file: url.lastPathComponent, from: offset) { try file.read(from: $0, count: $1) }
  }
}
