internal import Lensed

// Reads a folder, and changes nothing in it.
//
//   1. The newest snapshot is the base; without one, nothing is.
//   2. The segments behind it are found from the newest one backwards: each names the one before it.
//   3. The snapshot is read, then each segment as far as the next one says; the last one as far as its last commit.
//   4. What follows that commit was never synced: it is reported, and never read again.

struct FolderContents<State: Sendable>: Sendable {
  /// The values of the parts, in their order; nil for a part that the folder does not have.
  var parts: [RestoredPart<State>?] = []
  var revision: UInt64 = 0
  var commits = 0
  var end: SegmentPlace?
  /// A number that no file has.
  var next: UInt64 = 1
  /// The snapshot that it begins with; 0 without one.
  var snapshot: UInt64 = 0
  var snapshotBytes: UInt64 = 0
  /// How many bytes the segments behind the snapshot have, and how many they are.
  var segmentBytes: UInt64 = 0
  var segments = 0
  /// The files that it was read from: the snapshot, and the segments behind it.
  var files: Set<String> = []
  /// Files that are not needed any more: of compactions and writes that were interrupted.
  var leftovers: [String] = []
  var recovery = PersistenceRecovery()
}

/// What the last user of a folder left in disorder.
public struct PersistenceRecovery: Sendable, Hashable {
  /// A place in a file of the folder.
  public struct Place: Sendable, Hashable {
    /// The name of the file.
    public var file: String
    /// The byte.
    public var byte: UInt64
  }

  /// Where the torn tail of an interrupted write began, which was never synced; nil after an orderly end.
  public var tornTail: Place?
  /// What could not be verified, with `recovering: .salvage`: one error each.
  public var losses: [PersistenceError] = []
  /// The files that were moved aside, by their new names.
  public var setAside: [String] = []

  /// Nothing was found.
  public init() {}
}

/// Takes a record of a part, and throws where it does not fit those before it.
typealias TakeRecord = (_ record: PartRecord, _ place: RecordPlace) throws(PersistenceError) -> Void

struct FolderReader<State: Sendable> {
  let storage: any PersistenceStorage
  let parts: [any KeptPart<State>]
  /// Takes what can be verified, and goes on behind what cannot.
  var salvages = false
  /// Takes the records of parts that are not among these; without it they are passed over.
  var takeOthers: TakeRecord?

  private typealias Head = FolderRecord.SegmentHead

  func read() throws -> FolderContents<State> {
    var contents = FolderContents<State>()
    let restoring = Restoring(parts, salvages: salvages, takeOthers)
    let names = try storage.list()
    let (snapshots, segments) = numbers(names, &contents)
    contents.snapshot = snapshots.last ?? 0
    // Older files may hold anything: a power cut can bring back a file that was removed, even a damaged one.
    let heads = try readHeads(segments.filter { $0 >= contents.snapshot }, restoring)
    if contents.snapshot > 0 {
      try readSnapshot(snapshots, &contents, restoring)
    }
    let chain = try findChain(heads, &contents, restoring)
    contents.files = Set(chain.map { FolderFormat.segment($0.segment) })
    contents.leftovers += segments.map(FolderFormat.segment).filter { !contents.files.contains($0) }
    if contents.snapshot > 0 { contents.files.insert(FolderFormat.snapshot(contents.snapshot)) }
    contents.leftovers += snapshots.dropLast().map(FolderFormat.snapshot)
    for (index, head) in chain.enumerated() {
      let end = chain.indices.contains(index + 1) ? chain[index + 1].after?.bytes : nil
      let isWhole = try readSegment(head.segment, endingAt: end, &contents, restoring)
      // What follows damage does not follow what comes before it.
      if !isWhole { break }
    }
    contents.parts = try restoring.finish()
    contents.recovery.losses = restoring.losses
    return contents
  }

