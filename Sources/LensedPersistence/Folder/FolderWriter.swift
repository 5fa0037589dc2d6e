internal import Lensed

// Writes a folder: groups at the end of a segment, and snapshots beside that.
//
//   1. A group is what a commit left differently, as one: its parts, and its commit. It is appended, and synced.
//   2. A mark follows, which needs no sync: what stands before it and does not fit later was damaged. It comes with the
//      next group, if that is due already.
//   3. A write that failed is never followed by another one in the same segment: what of it is there is unknown. The
//      next segment says how far the one before it is good.
//   4. When the segments outgrow the snapshot, a snapshot is written beside them, and the next group begins a segment
//      of its number, whether the snapshot is ready by then or not. What is older goes once the snapshot is safe.
//
// Mutable state: all of it belongs to the queue of the writer that has it, but for `writeSnapshot`, which needs none.

struct FolderWriter: Sendable {
  struct Group: Sendable {
    struct Part: Sendable {
      var name: String
      var version: Int
      var content: any PartVersion
      var base: (any PartVersion)?
    }

    var parts: [Part]
    var revision: UInt64
  }

  private let storage: any PersistenceStorage
  /// How large the segments may grow before they are compacted, however small the snapshot is.
  private let minimum: UInt64
  private var next: UInt64
  /// The last byte that is synced, and that the next segment follows.
  private var end: SegmentPlace?
  /// The last snapshot that is safe; 0 without one.
  private var snapshot: UInt64
  /// The snapshot, and the segments behind it that have a group: without one of them, the others cannot be read.
  private var files: Set<String>
  /// Whether what was found has not been synced by this writer yet.
  private var isUnsynced: Bool
  private var current: (number: UInt64, writer: RecordWriter)?
  /// Whether the last group of the segment has no mark yet.
  private var isMarkDue = false
  private var segmentBytes: UInt64
  private var segments: Int
  private var threshold: UInt64
  private var garbage: [String]
  /// Whether a part of what is there was lost, so that nothing can be added to it: `rewrite` has to write all parts.
  private(set) var mustRewrite = false

  init(
    _ storage: any PersistenceStorage, _ contents: FolderContents<some Sendable>,
    compactingAt minimum: UInt64
  ) {
    (self.storage, self.minimum) = (storage, minimum)
    (next, end, snapshot) = (contents.next, contents.end, contents.snapshot)
    (files, isUnsynced) = (contents.files, contents.end != nil || contents.snapshot > 0)
    (segmentBytes, segments) = (contents.segmentBytes, contents.segments)
    garbage = contents.leftovers
    threshold = max(minimum, contents.snapshotBytes)
  }

  // MARK: Groups

  /// Writes a group, and returns when it is safe; `writeMark` or another group follows.
  mutating func write(_ group: Group) throws {
    try secureFiles(isWriting: true)
    do {
      try append(group)
    } catch {
      let fault = error as? DiskFault
      // Another file has the name of a segment that has groups: those are gone.
      if let fault, fault.reason == .missing, fault.operation == .sync, files.contains(fault.file) {
        mustRewrite = true
      }
      // A file that another owner has made is not removed.
      giveUpSegment(isOwn: fault?.isTaken != true)
      throw error
    }
    isMarkDue = true
    removeGarbage()
  }

  private mutating func append(_ group: Group) throws {
    var bytes: [UInt8] = []
    var (number, writer) = current ?? (next, RecordWriter())
    if current != nil {
      if isMarkDue { bytes = writer.mark() }
    } else {
      writer.add(
        FolderRecord.head(ofSegment: number, after: end, snapshot: snapshot).utf8, to: &bytes)
      next += 1
      segments += 1
    }
    let file = FolderFormat.segment(number)
    let start = writer.offset
    current = (number, writer)
    isMarkDue = false
    try Self.write(group, &writer, &bytes) { try storage.append($0, to: file) }
    if !bytes.isEmpty { try storage.append(bytes, to: file) }
    try storage.sync(file)
    segmentBytes += writer.offset - start
    current = (number, writer)
    end = SegmentPlace(segment: number, bytes: writer.offset)
    files.insert(file)
  }

