internal import Foundation
internal import Lensed
public import LensedPersistence

/// A storage in memory that fails as disks do: at a call that you name, in the middle of a write, or by losing power; and
/// that can be slow.
///
/// ```swift
/// let faulty = FaultyStorage()
/// let disk = try Persistence<AppState>(in: faulty) { Kept(\.settings) }
/// let store = try Store(initialState: AppState(), middleware: [disk]) { … }
/// faulty.fail(.sync, with: EIO)
/// store.dispatch(SettingsAction.dark)
/// await #expect(throws: PersistenceError.self) { try await disk.sync() }
/// faulty.heal()
/// try await disk.sync()
/// let after = faulty.afterPowerCut(seed: 1)     // what a new process might find
/// ```
///
/// Everything that changes it is logged, so that the folder can be had as a power cut after any operation would
/// have left it: with what was synced, and with any part of what was not, in any order.
public final class FaultyStorage: PersistenceStorage {
  /// A call of a storage.
  public enum Call: Sendable, Hashable, CaseIterable {
    /// The calls of a storage that can fail.
    case lock, list, read, append, sync, publish, remove
  }

  private enum Operation: Sendable {
    case append([UInt8], String)
    case sync(String)
    /// A sync that failed: what waited for it is on the disk or not, and no later sync brings it there.
    case failedSync(String)
    case publish(String, String)
    /// A publishing that failed after the renaming: which name the disk has is unknown until one of them is synced.
    case failedPublish(String, String)
    case remove(String)
  }

  /// A fault to come.
  private struct Fault: Sendable {
    /// Nil is any call.
    var call: Call?
    /// How many such calls succeed before it.
    var after: Int
    var code: Int32
    var lasts: Bool
    /// How many bytes of a write are appended first.
    var writes: Int
    /// Whether a file is renamed first.
    var renames: Bool
  }

  private struct Contents: Sendable {
    var files: [String: [UInt8]]
    var isLocked = false
    var log: [Operation] = []
    var calls = 0
    var faults: [Fault] = []
    var isHeld = false
    var held = 0
    /// How long a byte takes.
    var slowness: (perByte: Duration, clock: any Clock<Duration>)?

    /// Changes the files.
    ///
    /// - Returns: Whether there was anything to change.
    @discardableResult
    mutating func perform(_ operation: Operation) -> Bool {
      switch operation {
      case .append(let bytes, let file): files[file, default: []] += bytes
      case .sync, .failedSync: break
      case .publish(let file, let name), .failedPublish(let file, let name):
        guard let bytes = files.removeValue(forKey: file) else { return false }
        files[name] = bytes
      case .remove(let file): return files.removeValue(forKey: file) != nil
      }
      return true
    }

    /// Changes the files, and notes it.
    mutating func note(_ operation: Operation) -> Bool {
      if !perform(operation) { return false }
      log.append(operation)
      return true
    }
  }

  private let start: [String: [UInt8]]
  private let condition = NSCondition()
  private let contents: Locked<Contents>

  /// A storage with files, all of them synced.
  public init(_ files: [String: [UInt8]] = [:]) {
    start = files
    contents = Locked(Contents(files: files))
  }

  // MARK: Faults

  /// Lets a call fail.
  ///
  /// - Parameters:
  ///   - call: Which; nil is any.
  ///   - after: How many such calls from now on succeed before it.
  ///   - code: The `errno` that it fails with.
  ///   - lasts: Whether all such calls behind it fail too, until `heal()`.
  ///   - writes: If it is an `append`, how many bytes are written before it fails.
  ///   - renames: If it is a `publish`, whether it takes effect before it fails, as where the sync of the folder fails: the
  ///     file has its new name, and after a power cut the one or the other.
  public func fail(
    _ call: Call? = nil, after: Int = 0, with code: Int32, lasts: Bool = false,
    writing writes: Int = 0, renaming renames: Bool = false
  ) {
    let fault = Fault(
      call: call, after: after, code: code, lasts: lasts, writes: writes, renames: renames)
    contents.withLock { $0.faults.append(fault) }
  }

  /// Lets no call fail any more, and none be slow.
  public func heal() {
    contents.withLock { contents in
      contents.faults = []
      contents.slowness = nil
    }
  }

  /// Lets each write take as long as its bytes take on a slow disk, until `heal()`.
  ///
  /// The thread that writes waits for so long. A `Persistence` has one for that; a task that writes by itself would keep
  /// a thread of the pool from all others.
  ///
  /// - Parameters:
  ///   - bytesPerSecond: How many bytes a second are written; at least one is.
  ///   - clock: What the time is measured by.
  public func slow(to bytesPerSecond: Int, by clock: any Clock<Duration>) {
    let perByte = Duration.seconds(1) / max(1, bytesPerSecond)
    contents.withLock { $0.slowness = (perByte, clock) }
  }