  private func numbers(
    _ names: [String], _ contents: inout FolderContents<State>
  ) -> (snapshots: [UInt64], segments: [UInt64]) {
    func numbers(_ prefix: String, _ suffix: String = ".lensed") -> [UInt64] {
      // This package writes no number so high that none could follow it.
      names.compactMap { FolderFormat.number(of: $0, prefix, suffix) }
        .filter { $0 > 0 && $0 < .max / 2 }.sorted()
    }
    let (snapshots, segments) = (numbers("snapshot-"), numbers("segment-"))
    let unfinished = numbers("snapshot-", ".new")
    let kinds = ["damaged-segment-", "damaged-snapshot-"]
    contents.leftovers =
      unfinished.map(FolderFormat.unfinishedSnapshot)
      + kinds.flatMap { kind in numbers(kind, ".new").map { "\(kind)\($0).new" } }
    let all = snapshots + segments + unfinished + kinds.flatMap { numbers($0) }
    contents.next = (all.max() ?? 0) + 1
    return (snapshots, segments)
  }

  private func makeReader(_ file: String, endingAt end: UInt64? = nil) -> RecordReader {
    RecordReader(file: file, endingAt: end) { [storage] in
      try storage.read(file, from: $0, count: $1)
    }
  }

  // MARK: Segments

  /// The heads of the segments; one that ends before its head was never synced.
  private func readHeads(
    _ segments: [UInt64], _ restoring: Restoring<State>
  ) throws -> [UInt64: Head] {
    var heads: [UInt64: Head] = [:]
    for number in segments {
      let file = FolderFormat.segment(number)
      try restoring.attempt {
        var reader = makeReader(file)
        guard let record = try reader.next() else { return }
        let place = RecordPlace(file: file, byte: record.offset)
        guard case .segment(let head) = try FolderRecord(record.json, at: place) else {
          throw place.damage("A segment begins with its head.")
        }
        if head.format > FolderFormat.version {
          throw PersistenceError.newerFormat(file: file, format: head.format)
        }
        let followed = head.after.map { $0.segment ?? $0.snapshot ?? 0 }
        if head.segment != number || followed.map({ !(1..<number).contains($0) }) ?? false {
          throw place.damage("It is the head of another file.")
        }
        heads[number] = head
      }
    }
    return heads
  }

  /// The segments behind the snapshot, oldest first.
  private func findChain(
    _ heads: [UInt64: Head], _ contents: inout FolderContents<State>,
    _ restoring: Restoring<State>
  ) throws -> [Head] {
    guard let newest = heads.keys.max(), newest >= contents.snapshot else { return [] }
    var chain: [Head] = []
    var next: UInt64? = newest
    try restoring.attempt {
      while let number = next, number >= max(contents.snapshot, 1) {
        guard let head = heads[number] else {
          let after = chain.last.map { FolderFormat.segment($0.segment) } ?? ""
          throw PersistenceError.damaged(
            file: FolderFormat.segment(number), byte: 0,
            problem: "It is missing, or has no head, and \(after) follows it.")
        }
        chain.append(head)
        next = head.after?.segment
        if let snapshot = head.after?.snapshot, snapshot > contents.snapshot {
          throw PersistenceError.damaged(
            file: FolderFormat.snapshot(snapshot), byte: 0,
            problem: "It is missing, and \(FolderFormat.segment(number)) follows it.")
        }
      }
    }
    chain.reverse()
    // What was found behind a gap does not follow what comes before it.
    if let next, next >= max(contents.snapshot, 1) {
      return heads.values.filter { $0.segment < next && $0.segment >= contents.snapshot }
        .sorted { $0.segment < $1.segment }
    }
    return chain
  }