  /// Makes sure that all files are there, and safe: who wrote what was found may have been killed before it synced that.
  ///
  /// What is older than the snapshot goes with the next group, so the snapshot's name has to be safe before that.
  mutating func secureFiles(isWriting: Bool = false) throws {
    let names: [String]
    do {
      names = try storage.list()
    } catch {
      // This proves no loss, unless the lock is gone: the open segment is written, and the next write looks again.
      let isLockGone = (error as? DiskFault)?.operation == .lock
      if isWriting && current != nil && !isLockGone { return }
      throw error
    }
    if let missing = files.subtracting(names).min() {
      mustRewrite = true
      throw DiskFault(.missing, .open, missing)
    }
    if !isUnsynced { return }
    do {
      if snapshot > 0 { try storage.sync(FolderFormat.snapshot(snapshot)) }
      if let end { try storage.sync(FolderFormat.segment(end.segment)) }
    } catch {
      // A second sync would succeed falsely: the system takes for written what it could not write.
      mustRewrite = true
      throw error
    }
    isUnsynced = false
  }

  /// Turns a group into lines, which leave in pieces.
  private static func write(
    _ group: Group, _ writer: inout RecordWriter, _ bytes: inout [UInt8],
    _ append: ([UInt8]) throws -> Void
  ) throws {
    for part in group.parts {
      let start = PartRecord.start(part.name, part.version)
      do {
        try part.content.write(since: part.base) { verb, content in
          let verb = verb.rawValue.utf8
          let length = start.count + verb.count + 2 + content.count + 1
          if length > RecordSyntax.maximalLength {
            throw EncodingFault(
              reason: "\(length) bytes would be one record, which has a gigabyte at most")
          }
          writer.add(to: &bytes, length: length) { bytes in
            bytes += start
            bytes += verb
            bytes.append(UInt8(ascii: "\""))
            bytes.append(UInt8(ascii: ":"))
            bytes += content
            bytes.append(UInt8(ascii: "}"))
          }
          if bytes.count >= 262_144 {
            try append(bytes)
            bytes.removeAll(keepingCapacity: true)
          }
        }
      } catch let fault as EncodingFault {
        throw PersistenceError.unencodable(part: part.name, reason: fault.reason)
      }
    }
    writer.add(FolderRecord.commit(group.revision).utf8, to: &bytes)
  }

  /// Writes the mark of the last group, if it has none yet.
  mutating func writeMark() {
    guard isMarkDue, let number = current?.number, var writer = current?.writer else { return }
    isMarkDue = false
    do {
      try storage.append(writer.mark(), to: FolderFormat.segment(number))
      current = (number, writer)
    } catch {
      // The group is safe; what of the mark is there is unknown.
      giveUpSegment()
    }
  }

  private mutating func giveUpSegment(isOwn: Bool = true) {
    guard let current else { return }
    // Without a group that is safe, nothing refers to it.
    if isOwn && end?.segment != current.number {
      garbage.append(FolderFormat.segment(current.number))
    }
    self.current = nil
    removeGarbage()
  }

  private mutating func removeGarbage() {
    garbage.removeAll { [storage] file in (try? storage.remove(file)) != nil }
  }

  // MARK: Snapshots

  /// Whether the segments have outgrown the snapshot.
  var isCompactionDue: Bool { segmentBytes > threshold || segments > 32 }

  /// Begins a snapshot: the next group begins a new segment.
  ///
  /// - Returns: Its number.
  mutating func beginSnapshot() -> UInt64 {
    defer { next += 1 }
    writeMark()
    current = nil
    (segmentBytes, segments) = (0, 0)
    return next
  }

