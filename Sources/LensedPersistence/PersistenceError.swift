internal import Foundation
internal import Lensed

/// Why a state cannot be kept, or not be restored.
///
/// Each one prints as sentences that say what happened, to what, and what to do. Whichever it is, nothing in the folder
/// has been overwritten.
public enum PersistenceError: Error, Sendable, Hashable {
  /// The store had made a commit before the persistence was attached, or the persistence is in use already.
  case alreadyRunning
  /// It has been closed.
  case closed
  /// Another process, or another `Persistence` of this one, has the folder.
  case locked(folder: String)
  /// The folder lies in that of a `PersistenceGroup`, and one of both was opened beside the other one.
  case inGroup(folder: String, group: String)
  /// The storage failed.
  case storage(DiskFault)
  /// A storage of your own threw this.
  case foreign(String)
  /// A file that was once whole does not fit any more.
  case damaged(file: String, byte: UInt64, problem: String)
  /// A file has a format that this version of the package does not know.
  case newerFormat(file: String, format: Int)
  /// A part was written by a newer version of the app.
  case newerVersion(part: String, version: Int, known: Int, file: String, byte: UInt64)
  /// A part has an older version, and its `Kept` has no migration.
  case noMigration(part: String, version: Int, known: Int, file: String, byte: UInt64)
  /// The value of a part cannot be decoded, or its migration threw.
  case undecodable(part: String, version: Int, file: String, byte: UInt64, reason: String)
  /// A part was kept as a whole and now its rows are kept, or the other way round, or they are rows of another kind.
  case keptOtherwise(part: String, file: String, byte: UInt64)
  /// The value of a part cannot be encoded.
  case unencodable(part: String, reason: String)
  /// The list of what is kept is not sound.
  case parts(String)
  /// A name cannot be the name of a folder in a group.
  case name(String)
  /// A name differs from another one of its group in case alone, and the file system takes both for one.
  case sameName(String, as: String)
}