  private func waitForDisk(_ bytes: Int) {
    guard bytes > 0, let (perByte, clock) = contents.withLock({ $0.slowness }) else { return }
    let written = DispatchSemaphore(value: 0)
    Task {
      try? await clock.sleep(for: perByte * bytes)
      written.signal()
    }
    written.wait()
  }

  /// Lets every call that changes a file wait until `release()`, as on a disk that is slow.
  public func hold() { contents.withLock { $0.isHeld = true } }

  /// Lets the calls that wait go on.
  public func release() {
    condition.lock()
    contents.withLock { $0.isHeld = false }
    condition.broadcast()
    condition.unlock()
  }

  /// Returns when so many calls wait.
  public nonisolated(nonsending) func waitUntilHeld(_ count: Int = 1) async {
    while contents.withLock({ $0.held < count }) { await Task.yield() }
  }

  /// How many calls there were.
  public var calls: Int { contents.withLock { $0.calls } }

  /// Counts a call, and lets it fail.
  private func enter(_ call: Call, _ file: String) throws {
    if let fault = find(call) { throw DiskFault(.code(fault.code), .init(call), file) }
  }

  private func find(_ call: Call) -> Fault? {
    if ![.lock, .read, .list].contains(call) { waitWhileHeld() }
    return contents.withLock { contents in
      contents.calls += 1
      for index in contents.faults.indices
      where contents.faults[index].call.map({ $0 == call }) ?? true {
        if contents.faults[index].after > 0 {
          contents.faults[index].after -= 1
          continue
        }
        let fault = contents.faults[index]
        if !fault.lasts { contents.faults.remove(at: index) }
        return fault
      }
      return nil
    }
  }

  private func waitWhileHeld() {
    condition.lock()
    defer { condition.unlock() }
    while contents.withLock({ $0.isHeld }) {
      contents.withLock { $0.held += 1 }
      condition.wait()
      contents.withLock { $0.held -= 1 }
    }
  }

  // MARK: A kill, a power cut

  /// How many operations have changed the files.
  public var operations: Int { contents.withLock { $0.log.count } }

  /// The files as they are now: what another process finds when this one is killed.
  public var files: [String: [UInt8]] { contents.withLock { $0.files } }

  /// The storage as a process that was killed would have left it to the next one.
  ///
  /// The next process reads all that was written, synced or not; a power cut afterwards takes what was not synced.
  ///
  /// - Parameter operations: After how many operations; nil is now.
  /// - Returns: A storage that is free, and has no faults.
  public func afterKill(_ operations: Int? = nil) -> FaultyStorage {
    let log = contents.withLock { $0.log }
    let next = FaultyStorage(start)
    next.contents.withLock { contents in
      contents.log = Array(log.prefix(max(0, operations ?? log.count)))
      for operation in contents.log { contents.perform(operation) }
    }
    return next
  }

  /// The files as a power cut would have left them.
  ///
  /// What was synced is there. Of what was not, any part is: whole writes, the beginnings of writes, later ones
  /// without earlier ones, names without contents. What a sync that failed should have made safe is not made so by a
  /// later one: systems as Linux take it for written.
  ///
  /// - Parameters:
  ///   - operations: After how many operations; nil is now.
  ///   - seed: What of the rest is there.
  /// - Returns: The files, for a storage that a next process finds.
  public func afterPowerCut(_ operations: Int? = nil, seed: UInt64) -> [String: [UInt8]] {
    let log = contents.withLock { $0.log }
    var generator = SeededGenerator(seed: seed)
    var platter = Platter(start)
    for operation in log.prefix(max(0, operations ?? log.count)) { platter.perform(operation) }
    return platter.cut(&generator)
  }

  /// What a disk knows.
  private struct Platter {
    struct File {
      /// What a sync makes of a write.
      enum Fate { case waiting, safe, lost }

      var writes: [(bytes: [UInt8], fate: Fate)] = []

      /// Ends the waiting of all writes.
      mutating func end(as fate: Fate) {
        for index in writes.indices where writes[index].fate == .waiting {
          writes[index].fate = fate
        }
      }
    }

    /// The files by name, as the operating system shows them.
    var shown: [String: File] = [:]
    /// The names that are safe, and those that were removed and may come back.
    var named: Set<String> = []
    var removed: [String: File] = [:]
    /// The old names of files that were renamed, by the new ones, and what had the new name before.
    var renamed: [String: (old: String, former: File?)] = [:]

    init(_ files: [String: [UInt8]]) {
      shown = files.mapValues { File(writes: [($0, .safe)]) }
      named = Set(files.keys)
    }

