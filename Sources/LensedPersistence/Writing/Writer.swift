internal import Foundation
internal import Lensed

// Writes what commits touched.
//
// A `Persistence` is middleware that no action meets. A store lets it restore before anything else is attached
// (`StateKeeping`). From then on:
//
//   1. *Note*: in the commit, under the store's lock, a recorder notes which kept parts it touched.
//   2. *Wake*: the thread that made the first such commit asks the `WriterMachine`, which has a turn queued or a timer
//      started. When a turn is due is decided in `PersistenceWriting.swift`.
//   3. *Take*: a turn copies the touched parts of the settled state (`ScopedStore.readSettledState`), in one turn at the
//      store's lock. What is committed from then on is the next turn's.
//   4. *Write*: without the store's lock, the group is encoded, appended and synced. If that fails, its parts stay touched, and
//      the next turn takes their newest values.
//   5. *Compact*: where it is due, the turn takes all parts, and a second queue writes them as a snapshot.
//   6. *Close*: between two turns, once all from before it is safe. A turn behind it writes nothing, and says so.
//
// Mutable state:
// - `noted`: a lock of its own, taken under the lock of the store too; it never calls anything.
// - `attachment`, `control`: a lock of their own each.
// - `folder`: touched by turns and what runs between them, all on `queue`.
//
// What does not depend on the type of the state is no part of the generic class: each turn would look up its types again.

/// What commits have touched; one bit for each part.
private struct Noted: Sendable {
  var touched: UInt64 = 0
  /// The parts that have shown a placeholder.
  ///
  /// A turn takes them where placeholders ended without a commit since the last one: what a mutator shows that is
  /// unregistered or replaced is settled then.
  var shown: UInt64 = 0
  /// The number of the last commit that was noted, and how many of them touched a part.
  var revision: UInt64 = 0
  var touching: UInt64 = 0
  var isWakePending = false
}

private struct Control: Sendable {
  var machine: WriterMachine<CheckedContinuation<PersistenceError?, Never>>
  var status = PersistenceStatus.healthy
  var isUnlocked = false
}

private struct Attachment<State: Sendable>: Sendable {
  var isAttached = false
  var store: ScopedStore<State>?
  var subscription: StoreSubscription?
  /// Whether the store has gone, or has been detached.
  var hasEnded = false
}

/// What only the queue touches.
private struct OpenFolder: Sendable {
  var writer: FolderWriter
  /// What the folder has of each part; nil where it has not the part, or it is written as a whole.
  var bases: [(any PartVersion)?]
  /// The parts that the folder has.
  var known: UInt64
  /// The parts that are to be written again: a write failed, or a migration has made them.
  var failed: UInt64 = 0
  /// How often placeholders had ended without a commit when a turn succeeded last.
  var ends: UInt64 = 0
  var isCompacting = false
  /// What waits until nothing is being compacted.
  var afterCompaction: [@Sendable () -> Void] = []
  var isClosed = false
}

/// A part as a turn has taken it.
private struct TakenPart: Sendable {
  let index: Int
  let version: any PartVersion
  /// Whether it is written for what touched it, and not only for a snapshot.
  let isTouched: Bool
}

final class Writer<State: Sendable>: Sendable {
  let storage: any PersistenceStorage
  private let parts: [any KeptPart<State>]
  private let queue: DispatchQueue
  private let compactionQueue: DispatchQueue
  private let clock: any Clock<Duration>
  private let age: @Sendable () -> Duration
  private let onFailure: @Sendable (PersistenceError) -> Void
  private let noted = Locked(Noted())
  private let control: Locked<Control>
  private let attachment = Locked(Attachment<State>())
  private let folder: Locked<OpenFolder>

  init(
    _ parts: [any KeptPart<State>], in contents: FolderContents<State>, _ writer: FolderWriter,
    _ options: PersistenceOptions, on storage: any PersistenceStorage
  ) {
    (self.parts, self.storage) = (parts, storage)
    (queue, compactionQueue) = (options.queue, options.compactionQueue)
    (clock, onFailure) = (options.clock, options.onFailure)
    age = clock.stopwatch()
    control = Locked(Control(machine: WriterMachine(options.writing)))
    var known: UInt64 = 0
    // What a migration made is written as a whole: another call of the migration might come to another value.
    var (migrated, bases) = (UInt64(0), [(any PartVersion)?]())
    for (index, part) in contents.parts.enumerated() {
      if part != nil { known |= 1 << index }
      if part?.isMigrated == true { migrated |= 1 << index }
      bases.append(part?.isMigrated == true ? nil : part?.version.base)
    }
    folder = Locked(OpenFolder(writer: writer, bases: bases, known: known, failed: migrated))
  }