  /// Reads a segment as far as its last commit.
  ///
  /// - Returns: Whether all of it fits.
  private func readSegment(
    _ number: UInt64, endingAt end: UInt64?, _ contents: inout FolderContents<State>,
    _ restoring: Restoring<State>
  ) throws -> Bool {
    let file = FolderFormat.segment(number)
    // First the end: a group without its commit counts for nothing.
    var (commit, isWhole) = (UInt64(0), true)
    var tail: UInt64?
    if let end, !salvages {
      commit = end
    } else {
      let losses = restoring.losses.count
      try restoring.attempt {
        var reader = makeReader(file, endingAt: end)
        var isHead = true
        while let record = try reader.next() {
          if isHead || FolderRecord.isCommit(record.json) {
            (commit, tail) = (reader.offset, nil)
          } else if tail == nil {
            tail = record.offset
          }
          isHead = false
        }
        tail = tail ?? reader.tornAt
      }
      isWhole = restoring.losses.count == losses
    }
    if isWhole, let tail {
      contents.recovery.tornTail = PersistenceRecovery.Place(file: file, byte: tail)
    }
    var isCommitted = true
    var reader = makeReader(file, endingAt: commit)
    while let record = try reader.next() {
      let place = RecordPlace(file: file, byte: record.offset)
      switch try FolderRecord(record.json, at: place) {
      case .segment:
        if record.offset != 0 { throw place.damage("A head stands within a segment.") }
      case .snapshot:
        throw place.damage("The head of a snapshot stands in a segment.")
      case .part(let part):
        isCommitted = false
        try restoring.apply(part, at: place)
      case .commit(let revision):
        isCommitted = true
        contents.revision = revision
        contents.commits += 1
      }
    }
    if !isCommitted {
      throw PersistenceError.damaged(
        file: file, byte: commit, problem: "The commit is missing that it ended with.")
    }
    contents.end = SegmentPlace(segment: number, bytes: commit)
    contents.segmentBytes += commit
    contents.segments += 1
    return isWhole
  }

  // MARK: The snapshot

  private func readSnapshot(
    _ snapshots: [UInt64], _ contents: inout FolderContents<State>,
    _ restoring: Restoring<State>
  ) throws {
    let number = contents.snapshot
    let file = FolderFormat.snapshot(number)
    var (isHead, isOver) = (true, false)
    try restoring.attempt {
      var reader = makeReader(file)
      while let record = try reader.next() {
        let place = RecordPlace(file: file, byte: record.offset)
        if isOver { throw place.damage("A record stands behind the commit of a snapshot.") }
        switch try FolderRecord(record.json, at: place) {
        case .snapshot(let head) where isHead:
          if head.format > FolderFormat.version {
            throw PersistenceError.newerFormat(file: file, format: head.format)
          }
          if head.snapshot != number { throw place.damage("It is the head of another file.") }
        case .part(let part) where !isHead:
          try restoring.apply(part, at: place)
        case .commit(let revision) where !isHead:
          contents.revision = revision
          contents.commits += 1
          isOver = true
        default:
          throw place.damage("The record does not belong here in a snapshot.")
        }
        isHead = false
      }
      // The snapshot was synced before it got its name.
      if !isOver {
        throw PersistenceError.damaged(
          file: file, byte: reader.offset, problem: "The snapshot ends here, before its commit.")
      }
      contents.snapshotBytes = reader.offset
    }
  }
}

private final class Restoring<State: Sendable> {
  private let restorations: [any PartRestoration<State>]
  private let byName: [String: Int]
  private let salvages: Bool
  private let takeOthers: TakeRecord?
  private(set) var losses: [PersistenceError] = []

  init(_ parts: [any KeptPart<State>], salvages: Bool, _ takeOthers: TakeRecord?) {
    restorations = parts.map { $0.makeRestoration() }
    byName = Dictionary(
      parts.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    (self.salvages, self.takeOthers) = (salvages, takeOthers)
  }

  /// Does something that may find damage; where all is taken that can be verified, notes that and goes on.
  func attempt(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      try lose(error)
    }
  }

  private func lose(_ error: any Error) throws {
    let error = PersistenceError(error)
    switch error {
    case .damaged, .newerVersion, .noMigration, .undecodable, .keptOtherwise: break
    // What cannot be read now might be read later, or by a newer program.
    default: throw error
    }
    if !salvages { throw error }
    losses.append(error)
  }

  /// Applies a record; passes over the records of parts that are not kept any more.
  func apply(_ record: PartRecord, at place: RecordPlace) throws {
    do {
      if let index = byName[record.name] {
        try restorations[index].apply(record, at: place)
      } else {
        try takeOthers?(record, place)
      }
    } catch {
      try lose(error)
    }
  }

  func finish() throws -> [RestoredPart<State>?] {
    var parts: [RestoredPart<State>?] = []
    for restoration in restorations {
      do {
        parts.append(try restoration.finish())
      } catch {
        try lose(error)
        parts.append(nil)
      }
    }
    return parts
  }
}
