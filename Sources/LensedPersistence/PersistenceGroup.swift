public import Foundation
internal import Lensed

/// A folder of folders, one for each of many stores: the documents of a server, the sessions of its users.
///
/// ```swift
/// let group = try PersistenceGroup(in: folder)
/// let disk: Persistence<Document> = try group.persistence(named: "doc-7") { Kept(\.text) }
/// let store = blueprint.makeStore(initialState: Document(), middleware: [disk])
/// ```
///
/// The group locks its folder for all of them, and opens files only while it reads or writes. So thousands of stores need
/// a bounded number of open files, and of threads: four that write groups, and one that writes snapshots.
public final class PersistenceGroup: Sendable {
  private final class Inside: Sendable {
    private struct Use: Sendable {
      /// The lock of the folder; nil once the group was closed.
      var lock: FolderLock?
      /// The names that are in use.
      var names: Set<String> = []
    }

    let path: String
    private let use: Locked<Use>

    init(_ path: String, _ lock: FolderLock) {
      self.path = path
      use = Locked(Use(lock: lock))
    }

    func take(_ name: String) throws(PersistenceError) {
      let (isOpen, isFree) = use.withLock { use in
        (use.lock != nil, use.lock != nil && use.names.insert(name).inserted)
      }
      if !isOpen { throw .closed }
      if !isFree { throw .locked(folder: path + "/" + name) }
    }

    /// Whether the folder is still the one that was locked.
    var isInPlace: Bool { use.withLock { $0.lock?.isInPlace ?? true } }

    func release(_ name: String) {
      _ = use.withLock { $0.names.remove(name) }
    }

    func close() throws(PersistenceError) {
      let name = use.withLock { use in
        if use.names.isEmpty { use.lock = nil }
        return use.names.min()
      }
      if let name { throw .locked(folder: path + "/" + name) }
    }
  }

  private let inside: Inside
  private let queues = (1...4).map { DispatchQueue(label: "Lensed.PersistenceGroup.\($0)") }
  private let compactionQueue = DispatchQueue(label: "Lensed.PersistenceGroup.snapshot")
  private let made = Locked(0)

  /// A group in a folder, which is made if need be, and locked as long as the group or a persistence of it is there.
  ///
  /// - Parameter folder: The folder, as a file URL.
  /// - Throws: Why the folder cannot be used.
  public init(in folder: URL) throws(PersistenceError) {
    if !folder.isFileURL { throw .parts("\(folder) is no file URL, and so no folder of states.") }
    do {
      try Folder.make(folder.path)
      inside = Inside(folder.path, try FolderLock(folder.path))
    } catch {
      if error.reason == .locked { throw .locked(folder: folder.path) }
      throw .storage(error)
    }
  }

  /// The names that have a folder, sorted.
  ///
  /// - Throws: Why the folder cannot be read.
  public func names() throws(PersistenceError) -> [String] {
    do {
      return try FolderStorage(inside.path).list().filter(Self.isName).filter { name in
        Folder.isThere(inside.path + "/" + name)
      }.sorted()
    } catch {
      throw PersistenceError(error)
    }
  }

  /// The persistence of one store, in a folder of its own.
  ///
  /// One of each name can be there at a time; it is free again when that has been closed, or released with its store.
  ///
  /// - Parameters:
  ///   - state: The type of the state, where nothing else says it.
  ///   - name: The name of the folder: 1 to 200 letters, digits, and `-`, `_` or `.` behind the first one.
  ///   - writing: When it is written.
  ///   - clock: What waits are measured by.
  ///   - recovering: What to do where the folder does not fit.
  ///   - onFailure: Is given the errors of writing; nil writes a line to the standard error stream.
  ///   - parts: What is kept; at most 64 parts.
  /// - Returns: The persistence, for the middleware of one store.
  /// - Throws: Why the folder cannot be used. Nothing in it has been changed.
  public func persistence<State: Sendable>(
    of state: State.Type = State.self, named name: String, writing: PersistenceWriting = .standard,
    clock: any Clock<Duration> = ContinuousClock(), recovering: PersistenceRecovering = .strictly,
    onFailure: (@Sendable (PersistenceError) -> Void)? = nil,
    @PersistenceBuilder<State> parts: () -> [PersistedPart<State>]
  ) throws(PersistenceError) -> Persistence<State> {
    if !Self.isName(name) { throw .name(name) }
    let folder = inside.path + "/" + name
    let parts = parts()
    try Persistence<State>.check(parts.map(\.part))
    try inside.take(name)
    let storage = FolderStorage(
      folder,
      lock: .above(
        inside, isHeld: { [inside] in inside.isInPlace },
        release: { [inside] in inside.release(name) }),
      keepsOpen: false)
    var options = PersistenceOptions(
      writing: writing, clock: clock, onFailure: onFailure ?? { reportToStandardError($0) })
    let number = made.withLock { made in
      made += 1
      return made
    }
    (options.queue, options.compactionQueue) = (queues[number % queues.count], compactionQueue)
    return try Persistence(storage, parts, recovering, options)
  }

  /// Unlocks the folder when this returns, so that another group, or another process, can have it.
  ///
  /// Without it, the folder is free once the group has been released, and every persistence of it.
  ///
  /// ```swift
  /// for disk in disks { try await disk.close() }
  /// try group.close()
  /// ```
  ///
  /// Whatever is asked of the group afterwards throws `PersistenceError.closed`. Closing it again does nothing.
  ///
  /// - Throws: `PersistenceError.locked`, with the folder of one name, while a persistence of the group is there. Then the
  ///   group stays open.
  public func close() throws(PersistenceError) {
    try inside.close()
  }

  /// Removes the folder of a name, with everything in it.
  ///
  /// If the process is killed meanwhile, all of it is there or nothing of it.
  ///
  /// - Parameter name: The name; nothing happens if there is no such folder.
  /// - Throws: `PersistenceError.locked` while its persistence is there, `.closed` once the group is, and why it could not be removed.
  public func remove(named name: String) throws(PersistenceError) {
    if !Self.isName(name) { throw .name(name) }
    let folder = inside.path + "/" + name
    try inside.take(name)
    defer { inside.release(name) }
    do throws(DiskFault) {
      try Folder.remove(folder, by: inside.path + "/.removed-" + name)
    } catch {
      throw .storage(error)
    }
  }

  private static func isName(_ name: String) -> Bool {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
    let first = name.first ?? "."
    return isPlain && (1...200).contains(name.utf8.count) && first != "." && first != "-"
      && first != "_" && name != "lock"
  }
}
