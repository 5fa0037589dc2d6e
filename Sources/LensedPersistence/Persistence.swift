public import Foundation
public import Lensed

/// Middleware that keeps a state on the disk, through crashes, power cuts and full disks.
///
/// ```swift
/// let disk = try Persistence<AppState>(in: folder) {
///   Kept(\.settings)
///   Kept(\.draft, version: 2) { version, old in
///     Draft(migrating: try old.decode(DraftV1.self))
///   }
///   KeptRows(\.cards)
/// }
/// let store = try Store(initialState: AppState(), middleware: [disk]) { … }
/// store.dispatch(MoveCard(…))
/// try await disk.sync()
/// ```
///
/// **What is on the disk.** After any crash, the kept parts are there as one commit left them: the last commit before the
/// last `sync()` that returned, or a later one. The disk never has half of an array of actions, one part newer than
/// another, or a value that `whileLoading` shows.
///
/// **Restoring.** The folder is read and checked when the persistence is made. When the store is made, its state is replaced
/// once, before any other middleware is attached and before any effect runs, wherever the persistence is in the list. So
/// all of them begin with what was restored, and nothing overwrites it. A part that was never written keeps its initial
/// value.
///
/// **Writing.** A commit only notes which parts it touched. Encoding and writing happen on a queue of their own, outside of
/// the store's lock, and take the newest values: a slow disk costs memory for one version of the state, and not for a queue
/// of them. While a version is being encoded, the first commit that writes a plain
/// array or dictionary copies the array or dictionary.
///
/// **Errors.** If anything is wrong with the folder, `init` throws an error that names file, byte and remedy, and changes
/// nothing. `status`, `onFailure` and every `sync()` report a write that failed. It is tried again with the newest values:
/// once the disk has room, nothing is lost.
///
/// A folder belongs to one `Persistence` at a time, in all processes together.
public final class Persistence<State: Sendable>: Middleware {
  private let writer: Writer<State>
  private let contents: Locked<[RestoredPart<State>?]>

  /// What the last user of the folder left in disorder: the torn tail of an interrupted write, and what was salvaged.
  public let recovery: PersistenceRecovery

  /// A persistence in a folder, which is read, checked and locked.
  ///
  /// - Parameters:
  ///   - folder: The folder, as a file URL; it is made if need be.
  ///   - writing: When it is written.
  ///   - clock: What waits are measured by.
  ///   - recovering: What to do where the folder does not fit.
  ///   - onFailure: Is given the errors of writing, each once until it is another one; nil writes a line to the
  ///     standard error stream.
  ///   - parts: What is kept; at most 64 parts.
  /// - Throws: Why the folder cannot be used. Nothing in it has been changed.
  /// - Complexity: O(*n*) in the size of the folder.
  public convenience init(
    in folder: URL, writing: PersistenceWriting = .standard,
    clock: any Clock<Duration> = ContinuousClock(), recovering: PersistenceRecovering = .strictly,
    onFailure: (@Sendable (PersistenceError) -> Void)? = nil,
    @PersistenceBuilder<State> parts: () -> [PersistedPart<State>]
  ) throws(PersistenceError) {
    if !folder.isFileURL {
      throw .parts("\(folder) is no file URL, and so no folder to keep a state in.")
    }
    try self.init(
      in: FolderStorage(folder.path), writing: writing, clock: clock, recovering: recovering,
      onFailure: onFailure, parts: parts)
  }

  /// A persistence in a storage of any kind: `.memory`, or one of yours.
  ///
  /// - Parameters:
  ///   - storage: The storage, which is read, checked and locked.
  ///   - writing: When it is written.
  ///   - clock: What waits are measured by.
  ///   - recovering: What to do where the storage does not fit.
  ///   - onFailure: Is given the errors of writing, each once until it is another one; nil writes a line to the
  ///     standard error stream.
  ///   - parts: What is kept; at most 64 parts.
  /// - Throws: Why the storage cannot be used. Nothing in it has been changed.
  public convenience init(
    in storage: some PersistenceStorage, writing: PersistenceWriting = .standard,
    clock: any Clock<Duration> = ContinuousClock(), recovering: PersistenceRecovering = .strictly,
    onFailure: (@Sendable (PersistenceError) -> Void)? = nil,
    @PersistenceBuilder<State> parts: () -> [PersistedPart<State>]
  ) throws(PersistenceError) {
    let options = PersistenceOptions(writing: writing, clock: clock, onFailure: onFailure)
    try self.init(storage, parts(), recovering, options)
  }

  package convenience init(
    in folder: URL, _ parts: [PersistedPart<State>], _ options: PersistenceOptions
  ) throws(PersistenceError) {
    try self.init(FolderStorage(folder.path), parts, .strictly, options)
  }

  /// A persistence with every option, some of which are for tests alone.
  package init(
    _ storage: any PersistenceStorage, _ parts: [PersistedPart<State>],
    _ recovering: PersistenceRecovering, _ options: PersistenceOptions
  ) throws(PersistenceError) {
    let parts = parts.map(\.part)
    let contents: FolderContents<State>
    let writer: FolderWriter
    do {
      try Self.check(parts)
      try storage.lock()
    } catch {
      if let fault = error as? DiskFault, fault.reason == .locked {
        throw .locked(folder: storage.name)
      }
      throw PersistenceError(error)
    }
    do {
      (contents, writer) = try Self.open(storage, parts, recovering, options)
    } catch {
      storage.unlock()
      throw PersistenceError(error)
    }
    recovery = contents.recovery
    self.contents = Locked(contents.parts)
    self.writer = Writer(parts, in: contents, writer, options, on: storage)
  }