  deinit {
    unlock()
  }

  private func unlock() {
    if !control.withLock({ exchange(&$0.isUnlocked, with: true) }) { storage.unlock() }
  }

  var status: PersistenceStatus { control.withLock { $0.status } }

  // MARK: Note and wake

  /// Restores the state, and begins to note commits.
  ///
  /// - Returns: Whether the store had made no commit, and this is the first store.
  func keep(
    _ store: ScopedStore<State>, isNew: Bool, restoring take: () -> [RestoredPart<State>?]
  ) -> Bool {
    let isFirst = attachment.withLock { attachment in
      if attachment.isAttached { return false }
      attachment.isAttached = true
      return true
    }
    if !isFirst { return false }
    // The first store alone takes them: of two at once, the second would leave the first without.
    let contents = take()
    let isRestoring = Locked(false)
    let noting = store.noteTouched(parts.map(\.part)) { [self] touched, cause, revision in
      // The restoring commit alone is left out: what observers dispatch in its delivery is noted.
      let isRestored = isRestoring.withLock { isRestoring in
        defer { isRestoring = false }
        return isRestoring
      }
      noted.withLock { noted in
        noted.revision = revision
        if isRestored { return }
        if cause == .placeholder { noted.shown |= touched }
        if touched == 0 { return }
        if noted.touched == 0 { noted.isWakePending = true }
        noted.touched |= touched
        noted.touching &+= 1
      }
    } wake: { [self] in
      wake()
    } end: { [self] in
      end()
    }
    guard let noting else { return true }
    // While a store is being made, only other persistences commit to it, to restore their parts.
    var isUntouched = isNew || noting.revision == 0
    if isUntouched, contents.contains(where: { $0 != nil }) {
      var state = store.state
      for part in contents { part?.put(&state) }
      isUntouched = false
      store.replaceState(state) {
        // In one critical section with the replacement, which would undo what was committed meanwhile to any part.
        isUntouched = noted.withLock { $0.revision == 0 }
        isRestoring.withLock { $0 = isUntouched }
        return isUntouched
      }
    }
    if !isUntouched {
      control.withLock { $0.status = .failing(.alreadyRunning, since: .zero) }
      noting.subscription.cancel()
      return false
    }
    // What was committed before is no commit that was missed.
    noted.withLock { $0.revision = max($0.revision, noting.revision) }
    let isOver = attachment.withLock { attachment in
      if !attachment.hasEnded {
        (attachment.store, attachment.subscription) = (store, noting.subscription)
      }
      return attachment.hasEnded
    }
    if isOver { noting.subscription.cancel() }
    // A turn for another thread's commit may have come before there was a store to take it from.
    if noted.withLock({ $0.touched != 0 }) { perform(control.withLock { $0.machine.touch() }) }
    return true
  }

  func report(_ fault: PersistenceError) { onFailure(fault) }

  private func wake() {
    let isPending = noted.withLock { noted in
      defer { noted.isWakePending = false }
      return noted.isWakePending
    }
    if isPending { perform(control.withLock { $0.machine.touch() }) }
  }

  /// The store has gone, or nothing more is to be noted of it: what was touched is written at once.
  private func end() {
    attachment.withLock { $0.hasEnded = true }
    perform(control.withLock { $0.machine.request() })
  }

  /// Ends the noting; what was touched is written.
  func detach() {
    attachment.withLock { $0.subscription.take() }?.cancel()
  }

  // MARK: Timers

  private func perform(
    _ action: WriterMachine<CheckedContinuation<PersistenceError?, Never>>.Action
  ) {
    switch action {
    case .none: break
    case .queueTurn: queue.async { self.runTurn() }
    case .startTimer(let lull, let limit): startTimer(lull, limit)
    case .startRetry(let delay):
      // The timer keeps the writer, and so the folder, until what failed is safe.
      Task { [clock] in
        try? await clock.sleep(for: delay)
        perform(control.withLock { $0.machine.endRetry() })
      }
    }
  }

