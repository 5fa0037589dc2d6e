internal import Synchronization

// The changes that runs of effects are yet to read.
//
// 1. A commit that triggers such an effect adds a backlog, under the lock of the store.
// 2. While there is a backlog, every commit takes the slow path and is recorded in each of them, under the lock
//    of the store: so no commit lies between the trigger and the first one that is recorded.
// 3. The run reads its backlog whenever it asks. The backlog goes when the run has ended, or never begins.
//
// The lock of the store is taken before that of the table; no other lock is taken under the table's.

/// The backlogs of one store.
final class ChangeBacklogs: Sendable {
  fileprivate struct Entry: Sendable {
    var machine: BacklogMachine<any CommitReport>
    /// The readers that wait, or are about to.
    var waits: [Int: CommitWait] = [:]
    /// Whether its changes have the state before each commit.
    var keepsPrevious = false
  }

  private struct Table: Sendable {
    var entries: [Int: Entry] = [:]
    var lastID = 0
  }

  private let table = Locked(Table())
  private let count = Atomic(0)
  /// How many backlogs keep the state before each commit.
  private let formerCount = Atomic(0)
  /// The state before the commit in progress, if some backlog keeps it.
  private let former = Locked<(any AnyObject & Sendable)?>(nil)

  /// Whether commits are to be recorded.
  var isNeeded: Bool { count.load(ordering: .acquiring) > 0 }

  /// Records each commit, in a report that all backlogs share.
  func recorder(_ witness: StateWitness) -> CommitRecorder {
    CommitRecorder(
      prepare: { [self, box = witness.box] state in
        if formerCount.load(ordering: .acquiring) == 0 { return }
        let state = box(state)
        let old = former.withLock { exchange(&$0, with: state) }
        withExtendedLifetime(old) {}
      },
      record: { [self, makeReport = witness.makeReport] commit in
        let former = former.withLock { $0.take() }
        guard isNeeded else { return former }
        return self.record(makeReport(commit.state, commit, nil, former))
      },
      afterwards: { [self] in
        for wait in table.withLock({ $0.entries.values.flatMap(\.waits.values) }) { wait.raise() }
      })
  }

  private func record(_ report: any CommitReport) -> Boxed<[any CommitReport]>? {
    table.withLock { table in
      var dropped: [any CommitReport] = []
      // By indices: a loop over the keys holds the dictionary, and each write to it would copy the backlogs.
      var index = table.entries.startIndex
      while index != table.entries.endIndex {
        dropped += table.entries.values[index].machine.append(report)
        table.entries.formIndex(after: &index)
      }
      return dropped.isEmpty ? nil : Boxed(dropped)
    }
  }

  /// Adds a backlog of the commits to come; under the lock of the store.
  func add(limit: Int, keepingPrevious: Bool) -> ChangeBacklog {
    add { _ in (BacklogMachine(limit: limit), keepingPrevious) }
  }

  /// Adds one with what another has.
  fileprivate func fork(_ id: Int) -> ChangeBacklog {
    add { entries in
      guard let entry = entries[id] else { return (BacklogMachine(limit: 1), false) }
      return (entry.machine.forked, entry.keepsPrevious)
    }
  }

  /// Makes a machine and adds it in one step, so that no commit is recorded in between.
  private func add(
    _ make: (_ entries: [Int: Entry]) -> (BacklogMachine<any CommitReport>, keepsPrevious: Bool)
  ) -> ChangeBacklog {
    let (id, keepsPrevious) = table.withLock { table in
      table.lastID += 1
      let (machine, keepsPrevious) = make(table.entries)
      table.entries[table.lastID] = Entry(machine: machine, keepsPrevious: keepsPrevious)
      return (table.lastID, keepsPrevious)
    }
    if keepsPrevious { formerCount.add(1, ordering: .acquiringAndReleasing) }
    count.add(1, ordering: .acquiringAndReleasing)
    return ChangeBacklog(id, in: self)
  }

  fileprivate func remove(_ id: Int) {
    guard let entry = table.withLock({ $0.entries.removeValue(forKey: id) }) else { return }
    count.subtract(1, ordering: .acquiringAndReleasing)
    if entry.keepsPrevious { formerCount.subtract(1, ordering: .acquiringAndReleasing) }
    for wait in entry.waits.values { wait.end() }
  }

  /// Edits a backlog; nil if it has gone.
  fileprivate func edit<Result: Sendable>(
    _ id: Int, _ body: (inout Entry) -> Result
  ) -> Result? {
    table.withLock { table in
      guard let index = table.entries.index(forKey: id) else { return nil }
      return body(&table.entries.values[index])
    }
  }
}