    mutating func perform(_ operation: Operation) {
      switch operation {
      case .append(let bytes, let name):
        shown[name, default: File()].writes.append((bytes, .waiting))
      case .sync(let name):
        shown[name]?.end(as: .safe)
        named.insert(name)
        renamed[name] = nil
      case .failedSync(let name): shown[name]?.end(as: .lost)
      case .publish(let name, let other):
        shown[other] = shown.removeValue(forKey: name)
        named.remove(name)
        named.insert(other)
        // A sync of the folder brings every removal and renaming to the disk.
        removed = [:]
        named.formUnion(renamed.keys)
        renamed = [:]
      case .failedPublish(let name, let other):
        renamed[other] = (name, shown[other])
        shown[other] = shown.removeValue(forKey: name)
        named.remove(other)
        if !named.contains(name) { renamed[other] = nil }
        named.remove(name)
      case .remove(let name):
        // One whose new name is not safe comes back, if it does, by its old one.
        if let file = shown.removeValue(forKey: name) {
          if named.contains(name) { removed[name] = file }
          if let old = renamed.removeValue(forKey: name)?.old { removed[old] = file }
        }
        named.remove(name)
      }
    }

    func cut(_ generator: inout SeededGenerator) -> [String: [UInt8]] {
      var files: [String: [UInt8]] = [:]
      for name in shown.keys.sorted() {
        if let (old, former) = renamed[name] {
          // The one name or the other one, never both.
          let isRenamed = Bool.random(using: &generator)
          files[isRenamed ? name : old] = shown[name].map { remains(of: $0, &generator) }
          if !isRenamed, let former { files[name] = remains(of: former, &generator) }
        } else if named.contains(name) || Bool.random(using: &generator) {
          files[name] = shown[name].map { remains(of: $0, &generator) }
        }
      }
      for name in removed.keys.sorted() where Bool.random(using: &generator) {
        files[name] = files[name] ?? removed[name].map { remains(of: $0, &generator) }
      }
      return files
    }

    private func remains(of file: File, _ generator: inout SeededGenerator) -> [UInt8] {
      var bytes: [UInt8] = []
      var end = 0
      for (write, fate) in file.writes {
        let count = fate == .safe ? write.count : remains(of: write.count, &generator)
        if count > 0 {
          // What was lost before it is a hole of zeros.
          bytes += [UInt8](repeating: 0, count: max(0, end - bytes.count))
          bytes += write.prefix(count)
        }
        end += write.count
      }
      return bytes
    }

    private func remains(of count: Int, _ generator: inout SeededGenerator) -> Int {
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: 0
      case 1: count
      default: Int.random(in: 0...count, using: &generator)
      }
    }
  }

  // MARK: The storage

  /// The name of the storage in messages.
  public var name: String { "faulty" }

  /// Takes the storage for one user.
  public func lock() throws {
    try enter(.lock, "lock")
    let isMine = contents.withLock { contents in
      defer { contents.isLocked = true }
      return !contents.isLocked
    }
    if !isMine { throw DiskFault(.locked, .lock, "lock") }
  }

  /// Lets others take it.
  public func unlock() { contents.withLock { $0.isLocked = false } }

  /// The names of the files.
  public func list() throws -> [String] {
    try enter(.list, name)
    return contents.withLock { $0.files.keys.sorted() }
  }

  /// Bytes of a file.
  public func read(_ file: String, from offset: UInt64, count: Int) throws -> [UInt8] {
    try enter(.read, file)
    guard let bytes = contents.withLock({ $0.files[file] }) else {
      throw DiskFault(.missing, .read, file)
    }
    return offset >= UInt64(bytes.count) ? [] : Array(bytes[Int(offset)...].prefix(max(0, count)))
  }

  /// Appends to a file.
  public func append(_ bytes: [UInt8], to file: String) throws {
    let fault = find(.append)
    let written = fault.map { Array(bytes.prefix(max(0, $0.writes))) } ?? bytes
    waitForDisk(written.count)
    if fault == nil || !written.isEmpty {
      _ = contents.withLock { $0.note(.append(written, file)) }
    }
    if let fault { throw DiskFault(.code(fault.code), .write, file) }
  }

  /// Notes that a file is safe.
  public func sync(_ file: String) throws {
    do {
      try enter(.sync, file)
    } catch {
      _ = contents.withLock { $0.note(.failedSync(file)) }
      throw error
    }
    _ = contents.withLock { $0.note(.sync(file)) }
  }

  /// Gives a file another name.
  public func publish(_ file: String, as name: String) throws {
    let fault = find(.publish)
    if fault == nil || fault?.renames == true {
      let isThere = contents.withLock {
        $0.note(fault == nil ? .publish(file, name) : .failedPublish(file, name))
      }
      if !isThere { throw DiskFault(.missing, .rename, file) }
    }
    if let fault { throw DiskFault(.code(fault.code), fault.renames ? .sync : .rename, file) }
  }

  /// Removes a file.
  public func remove(_ file: String) throws {
    try enter(.remove, file)
    _ = contents.withLock { $0.note(.remove(file)) }
  }
}

extension DiskFault.Operation {
  fileprivate init(_ call: FaultyStorage.Call) {
    self =
      switch call {
      case .lock: .lock
      case .list: .list
      case .read: .read
      case .append: .write
      case .sync: .sync
      case .publish: .rename
      case .remove: .remove
      }
  }
}