  private func startTimer(_ lull: Duration, _ limit: Duration) {
    let commits = noted.withLock { $0.touching }
    // The timer keeps nothing alive: the last state of a store that goes is written without it.
    Task { [clock, weak self] in
      var timer = WriteTimer(lull: lull, limit: limit, commits: commits)
      let elapsed = clock.stopwatch()
      while true {
        try? await clock.sleep(for: timer.nextLook(after: elapsed()))
        guard let commits = self?.noted.withLock({ $0.touching }) else { return }
        if timer.isDue(after: elapsed(), commits: commits) { break }
      }
      if let self { perform(control.withLock { $0.machine.endTimer() }) }
    }
  }

  // MARK: A turn

  private func runTurn() {
    // Asked first: what was touched before the end is taken by a turn that begins after it.
    let hasEnded = attachment.withLock { $0.hasEnded }
    let waiters = control.withLock { $0.machine.beginTurn() }
    var fault: PersistenceError?
    do {
      try folder.withLock { try writeTouched(to: &$0, isAwaited: !waiters.isEmpty) }
    } catch {
      fault = PersistenceError(error)
    }
    // What came too late for `close` is not tried again.
    let hasFailed = fault != nil && fault != .closed
    let (action, news) = control.withLock { control in
      let news = control.status.note(fault, at: age)
      return (control.machine.endTurn(failed: hasFailed), news)
    }
    // Once all of a store that has gone is safe, its last state is released, without the lock.
    if !hasFailed && hasEnded { withExtendedLifetime(attachment.withLock { $0.store.take() }) {} }
    if let news { onFailure(news) }
    // Before the waiters go on: once `sync()` has returned, nothing is on its way to the disk. The next group brings the mark
    // with it, if it is due.
    if action != .queueTurn { folder.withLock { $0.writer.writeMark() } }
    for waiter in waiters { waiter.resume(returning: fault) }
    perform(action)
  }

  private func writeTouched(to folder: inout OpenFolder, isAwaited: Bool) throws {
    guard let store = attachment.withLock({ $0.store }) else { return }
    if folder.isClosed {
      if noted.withLock({ $0.touched != 0 }) { throw PersistenceError.closed }
      return
    }
    let isDue = !folder.isCompacting && folder.writer.isCompactionDue
    let mustRewrite = folder.writer.mustRewrite
    let known = folder.known
    // Before the state is read: what is touched meanwhile stays touched for the next turn. It is written with this one
    // too, because the state may have it, and then all parts have to be of that commit.
    let before = noted.withLock { exchange(&$0.touched, with: 0) } | folder.failed
    let formerEnds = folder.ends
    let ((taken, ends), revision) = store.readSettledState { state, revision, ends in
      let now = noted.withLock { $0 }
      var touched = before | now.touched
      if ends != formerEnds { touched |= now.shown }
      if mustRewrite { touched |= known }
      // A commit that is not noted may have touched any part, and all have to be of one commit.
      if touched != 0 && revision > now.revision { touched = ~0 }
      let isWhole = touched != 0 && isDue
      return (take(touched, isWhole ? touched | known : touched, of: state), ends)
    }
    var touched: UInt64 = 0
    for part in taken where part.isTouched { touched |= 1 << part.index }
    if touched == 0 { folder.ends = ends }
    // What was restored is made as safe as what is written.
    if touched == 0 && !mustRewrite { return try isAwaited ? folder.writer.secureFiles() : () }
    // If it fails, they are written again.
    folder.failed = touched
    if mustRewrite {
      try folder.writer.rewrite(makeGroup(of: taken, revision))
    } else {
      let bases = folder.bases
      try folder.writer.write(
        makeGroup(of: isDue ? taken.filter(\.isTouched) : taken, revision) { bases[$0] })
    }
    (folder.failed, folder.ends) = (0, ends)
    folder.known |= touched
    for part in taken where part.isTouched { folder.bases[part.index] = part.version.base }
    if isDue && !mustRewrite { compact(makeGroup(of: taken, revision), &folder) }
  }

  private func take(_ touched: UInt64, _ all: UInt64, of state: State) -> [TakenPart] {
    var taken: [TakenPart] = []
    for index in 0..<parts.count where all & 1 << index != 0 {
      let isTouched = touched & 1 << index != 0
      taken.append(
        TakenPart(index: index, version: parts[index].take(state), isTouched: isTouched))
    }
    return taken
  }