/// The changes that one run is yet to read; gone when the run has ended, or never begins.
final class ChangeBacklog: Sendable {
  private let backlogs: ChangeBacklogs
  private let id: Int
  private let own = Locked<BacklogReader?>(nil)

  fileprivate init(_ id: Int, in backlogs: ChangeBacklogs) {
    (self.id, self.backlogs) = (id, backlogs)
  }

  deinit {
    close()
  }

  /// The reader of the run itself, with which each wait goes on where the one before ended.
  var reader: BacklogReader {
    if let reader = own.withLock({ $0 }) { return reader }
    let new = makeReader()
    return own.withLock { own in
      let reader = own ?? new
      own = reader
      return reader
    }
  }

  /// Ends it: readers are given nothing more.
  func close() {
    backlogs.remove(id)
  }

  /// The same for another run.
  func forked() -> ChangeBacklog { backlogs.fork(id) }

  /// Notes that the run begins whose backlog it is.
  func beginRun() {
    _ = backlogs.edit(id) { $0.machine.markRun() }
  }

  func makeReader(fromRun: Bool = false) -> BacklogReader {
    BacklogReader(
      backlogs.edit(id) { $0.machine.addReader(fromRun: fromRun) } ?? 0, of: id, in: backlogs)
  }
}

/// A reader of a backlog, for one task at a time.
final class BacklogReader: Sendable {
  /// What was read.
  struct Item: Sendable {
    let report: any CommitReport
    /// How many changes before this one were dropped.
    var dropped: Int
    /// How many of its actions were looked at.
    var seen = 0
  }

  private let backlogs: ChangeBacklogs
  private let backlog: Int
  private let id: Int
  /// What was read, and is to be read once more.
  private let returned = Locked<Item?>(nil)
  /// Of all that its run reads, by loops and by waits for an action.
  private let turn = Locked(JobTurn())

  fileprivate init(_ id: Int, of backlog: Int, in backlogs: ChangeBacklogs) {
    (self.id, self.backlog, self.backlogs) = (id, backlog, backlogs)
  }

  deinit {
    _ = backlogs.edit(backlog) { [id] in $0.machine.removeReader(id) }
  }

  /// Says whether nothing may be dropped that it is yet to be given.
  func setActive(_ isActive: Bool) {
    _ = backlogs.edit(backlog) { $0.machine.setActive(id, isActive) }
  }

  /// Has the next call of `next` return this.
  func putBack(_ item: Item) {
    let former = returned.withLock { exchange(&$0, with: item) }
    withExtendedLifetime(former) {}
  }

  /// The next commit; nil when the run has ended, or the task was cancelled.
  ///
  /// If it is not to wait, nil also where the next commit is not there yet.
  nonisolated(nonsending) func next(waiting: Bool = true) async -> Item? {
    let actor = #isolation
    if turn.withLock({ $0.isOver(on: actor) }) { await Task.yield() }
    if let item = returned.withLock({ $0.take() }) { return item }
    let wait = CommitWait()
    if setWait(wait) != nil {
      fatalError(
        """
        Lensed: a second task asked for the next change of an effect while another was waiting for it. What \
        `changes()` returns is for one task: call `changes()` once for each.
        """)
    }
    defer { _ = setWait(nil) }
    while !Task.isCancelled {
      let step = backlogs.edit(backlog) { $0.machine.nextElement(for: id) }
      // Nil, if the run has ended.
      guard let step else { return nil }
      if let taken = step { return Item(report: taken.element, dropped: taken.dropped) }
      if !waiting { return nil }
      await wait.wait { backlogs.edit(backlog) { $0.machine.hasNext(for: id) } ?? true }
    }
    return nil
  }

  /// Notes what it waits with; returns what it waited with before, if it still does.
  private func setWait(_ wait: CommitWait?) -> CommitWait? {
    backlogs.edit(backlog) { exchange(&$0.waits[id], with: wait) } ?? nil
  }
}

// MARK: The machine of one

/// The elements since one moment, each of which every reader is yet to be given, as a pure machine.
///
/// Elements have numbers, from 0. A reader has a place: the number of the element that it is given next. A new
/// reader begins with the oldest element that some reader has yet to be given; the first one begins with 0.
///
/// While no reader is active, at most `limit` elements are kept, and the oldest ones give way. An active reader
/// loses none. The places of the other readers count what they have lost.
struct BacklogMachine<Element> {
  private struct Reader: Sendable {
    var place: Int
    var isActive = false
  }