  /// Writes a snapshot, and returns its size when it is safe.
  ///
  /// It touches nothing else, and runs beside `write`.
  static func writeSnapshot(
    _ number: UInt64, of group: Group, to storage: any PersistenceStorage
  ) throws -> UInt64 {
    let file = FolderFormat.unfinishedSnapshot(number)
    do {
      var (writer, bytes) = (RecordWriter(), [UInt8]())
      writer.add(FolderRecord.head(ofSnapshot: number).utf8, to: &bytes)
      try write(group, &writer, &bytes) { try storage.append($0, to: file) }
      try storage.append(bytes, to: file)
      try storage.sync(file)
      try storage.publish(file, as: FolderFormat.snapshot(number))
      return writer.offset
    } catch {
      try? storage.remove(file)
      throw error
    }
  }

  /// Ends a snapshot: what is older goes.
  mutating func endSnapshot(_ number: UInt64, bytes: UInt64) {
    // A snapshot that was rewritten meanwhile is newer.
    if number < snapshot { return garbage.append(FolderFormat.snapshot(number)) }
    snapshot = number
    files = files.filter { FolderFormat.number(of: $0, "segment-") ?? 0 > number }
    files.insert(FolderFormat.snapshot(number))
    threshold = max(minimum, bytes)
    garbage += (try? older(than: number)) ?? []
    removeGarbage()
  }

  /// Ends a snapshot that could not be written: the next attempt waits until there is as much again.
  mutating func abandonSnapshot(_ number: UInt64, of bytes: UInt64) {
    garbage.append(FolderFormat.unfinishedSnapshot(number))
    threshold = (segmentBytes + bytes) * 2
  }

  var sizeOfSegments: UInt64 { segmentBytes }

  private func older(than number: UInt64) throws -> [String] {
    try storage.list().filter { name in
      let found =
        FolderFormat.number(of: name, "segment-") ?? FolderFormat.number(of: name, "snapshot-")
        ?? FolderFormat.number(of: name, "snapshot-", ".new")
      return found.map { $0 < number } ?? false
    }
  }

  // MARK: Rewriting, erasing, salvaging

  /// Writes all parts as a snapshot that follows nothing, and returns when it is safe.
  mutating func rewrite(_ group: Group) throws {
    let number = beginSnapshot()
    let bytes = try Self.writeSnapshot(number, of: group, to: storage)
    (end, isUnsynced, mustRewrite) = (nil, false, false)
    endSnapshot(number, bytes: bytes)
  }

  /// Keeps nothing from now on, by an empty snapshot: the rest is never read again, however far its removal comes.
  ///
  /// When it throws, the folder has all of it or nothing: whatever is written next has to be whole.
  mutating func erase() throws {
    try rewrite(Group(parts: [], revision: 0))
  }

  /// Removes what is not read any more since `erase`; throws if something stays.
  mutating func removeErased() throws {
    for name in try storage.list() where name.hasPrefix("damaged-") { try storage.remove(name) }
    for name in try older(than: next - 1) { try storage.remove(name) }
  }

  /// Keeps what was salvaged as a snapshot, and sets aside what it was found in.
  ///
  /// The files are copied first, and go once the snapshot is safe: at every moment one of the two is there.
  /// A salvage that is interrupted can be done again.
  ///
  /// - Returns: The new names.
  mutating func setAside(keeping group: Group) throws -> [String] {
    let names = try older(than: next).filter { !$0.hasSuffix(".new") }.sorted()
    for name in names { try copyAside(name) }
    try rewrite(group)
    return names.map(FolderFormat.aside)
  }

  private func copyAside(_ name: String) throws {
    let copy = FolderFormat.unfinishedAside(name)
    do {
      // The copy of a salvage that was interrupted; nothing is appended to it.
      if try storage.list().contains(copy) { try storage.remove(copy) }
      var offset: UInt64 = 0
      while true {
        let bytes = try storage.read(name, from: offset, count: 262_144)
        // An empty file has a copy too.
        if bytes.isEmpty && offset > 0 { break }
        try storage.append(bytes, to: copy)
        offset += UInt64(bytes.count)
        if bytes.isEmpty { break }
      }
      try storage.sync(copy)
      try storage.publish(copy, as: FolderFormat.aside(name))
    } catch {
      try? storage.remove(copy)
      throw error
    }
  }
}