  private func makeGroup(
    of taken: [TakenPart], _ revision: UInt64,
    since base: (Int) -> (any PartVersion)? = { _ in nil }
  ) -> FolderWriter.Group {
    FolderWriter.Group(
      parts: taken.map { taken in
        FolderWriter.Group.Part(
          name: parts[taken.index].name, version: parts[taken.index].version,
          content: taken.version, base: base(taken.index))
      }, revision: revision)
  }

  // MARK: Compaction

  private func compact(_ group: FolderWriter.Group, _ folder: inout OpenFolder) {
    folder.isCompacting = true
    let size = folder.writer.sizeOfSegments
    let number = folder.writer.beginSnapshot()
    compactionQueue.async { [self] in
      let bytes = try? FolderWriter.writeSnapshot(number, of: group, to: storage)
      queue.async { [self] in
        let waiting = self.folder.withLock { folder in
          if let bytes {
            folder.writer.endSnapshot(number, bytes: bytes)
          } else {
            folder.writer.abandonSnapshot(number, of: size)
          }
          folder.isCompacting = false
          return exchange(&folder.afterCompaction, with: [])
        }
        for body in waiting { body() }
      }
    }
  }

  /// Does something on the queue, once nothing is being compacted.
  private func betweenCompactions(_ body: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      let isFree = folder.withLock { folder in
        if folder.isCompacting { folder.afterCompaction.append(body) }
        return !folder.isCompacting
      }
      if isFree { body() }
    }
  }

  // MARK: Syncing, closing, erasing

  nonisolated(nonsending) func sync() async -> PersistenceError? {
    switch status {
    case .closed: return .closed
    case .failing(.alreadyRunning, _): return .alreadyRunning
    case .healthy, .failing: break
    }
    return await withCheckedContinuation { waiter in
      perform(control.withLock { $0.machine.wait(waiter) })
    }
  }

  nonisolated(nonsending) func close() async -> PersistenceError? {
    switch status {
    case .closed: return nil
    case .failing(.alreadyRunning, _): break
    case .healthy, .failing:
      // Until this has succeeded, nothing has changed.
      if let fault = await sync() { return fault == .closed ? nil : fault }
    }
    return await withCheckedContinuation { waiter in
      betweenCompactions { [self] in
        folder.withLock { folder in
          folder.writer.writeMark()
          folder.isClosed = true
        }
        control.withLock { $0.status = .closed }
        detach()
        unlock()
        waiter.resume(returning: nil)
      }
    }
  }

  /// Erases the folder, and calls something once nothing of it would be read any more.
  nonisolated(nonsending) func erase(
    _ forget: @escaping @Sendable () -> Void
  ) async -> PersistenceError? {
    if status == .closed { return .closed }
    return await withCheckedContinuation { waiter in
      betweenCompactions { [self] in
        var fault: PersistenceError?
        folder.withLock { folder in
          do {
            // It may have been closed while this waited.
            if folder.isClosed { throw PersistenceError.closed }
            for index in folder.bases.indices { folder.bases[index] = nil }
            // If it fails, all of them are written as a whole.
            folder.failed |= folder.known
            folder.failed |= noted.withLock {
              exchange(&$0.touched, with: 0) | exchange(&$0.shown, with: 0)
            }
            try folder.writer.erase()
            (folder.known, folder.failed) = (0, 0)
            forget()
            try folder.writer.removeErased()
          } catch {
            fault = PersistenceError(error)
          }
        }
        waiter.resume(returning: fault)
      }
    }
  }
}

extension Clock<Duration> {
  /// How long ago this was called.
  func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: now) }
  }
}

/// What a writer is given beside the folder.
package struct PersistenceOptions: Sendable {
  var writing: PersistenceWriting
  var clock: any Clock<Duration>
  var onFailure: @Sendable (PersistenceError) -> Void
  var queue = DispatchQueue(label: "Lensed.Persistence")
  var compactionQueue = DispatchQueue(label: "Lensed.Persistence.snapshot")
  /// How large the segments grow at least before they are compacted.
  package var minimalSegments: UInt64 = 1 << 20

  package init(
    writing: PersistenceWriting, clock: any Clock<Duration> = ContinuousClock(),
    onFailure: (@Sendable (PersistenceError) -> Void)?
  ) {
    (self.writing, self.clock) = (writing, clock)
    self.onFailure = onFailure ?? { StandardError.write(line: "\($0)") }
  }
}