  /// What a reader is given.
  struct Taken {
    let element: Element
    /// How many elements before this one the reader has lost.
    let dropped: Int
    /// To be released without the lock.
    let trash: [Element]
  }

  private let limit: Int
  private var elements = RingBuffer<Element>()
  /// The number of the oldest element that is kept.
  private var first = 0
  /// Where a new reader begins; less than `first` if elements were lost.
  private var start = 0
  /// The number of the first element since the run began that reads them.
  private var runStart = 0
  private var readers: [Int: Reader] = [:]
  private var lastReader = 0

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { elements.count }

  /// A machine with the same elements, and no reader.
  var forked: BacklogMachine {
    var copy = self
    copy.readers = [:]
    return copy
  }

  /// Adds an element.
  ///
  /// - Returns: What gave way, to be released without the lock.
  mutating func append(_ element: Element) -> [Element] {
    elements.append(element)
    return trim()
  }

  /// Notes that the run begins: a reader from the run on is given what is added from now on.
  mutating func markRun() { runStart = first + elements.count }

  /// Adds a reader, which is not active; it begins with what was added since the trigger, or since the run began.
  mutating func addReader(fromRun: Bool = false) -> Int {
    lastReader += 1
    readers[lastReader] = Reader(place: fromRun ? max(start, runStart) : start)
    return lastReader
  }

  mutating func removeReader(_ id: Int) -> [Element] {
    let trash = trim()
    readers[id] = nil
    return trash + trim()
  }

  mutating func setActive(_ id: Int, _ isActive: Bool) -> [Element] {
    readers[id]?.isActive = isActive
    return trim()
  }

  func hasNext(for id: Int) -> Bool {
    readers[id].map { elements[max($0.place, first) - first] != nil } ?? false
  }

  /// The next element for a reader; nil if it has been given all of them.
  mutating func nextElement(for id: Int) -> Taken? {
    guard let reader = readers[id] else { return nil }
    let place = max(reader.place, first)
    guard let element = elements[place - first] else { return nil }
    readers[id]?.place = place + 1
    return Taken(element: element, dropped: place - reader.place, trash: trim())
  }

  mutating func removeAll() -> [Element] { elements.removeAll() }

  /// Drops what all readers were given, and what is too much.
  private mutating func trim() -> [Element] {
    if let slowest = readers.values.map(\.place).min() { start = max(start, slowest) }
    let needed = readers.values.filter(\.isActive).map(\.place).min() ?? .max
    var dropped: [Element] = []
    while first < start || elements.count > limit && first < needed {
      guard let element = elements.popFirst() else { break }
      dropped.append(element)
      first += 1
    }
    return dropped
  }
}

extension BacklogMachine: Sendable where Element: Sendable {}
extension BacklogMachine.Taken: Sendable where Element: Sendable {}

// MARK: Waiting for a commit

/// The wait of one task of an effect for a commit.
///
/// A test makes the dispatch that it waits for. So while it lasts, the work counts as at rest.
final class CommitWait: Sendable {
  private let signal = Signal()
  private let sleep = Locked<WorkSleep?>(nil)

  /// Wakes the task, or has its next wait end at once.
  func raise() {
    sleep.withLock { $0.take() }?.end()
    signal.raise()
  }

  /// Ends every wait, now and later.
  func end() {
    sleep.withLock { $0.take() }?.end()
    signal.end()
  }

  /// Waits until it is raised, ends, or the task is cancelled; not, if `isReady` finds that it was raised before.
  nonisolated(nonsending) func wait(unless isReady: () -> Bool) async {
    let sleep = WorkSleep()
    let former = self.sleep.withLock { exchange(&$0, with: sleep) }
    withExtendedLifetime(former) {}
    // Whoever raises it from here on ends the sleep.
    if !isReady() {
      sleep.begin()
      await signal.wait()
    }
    sleep.end()
  }
}

// MARK: In a store

extension StoreCore {
  /// What records commits for runs of effects; made once an effect may need it.
  func makeBacklogs() -> ChangeBacklogs {
    withLock("installed an effect") { protected in
      let backlogs = protected.backlogs ?? ChangeBacklogs()
      protected.backlogs = backlogs
      return backlogs
    }
  }

  /// Begins or ends recording, in the commit that has triggered an effect which may read the next ones, or in
  /// one after the end of the last run.
  func updateRecording(for backlogs: ChangeBacklogs, _ protected: inout Protected) {
    assertLocked()
    if protected.table.isRecorded == backlogs.isNeeded { return }
    protected.table.isRecorded = backlogs.isNeeded
    protected.listeners.runRecorder =
      protected.table.isRecorded ? backlogs.recorder(protected.witness) : nil
  }
}