  private static func open(
    _ storage: any PersistenceStorage, _ parts: [any KeptPart<State>],
    _ recovering: PersistenceRecovering, _ options: PersistenceOptions
  ) throws -> (FolderContents<State>, FolderWriter) {
    let reader = FolderReader(storage: storage, parts: parts, salvages: recovering == .salvage)
    var contents = try reader.read()
    var writer = FolderWriter(storage, contents, compactingAt: options.minimalSegments)
    if contents.recovery.losses.isEmpty { return (contents, writer) }
    let salvaged = zip(parts, contents.parts).compactMap { part, restored in
      restored.map {
        FolderWriter.Group.Part(name: part.name, version: part.version, content: $0.version)
      }
    }
    contents.recovery.setAside = try writer.setAside(
      keeping: FolderWriter.Group(parts: salvaged, revision: contents.revision))
    return (contents, writer)
  }

  static func check(_ parts: [any KeptPart<State>]) throws(PersistenceError) {
    if parts.count > 64 {
      throw .parts(
        "\(parts.count) parts are kept; at most 64 can be: keep the structs that hold them.")
    }
    for (index, part) in parts.enumerated() {
      if part.name.isEmpty {
        throw .parts(
          """
          A part of type \(part.part.typeName) is kept through a lens that shows no name. Give it one: \
          `Kept(lens, named: "…")`.
          """)
      }
      for other in parts[..<index] {
        if other.name == part.name {
          throw .parts(
            "Two parts are kept as \(code: part.name). Give one of them another name, by `named:`.")
        }
        if other.part.overlaps(part.part) {
          throw .parts(
            """
            \(code: other.name) and \(code: part.name) are kept, and one is a part of the other. Keep the larger one \
            alone.
            """)
        }
      }
    }
  }

  // MARK: The store

  /// Does nothing: it was attached before.
  public func attached(to store: ScopedStore<State>) {}

  /// Ends keeping; what was committed before is still written.
  public func detached() { writer.detach() }

  /// Restores the state of a store that has made no commit yet, and keeps it from then on.
  fileprivate func begin(_ store: ScopedStore<State>, isNew: Bool) throws(PersistenceError) {
    // The folder may belong to another owner by now.
    if writer.status == .closed { throw .closed }
    let isKept = writer.keep(store, isNew: isNew) { contents.withLock { exchange(&$0, with: []) } }
    if !isKept { throw .alreadyRunning }
  }

  // MARK: The disk

  /// Returns when every commit from before this call is on the disk.
  ///
  /// Calls that come together share one write. While the disk fails, each call is an attempt.
  ///
  /// - Throws: Why a commit is not on the disk. Writing is tried again, also without a further call.
  public nonisolated(nonsending) func sync() async throws(PersistenceError) {
    if let fault = await writer.sync() { throw fault }
  }

  /// Whether the last write to the disk succeeded.
  public var status: PersistenceStatus { writer.status }

  /// Writes what was committed before this call, and releases the folder; what is committed later is not kept.
  ///
  /// - Throws: Why something is not on the disk; then it is not closed.
  public nonisolated(nonsending) func close() async throws(PersistenceError) {
    if let fault = await writer.close() { throw fault }
  }

  /// Removes everything that was kept, as for a log-out; what is committed later is kept again.
  ///
  /// The state of the store stays as it is: reset it before. A store that is made later begins without it. If the
  /// process is killed meanwhile, the folder has all of it or nothing of it.
  ///
  /// - Throws: Why it could not be removed.
  public nonisolated(nonsending) func erase() async throws(PersistenceError) {
    // What was read, and no store has taken yet, goes too.
    let fault = await writer.erase { [self] in contents.withLock { $0 = [] } }
    if let fault { throw fault }
  }
}

extension Persistence: StateKeeping {
  /// Restores the state of a store, before anything else is attached to it.
  package func keep(_ store: ScopedStore<State>, isNew: Bool) {
    do throws(PersistenceError) {
      try begin(store, isNew: isNew)
    } catch {
      switch writer.status {
      case .closed, .failing(.alreadyRunning, _): writer.report(error)
      case .healthy, .failing:
        // As with other middleware: it would mix what two stores keep.
        fatalError(
          """
          Lensed: one \(type(of: self)) was given to two stores, or to one store twice. What it keeps would mix the \
          commits: make one for each store, and give it once.
          """)
      }
    }
  }
}

extension Store {
  /// Attaches a persistence to a store that has made no commit yet.
  ///
  /// Better give it to the store as that is made, in `middleware:`: then it restores before anything else.
  ///
  /// - Parameter persistence: What keeps the state.
  /// - Returns: The subscription that keeps it attached; when that ends, what was committed before is still written.
  /// - Throws: `PersistenceError.alreadyRunning`, if the store has made a commit, or the persistence has a store, and
  ///   `.closed` once it was closed.
  public func attach(
    _ persistence: Persistence<State>
  ) throws(PersistenceError) -> StoreSubscription {
    try persistence.begin(asScope, isNew: false)
    return StoreSubscription { persistence.detached() }
  }
}

extension PersistenceStorage where Self == MemoryStorage {
  /// A new storage in memory.
  public static var memory: MemoryStorage { MemoryStorage() }
}

/// What a `Persistence` does with a folder that does not fit.
public enum PersistenceRecovering: Sendable, Hashable {
  /// A torn tail is cut off; anything else that does not fit is an error, and nothing is changed.
  case strictly
  /// Takes what can be verified, and moves aside the files in which it was found.
  ///
  /// What is taken is no longer one commit's state: a part that cannot be decoded keeps its initial value, and what
  /// was written behind damage is lost. `recovery` says what. The files are copied before what was taken is kept, so
  /// at any moment, also of a power cut, they are there or aside; the disk needs room for both.
  case salvage
}