extension PersistenceError: CustomStringConvertible {
  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .alreadyRunning:
      """
      Lensed: the persistence was attached to a store that had made a commit, or to a second store. Restoring would \
      undo what was committed: give it to the store as it is made, in `middleware:`.
      """
    case .closed:
      "Lensed: the persistence has been closed, and keeps nothing any more. Make another one of the same folder."
    case .locked(let folder):
      """
      Lensed: the folder \(folder) is in use by another process, or by another Persistence or group of this one. End \
      that one or call its `close()`; two would overwrite what the other one keeps.
      """
    case .inGroup(let folder, let group):
      """
      Lensed: the folder \(folder) lies in \(group), which a PersistenceGroup has with all that is in it; opened by \
      itself too, it would be written by both. Open it by `persistence(named:)` of the group alone, call `close()` of \
      the other one, or take a folder outside.
      """
    case .storage(let fault):
      "Lensed: the state could not be kept: \(fault). \(fault.remedy)"
    case .foreign(let reason):
      "Lensed: the storage failed: \(reason). It is tried again with the newest state."
    case .damaged(let file, let byte, let problem):
      """
      Lensed: \(file) is damaged at byte \(byte): \(problem) Restore the folder from a copy, or open it with \
      `recovering: .salvage`, which takes what can be verified and moves the damaged files aside.
      """
    case .newerFormat(let file, let format):
      """
      Lensed: \(file) has format \(format), and this version of LensedPersistence knows \(FolderFormat.version). \
      Update the package, or restore an older copy of the folder.
      """
    case .newerVersion(let part, let version, let known, let file, let byte):
      """
      Lensed: \(code: part) has version \(version) in \(file) at byte \(byte), and this program knows \(known): a \
      newer version of the program has written it. Update the program, or restore an older copy of the folder.
      """
    case .noMigration(let part, let version, let known, let file, let byte):
      """
      Lensed: \(code: part) has version \(version) in \(file) at byte \(byte), and this program knows \(known). Give \
      its Kept a migration: `Kept(…, version: \(known)) { version, old in … }`.
      """
    case .undecodable(let part, let version, let file, let byte, let reason):
      """
      Lensed: \(code: part), version \(version), cannot be decoded from \(file) at byte \(byte): \(reason). If its \
      type has changed, give its Kept a higher version and a migration; else restore the folder from a copy, or open \
      it with `recovering: .salvage`.
      """
    case .keptOtherwise(let part, let file, let byte):
      """
      Lensed: \(code: part) was kept otherwise when \(file) was written (byte \(byte)): as a whole by Kept, or row by \
      row by KeptRows. No migration leads from one to the other. Keep the new part under another name, \
      `named: "\(part)2"`, keep the old one, too, as a property of its own under `named: "\(part)"`, and move its \
      values over by an action; once no folder has the old one any more, leave it out.
      """
    case .unencodable(let part, let reason):
      """
      Lensed: \(code: part) cannot be encoded: \(reason). Nothing is kept until it can: mend its `encode(to:)`, or \
      keep another part of it.
      """
    case .parts(let fault): "Lensed: \(fault)"
    case .name(let name):
      """
      Lensed: "\(name)" cannot be the name of a folder in a group. Use 1 to 200 letters, digits, and `-`, `_` or `.` \
      behind the first one.
      """
    case .sameName(let name, let other):
      """
      Lensed: "\(name)" and "\(other)" differ in case alone, and the file system takes both for one folder. If \
      another store is meant, give it a name that differs in more.
      """
    }
  }

  /// The error that something thrown stands for.
  init(_ error: any Error) {
    switch error {
    case let error as PersistenceError: self = error
    case let fault as DiskFault: self = .storage(fault)
    case let damage as RecordDamage:
      self = .damaged(file: damage.file, byte: damage.byte, problem: damage.problem)
    default: self = .foreign("\(error)")
    }
  }

  /// Whether a user learns nothing new from another error: each attempt to write has a file of its own.
  fileprivate func isSame(as other: Self) -> Bool {
    guard case .storage(let fault) = self, case .storage(let next) = other else {
      return self == other
    }
    return fault.reason == next.reason && fault.operation == next.operation
  }
}

extension DiskFault {
  fileprivate var remedy: String {
    switch (reason, operation) {
    case (.code(EXDEV), _):
      "The folder and what is in it have to be on one file system: see what is mounted or linked there."
    case (.code(EROFS), _):
      "The file system can only be read: keep the folder on one that can be written, or mount it so."
    case (.code(EEXIST), .open):
      "Somebody else has made a file of that name in the folder. It stays as it is, and another name is taken."
    case (.missing, .lock), (.missing, .open), (.missing, .sync):
      "It was moved or removed while it was in use: put it back, or make another Persistence of another folder."
    case (.notPlain, _), (_, .makeFolder), (_, .lock), (_, .list):
      "See that the folder is a folder of this user's that can be written."
    case (_, .read): "See that the files of the folder can be read by this user."
    default:
      "It is tried again with the newest state; see that the disk has room and can be written."
    }
  }
}

/// Whether the last write to the disk succeeded.
public enum PersistenceStatus: Sendable, Hashable {
  /// The last write succeeded, or there was none yet.
  case healthy
  /// Writing has failed since then, by the clock of the persistence; it is tried again.
  case failing(PersistenceError, since: Duration)
  /// It was closed.
  case closed

  /// Notes how a write ended.
  ///
  /// - Returns: The error, where it is another one than before.
  mutating func note(_ fault: PersistenceError?, at age: () -> Duration) -> PersistenceError? {
    switch (self, fault) {
    case (.closed, _), (.failing(.alreadyRunning, _), _): return nil
    case (_, nil):
      self = .healthy
      return nil
    case (.failing(let known, let since), let fault?):
      self = .failing(fault, since: since)
      return known.isSame(as: fault) ? nil : fault
    case (.healthy, let fault?):
      self = .failing(fault, since: age())
      return fault
    }
  }
}
