// The changes that readers are yet to be given: those of `store.changes()`, and those of runs of effects that are
// `keepingChanges()`.
//
// 1. *Join.* A backlog joins the log of its store under the lock: when an iterator is made, or in the commit that
//    triggers a run.
// 2. *Record.* While the log has a backlog, every commit takes the slow path and is recorded, under the lock, in each of
//    them that has a place for it: so no commit lies between joining and the first one that is recorded. No route changes
//    for that.
// 3. *Wake.* Without the lock, the thread that committed wakes the readers that wait.
// 4. *Read.* A reader takes what it is yet to be given, whenever it asks.
// 5. *Leave.* A backlog closes when it has no reader any more, and drops what it has at once. The log strikes it off
//    with the next commit.
//
// Mutable state, and its guard:
// - `ChangeLog`: the lock of the store.
// - `ChangeBuffer`: its own lock, which may be taken under that of the store. Nothing is called under it.

// MARK: In the commit, under the lock of the store

/// The backlogs of one store.
struct ChangeLog: ~Copyable, Sendable {
  private struct Entry: Sendable {
    let buffer: ChangeBuffer
    /// Whether the present commit has a place there; where the state before it is kept, decided before it.
    var isAdmitted = false
    /// The part as it was before the present commit.
    var previous: (any AnyObject & Sendable)?
  }

  private var entries: [Entry] = []
  /// The state before the present commit, where a buffer of the whole state is to have it.
  private var former: (any AnyObject & Sendable)?
  private var keepsPrevious = false
  /// How many buffers there may be before the closed ones are looked for.
  private var limit = 16

  var isEmpty: Bool { entries.isEmpty }

  mutating func add(_ new: [ChangeBuffer]) {
    if entries.count + new.count > limit {
      entries.removeAll(where: \.buffer.isClosed)
      limit = max(limit, 2 * (entries.count + new.count))
    }
    for buffer in new { entries.append(Entry(buffer: buffer)) }
    if new.contains(where: \.keepsPrevious) { keepsPrevious = true }
  }

  /// Keeps the state before a commit, for those that want it and have room.
  mutating func prepare(_ state: StateAddress, _ witness: any StateWitness.Type) {
    if !keepsPrevious { return }
    for index in entries.indices where entries[index].buffer.keepsPrevious {
      let buffer = entries[index].buffer
      // Room that a reader makes meanwhile is for the next commit; room that was found stays: only a commit fills it.
      let hasRoom = buffer.hasRoom == true
      if entries[index].isAdmitted != hasRoom { entries[index].isAdmitted = hasRoom }
      if !hasRoom { continue }
      if let part = buffer.part {
        entries[index].previous = part.keep(state)
      } else if former == nil {
        former = witness.box(state)
      }
    }
  }

  /// Decides which buffers have a place for a commit, counts it in the others, and strikes off what has closed; returns
  /// whether one has: otherwise nobody needs a record of the commit.
  mutating func admit(noting trash: inout InlineList<any AnyObject & Sendable>) -> Bool {
    var (isAdmitted, hasClosed) = (false, false)
    for index in entries.indices {
      let buffer = entries[index].buffer
      let hasRoom = buffer.hasRoom
      let isKept =
        hasRoom != nil && (buffer.keepsPrevious ? entries[index].isAdmitted : hasRoom == true)
      // Where nothing differs, nothing is written: a write asks whether the array is shared.
      if entries[index].isAdmitted != isKept { entries[index].isAdmitted = isKept }
      if isKept {
        isAdmitted = true
        continue
      }
      if entries[index].previous != nil, let previous = entries[index].previous.take() {
        trash.append(previous)
      }
      if hasRoom == nil { hasClosed = true } else { buffer.refuse() }
    }
    // One that closes only now has the state before it, which `record` hands out.
    if hasClosed { entries.removeAll { !$0.isAdmitted && $0.buffer.isClosed } }
    if !isAdmitted, let former = former.take() { trash.append(former) }
    return isAdmitted
  }

