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
  final class Inside: Sendable {
    private struct Use: Sendable {
      /// The lock of the folder; nil once the group was closed.
      var lock: FolderLock?
      var names: GroupNames
    }

    let path: String
    private let use: Locked<Use>

    init(_ path: String, _ lock: FolderLock) {
      self.path = path
      let names = GroupNames(foldsCase: FolderLock.foldsCase(path))
      use = Locked(Use(lock: lock, names: names))
    }

    func take(_ name: String) throws(PersistenceError) {
      let folder = path + "/" + name
      do {
        let answer = try use.withLock { use throws in
          if use.lock == nil { throw PersistenceError.closed }
          return try use.names.take(name) {
            FileIdentity(at: folder) == nil ? [] : try FolderStorage(path).list()
          }
        }
        switch answer {
        case .inUse: throw PersistenceError.locked(folder: folder)
        case .like(let other): throw PersistenceError.sameName(name, as: other)
        case .free: break
        }
      } catch {
        throw PersistenceError(error)
      }
      do throws(DiskFault) {
        if try !FolderLock.isHeld(folder) { return }
      } catch {
        release(name)
        throw .storage(error)
      }
      release(name)
      throw .inGroup(folder: folder, group: path)
    }

    /// Whether the folder is still the one that was locked.
    var isInPlace: Bool { use.withLock { $0.lock?.isInPlace ?? true } }

    func release(_ name: String) {
      use.withLock { $0.names.release(name) }
    }

    func close() throws(PersistenceError) {
      let name = use.withLock { use in
        if use.names.first == nil { use.lock = nil }
        return use.names.first
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
  /// All that lies in the folder is the group's: a `Persistence` of its own, or another group, is refused there.
  ///
  /// - Parameter folder: The folder, as a file URL.
  /// - Throws: Why the folder cannot be used.
  public init(in folder: URL) throws(PersistenceError) {
    if !folder.isFileURL { throw .parts("\(folder) is no file URL, and so no folder of states.") }
    inside = Inside(folder.path, try FolderLock(making: folder.path, ofGroup: true))
    // Removes what interrupted removals have left. What stays now goes when a folder of the same name is removed next.
    for name in (try? FolderStorage(folder.path).list()) ?? []
    where name.hasPrefix(Self.removed) && Self.isName(String(name.dropFirst(Self.removed.count))) {
      try? FileManager.default.removeItem(atPath: folder.path + "/" + name)
    }
  }

  /// The beginning of a folder's name while the folder is being removed.
  private static let removed = ".removed-"

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
  /// A name has one persistence at a time. It is free again when that persistence has been closed, or released with its store.
  /// Where the file system does not tell `A` from `a`, a name that differs from another one in case alone is refused.
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
    let storage = FolderStorage(folder, of: inside, named: name)
    var options = PersistenceOptions(writing: writing, clock: clock, onFailure: onFailure)
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
  /// - Throws: `PersistenceError.locked` while its persistence is there, `.inGroup` while another owner has a folder in it,
  ///   `.closed` once the group is, and why it could not be removed.
  public func remove(named name: String) throws(PersistenceError) {
    if !Self.isName(name) { throw .name(name) }
    let folder = inside.path + "/" + name
    try inside.take(name)
    defer { inside.release(name) }
    var held: String?
    do throws(DiskFault) {
      held = try FolderLock.held(in: folder)
      if held == nil {
        try Folder.remove(folder, by: inside.path + "/" + Self.removed + name)
      }
    } catch {
      throw .storage(error)
    }
    if let held { throw .inGroup(folder: held, group: inside.path) }
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

/// The names of a group that are in use, as its file system tells names apart: pure.
///
/// Letters of names have one form in Unicode, so a file system can take two names for one by their case alone.
package struct GroupNames: Sendable {
  package enum Answer: Sendable, Equatable {
    /// The name is the caller's from now on.
    case free
    /// The name is in use.
    case inUse
    /// Another name has the same folder.
    case like(String)
  }

  private let foldsCase: Bool
  /// The names that are in use, by what the file system takes them for.
  private var inUse: [String: String] = [:]
  /// Names that folders are known to have, letter by letter.
  private var known: Set<String> = []

  package init(foldsCase: Bool) {
    self.foldsCase = foldsCase
  }

  package var first: String? { inUse.values.min() }

  /// Takes a name.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - list: Lists all names of folders, where the file system shows one under this name.
  /// - Returns: Whether the caller has the name now, and if not, why.
  package mutating func take(_ name: String, listing list: () throws -> [String]) rethrows -> Answer
  {
    let key = key(name)
    if let other = inUse[key] { return other == name ? .inUse : .like(other) }
    if foldsCase && !known.contains(name) {
      let names = try list()
      if !names.contains(name), let other = names.first(where: { self.key($0) == key }) {
        return .like(other)
      }
      known.insert(name)
    }
    inUse[key] = name
    return .free
  }

  package mutating func release(_ name: String) { inUse[key(name)] = nil }

  private func key(_ name: String) -> String { foldsCase ? name.lowercased() : name }
}