  /// Records a commit in the buffers that have admitted it, and returns those of which a reader waits.
  ///
  /// The readers of the whole state share one report. What gives way becomes `trash`, to be released without the lock.
  mutating func record(
    _ commit: consuming CommitRecord, _ witness: any StateWitness.Type,
    noting trash: inout InlineList<any AnyObject & Sendable>
  ) -> InlineList<ChangeBuffer> {
    let (state, former) = (commit.state, former.take())
    // Most often it is for one reader alone, and becomes a part of its report.
    if entries.count == 1, entries[0].isAdmitted, entries[0].buffer.part == nil {
      let buffer = entries[0].buffer
      let report = witness.makeReport(state, of: consume commit, previous: former)
      return buffer.append(report, noting: &trash) ? .one(buffer) : .none
    }
    let commit = consume commit
    var (plain, full): ((any CommitReport)?, (any CommitReport)?)
    var awaited = InlineList<ChangeBuffer>.none
    for index in entries.indices where entries[index].isAdmitted {
      let buffer = entries[index].buffer
      let report: any CommitReport
      if let part = buffer.part {
        report = part.makeReport(commit, entries[index].previous.take())
      } else if buffer.keepsPrevious {
        report = full ?? witness.makeReport(state, of: commit, previous: former)
        full = report
      } else {
        report = plain ?? witness.makeReport(state, of: commit, previous: nil)
        plain = report
      }
      if buffer.append(report, noting: &trash) { awaited.append(buffer) }
    }
    if full == nil, let former { trash.append(former) }
    return awaited
  }

  /// Returns the buffers, to be ended without the lock.
  mutating func close() -> [ChangeBuffer] { exchange(&entries, with: []).map(\.buffer) }
}

extension StoreCore {
  /// Has a backlog begin with the next commit; with none, if the store has gone.
  func add(_ backlog: ChangeBacklog) {
    let isOpen = withLock("read the changes of the store") { protected in
      if protected.table.isClosed { return false }
      protected.log.add([backlog.buffer])
      updateRecording(&protected)
      return true
    }
    if !isOpen { backlog.buffer.end() }
  }

  /// Begins or ends recording, in the commit after which the first backlog begins, or after the last one has closed.
  func updateRecording(_ protected: inout Protected) {
    assertLocked()
    let isNeeded = !protected.log.isEmpty
    if protected.table.isRecorded != isNeeded { protected.table.isRecorded = isNeeded }
  }
}

// MARK: What waits for the readers of one backlog

/// The changes of one backlog: the machine, its lock, and the waits of its readers.
///
/// A commit that it has no room for costs no allocation: no report is made, and no state is copied.
final class ChangeBuffer: Sendable {
  /// How the changes of a part are made; those of the whole state are made by the witness of the store.
  final class Part: Sendable {
    /// Copies the part before a commit.
    let keep: @Sendable (_ state: StateAddress) -> any AnyObject & Sendable
    let makeReport:
      @Sendable (_ commit: CommitRecord, _ previous: (any AnyObject & Sendable)?) ->
        any CommitReport

    init<State: Sendable>(_ part: PartPath<State>) {
      keep = { Boxed(part.read($0)) }
      makeReport = { [footprint = part.footprint] commit, previous in
        CommitSnapshot(
          part.read(commit.state), of: commit.forReader(of: footprint),
          previous: previous.flatMap { $0 as? Boxed<State> })
      }
    }
  }

  private enum Phase {
    case open
    /// Nothing more is added; what is there is still given.
    case ended
    /// It has no reader any more.
    case closed
  }

  private struct Inbox: Sendable {
    var machine: ChangeBufferMachine<any CommitReport>
    var waits: [Int: CommitWait] = [:]
    var phase = Phase.open
  }

  private let inbox: Locked<Inbox>
  let keepsPrevious: Bool
  /// Nil where the changes are of the whole state.
  fileprivate let part: Part?

  fileprivate init(
    _ machine: ChangeBufferMachine<any CommitReport>, of part: Part?, keepingPrevious: Bool
  ) {
    inbox = Locked(Inbox(machine: machine))
    (keepsPrevious, self.part) = (keepingPrevious, part)
  }

  /// Whether the log has nothing more to add to it.
  fileprivate var isClosed: Bool { inbox.withLock { $0.phase != .open } }

  /// Another one with what this one has, and no reader yet; to be made under the lock of the store.
  fileprivate var forked: ChangeBuffer {
    ChangeBuffer(inbox.withLock { $0.machine.forked }, of: part, keepingPrevious: keepsPrevious)
  }

  // MARK: Recording

  /// Whether a commit has a place now; nil if nothing more is to be added.
  fileprivate var hasRoom: Bool? {
    inbox.withLock { $0.phase == .open ? !$0.machine.isRefusing : nil }
  }

  /// Counts a commit that has no place.
  fileprivate func refuse() { inbox.withLock { $0.machine.refuse() } }

  /// Adds the report of a commit that has a place; returns whether a reader waits for it.
  fileprivate func append(
    _ report: any CommitReport, noting trash: inout InlineList<any AnyObject & Sendable>
  ) -> Bool {
    inbox.withLock { inbox in
      // It may have closed meanwhile.
      if inbox.phase == .closed {
        trash.append(report)
        return false
      }
      inbox.machine.append(report).forEach { trash.append($0) }
      return !inbox.waits.isEmpty
    }
  }

  // MARK: Ending

  func wake() {
    for wait in inbox.withLock({ Array($0.waits.values) }) { wait.raise() }
  }

  /// Adds nothing more; what is there is still given.
  func end() {
    inbox.withLock { if $0.phase == .open { $0.phase = .ended } }
    wake()
  }

  /// Drops what is there, and gives nothing more.
  fileprivate func close() {
    let (unread, waits) = inbox.withLock { inbox in
      inbox.phase = .closed
      return (inbox.machine.removeAll(), exchange(&inbox.waits, with: [:]))
    }
    for wait in waits.values { wait.end() }
    // Released here, without the lock: a change may hold the last reference to something of the user's.
    withExtendedLifetime(unread) {}
  }

  // MARK: Reading

  fileprivate func edit<Result: Sendable>(
    _ body: (inout ChangeBufferMachine<any CommitReport>) -> Result
  ) -> Result {
    inbox.withLock { body(&$0.machine) }
  }

  fileprivate func next(
    for reader: Int
  ) -> (taken: ChangeBufferMachine<any CommitReport>.Taken?, isOpen: Bool) {
    inbox.withLock { ($0.machine.nextElement(for: reader), $0.phase == .open) }
  }

  /// Lists a wait, to be raised by the next commit; not, if there is something to look at already.
  fileprivate func list(_ wait: CommitWait, of reader: Int) -> Bool {
    inbox.withLock { inbox in
      if inbox.phase != .open || inbox.machine.hasNext(for: reader) { return false }
      if inbox.waits[reader] != nil {
        fatalError(
          """
          Lensed: a second task asked for the next change while another was waiting for it. What `changes()` returns is \
          for one task, and so is an iterator of it: call `changes()` once for each.
          """)
      }
      inbox.waits[reader] = wait
      return true
    }
  }

  fileprivate func strike(_ wait: CommitWait, of reader: Int) {
    let former = inbox.withLock { inbox in
      inbox.waits[reader] === wait ? inbox.waits.removeValue(forKey: reader) : nil
    }
    withExtendedLifetime(former) {}
  }
}

/// The commits since one moment that readers are yet to be given; closed with the last reference to it.
final class ChangeBacklog: Sendable {
  let buffer: ChangeBuffer
  private let own = Locked<ChangeReader?>(nil)

  private init(_ buffer: ChangeBuffer) {
    self.buffer = buffer
  }

  /// That of a run of an effect, which keeps so many changes of the whole state before they are read.
  convenience init(limit: Int, keepingPrevious: Bool) {
    self.init(
      ChangeBuffer(ChangeBufferMachine(limit: limit), of: nil, keepingPrevious: keepingPrevious))
  }

  /// That of an iterator of `changes`.
  convenience init<State: Sendable>(
    _ buffering: ChangeBuffering, keepingPrevious: Bool, of part: PartPath<State>
  ) {
    self.init(
      ChangeBuffer(
        ChangeBufferMachine(buffering), of: part.isWhole ? nil : ChangeBuffer.Part(part),
        keepingPrevious: keepingPrevious))
  }

  deinit {
    close()
  }

  /// The reader with which each wait goes on where the one before ended.
  var reader: ChangeReader {
    own.withLock { own in
      let reader = own ?? makeReader()
      own = reader
      return reader
    }
  }

  func close() { buffer.close() }

  /// The same for another run; to be made under the lock of the store.
  var forked: ChangeBacklog { ChangeBacklog(buffer.forked) }

  func beginRun() { buffer.edit { $0.markRun() } }

  func makeReader(fromRun: Bool = false) -> ChangeReader {
    ChangeReader(buffer.edit { $0.addReader(fromRun: fromRun) }, of: buffer)
  }
}

// MARK: Reading

/// A reader of a backlog, for one task at a time.
final class ChangeReader: Sendable {
  struct Item: Sendable {
    let report: any CommitReport
    var dropped: Int
    let isFirst: Bool
    /// How many of its actions were looked at.
    var seen = 0
  }

  private struct Progress: Sendable {
    /// What was read, and is to be read once more.
    var returned: Item?
    var turn = JobTurn()
  }

  private let buffer: ChangeBuffer
  private let id: Int
  private let progress = Locked(Progress())

  fileprivate init(_ id: Int, of buffer: ChangeBuffer) {
    (self.id, self.buffer) = (id, buffer)
  }

  deinit {
    // What no other reader is to be given is released without the lock.
    _ = buffer.edit { $0.removeReader(id) }
  }

  /// Says whether nothing may be dropped that it is yet to be given.
  func setActive(_ isActive: Bool) {
    _ = buffer.edit { $0.setActive(id, isActive) }
  }

  func putBack(_ item: Item) {
    let former = progress.withLock { exchange(&$0.returned, with: item) }
    withExtendedLifetime(former) {}
  }

  /// The next commit; nil when there will be none, or the task was cancelled.
  ///
  /// If it is not to wait, nil also where the next commit is not there yet.
  nonisolated(nonsending) func next(waiting: Bool = true) async -> Item? {
    let actor = #isolation
    let (isOver, returned) = progress.withLock { ($0.turn.isOver(on: actor), $0.returned.take()) }
    if isOver { await Task.yield() }
    if let returned { return returned }
    while !Task.isCancelled {
      let (taken, isOpen) = buffer.next(for: id)
      if let taken {
        return Item(report: taken.element, dropped: taken.dropped, isFirst: taken.isFirst)
      }
      if !isOpen || !waiting { return nil }
      let wait = CommitWait()
      await wait.wait { !buffer.list(wait, of: id) }
      buffer.strike(wait, of: id)
    }
    return nil
  }
}

/// The wait of one task for a commit: a test makes that, so meanwhile the work of an effect counts as at rest.
final class CommitWait: Sendable {
  private let signal = Signal()
  private let sleep = Locked<WorkSleep?>(nil)

  func raise() {
    sleep.withLock { $0.take() }?.end()
    signal.raise()
  }

  func end() {
    sleep.withLock { $0.take() }?.end()
    signal.end()
  }

  /// Waits until it is raised, ends, or the task is cancelled; not, if `isReady` finds that it was raised before.
  nonisolated(nonsending) func wait(unless isReady: () -> Bool) async {
    let sleep = WorkSleep()
    let former = self.sleep.withLock { exchange(&$0, with: sleep) }
    withExtendedLifetime(former) {}
    // A thread that raises it from here on ends the sleep.
    if !isReady() {
      sleep.begin()
      await signal.wait()
    }
    sleep.end()
  }
}
