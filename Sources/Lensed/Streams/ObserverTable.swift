/// The observers and readers of each sub-state, and its last commit: a plain value, guarded by the store's lock.
@usableFromInline
struct ObserverTable: ~Copyable, Sendable {
  /// A sub-state that has an owner; or a place for the next one that gets one.
  struct Slot: Sendable {
    /// What it covers; nil where there is no owner.
    var footprint: Footprint?
    /// The number of its owner among all that there were.
    var owner: UInt64
    let record: UnsafeCellInRow<SlotRecord>
    var listeners = TableListeners()

    mutating func updateFlags() {
      record.value.flags = listeners.flags.union(record.value.flags.intersection(.hasRows))
    }
  }

  private(set) var memory: StateStorage?
  let state: StateAddress
  /// The last commits that no reducer handled, which followed each other.
  private var unhandled: ClosedRange<UInt64>?
  var replaced: UInt64 = 0
  /// The last commits that replaced parts of it, by slots.
  var replacedSlots: [Int: UInt64] = [:]
  /// Changes with the set of owners.
  var ownership: UInt64 = 0
  private var lastID: UInt64 = 0
  var slots: [Slot] = []
  var footprints = FootprintIndex()
  private var haveListeners = false
  var vacant: [Int] = []
  /// What the slots cover that were added or removed since the last `ownershipChanged`.
  private var changed: [Footprint] = []
  /// What had an owner, and may have been written last by a commit that a reader has yet to see.
  var departed: [(footprint: Footprint, revision: UInt64)] = []
  /// The last commit among the departed parts that were dropped; all readers are notified of it.
  var dropped: UInt64 = 0
  /// Side by side, so that a commit writes to few lines of memory; those that the next slots get.
  private var records: UnsafeCellRow<SlotRecord>?
  /// How many of `records` are taken.
  private var takenRecords = 0
  /// The flags of every handled commit, for observers and readers of all of them.
  @usableFromInline
  private(set) var flags = CommitFlags.handled
  /// Observers and readers that are notified of every handled commit.
  var everywhere = TableListeners() { didSet { updateFlags() } }
  /// Whether every commit is recorded for a run of an effect.
  var isRecorded = false { didSet { updateFlags() } }
  /// How many replays are being made or delivered; meanwhile no commit takes the fast path.
  var replayCount = 0 { didSet { updateFlags() } }
  /// What the present commit has to do with the past.
  var deliveryKind = DeliveryKind.ordinary
  /// Observers and readers whose part has no owner: they are notified of replacements.
  private var elsewhere = TableListeners()
  var observers: [UInt64: Observer] = [:]
  let rows: RowTable
  var queue = DeliveryQueue()
  /// Post-commit work that is used again and again.
  var spares: [AfterCommitCell] = []
  /// Keeps all of it, so that it leaves the lock without a count.
  var pool: [AfterCommitCell] = []
  var audiences = AudienceCache()

  /// An audience without observers, for commits that only listeners are notified of.
  let noAudience: Audience
  /// The number of commits so far; far from the lock, as it is written by each of them.
  @usableFromInline
  var revision: UInt64 = 0

  init(memory: StateStorage) {
    self.memory = memory
    state = memory.place
    rows = RowTable(in: memory.place)
    noAudience = Audience([], baton: queue.baton)
  }

  var baton: Baton { queue.baton }

  var isClosed: Bool { memory == nil }

  private mutating func updateFlags() {
    flags = isRecorded || replayCount > 0 ? everywhere.flags.union(.recorded) : everywhere.flags
  }

  mutating func makeID() -> UInt64 {
    lastID += 1
    return lastID
  }
}

// MARK: Ownership

extension ObserverTable {
  /// Where the record of a sub-state lies; valid as long as the slots are.
  func slotRecord(_ slot: Int) -> UnsafeCellInRow<SlotRecord> { slots[slot].record }

  func interest(in footprint: Footprint?) -> Interest {
    guard let footprint, !footprint.isUndecided, !footprint.isWhole else { return .everything }
    let parts = footprint.parts
    if parts.count > 1, parts.contains(where: { $0.row != nil }) {
      return .any(parts.map { interest(in: $0) })
    }
    // Of the slots alone: a closure would hold a copy of the table.
    let slots = slots
    let touched = footprints.numbers(near: footprint).filter {
      slots[$0].footprint.map { $0.isTouching(footprint) } ?? false
    }
    if let row = footprint.row, !touched.isEmpty {
      return .row(rows.rowRecord(of: row, at: footprint.bytes, in: touched) { slots[$0].record })
    }
    return .oneOf(touched)
  }

  /// Computes an interest again, after owners came or went; what it was is released without the lock.
  func renew(_ interest: inout Interest, in footprint: Footprint?) {
    rows.giveUp(exchange(&interest, with: self.interest(in: footprint)))
  }

  /// Gives an interest up: its reader reads no more.
  func giveUp(_ interest: inout Interest, into work: inout AfterCommit) {
    rows.giveUp(exchange(&interest, with: .everything))
    rows.releaseDiscarded(into: &work)
  }
}

// MARK: Reading

extension ObserverTable {
  /// The last commit that a reducer handled: nearly every one is, so the others are recorded.
  private var handled: UInt64 {
    if let unhandled, unhandled.upperBound == revision {
      unhandled.lowerBound - 1
    } else {
      revision
    }
  }

  @inline(never)
  mutating func noteUnhandled() {
    if let before = unhandled, before.upperBound == revision - 1 {
      unhandled = before.lowerBound...revision
    } else {
      unhandled = revision...revision
    }
  }

  func newest(_ interest: Interest) -> UInt64 {
    // Loops: a closure would hold a copy of the table, each time.
    switch interest {
    case .everything: return max(handled, replaced)
    case .slots(let slots):
      var newest = max(replaced, dropped)
      for slot in slots { newest = max(newest, self.slots[slot].record.value.revision) }
      return newest
    case .row(let row): return max(row.revision, replaced, dropped)
    case .any(let interests):
      var newest: UInt64 = 0
      for interest in interests { newest = max(newest, self.newest(interest)) }
      return newest
    }
  }

  /// Has `signal` raised at the next commit of interest, once.
  mutating func enlist(_ signal: Signal, id: UInt64, for interest: Interest) {
    forEachListeners(of: interest) { $0.waiters[id] = signal }
  }

  mutating func delist(id: UInt64, from interest: Interest) {
    forEachListeners(of: interest) { $0.waiters[id] = nil }
  }

  private mutating func forEachListeners(
    of interest: Interest, _ body: (inout TableListeners) -> Void
  ) {
    switch interest {
    case .everything:
      body(&everywhere)
    case .slots([]):
      body(&elsewhere)
    case .slots(let numbers):
      haveListeners = true
      for slot in numbers where slots.indices.contains(slot) {
        body(&slots[slot].listeners)
        slots[slot].updateFlags()
      }
    case .row(let row): body(&row.content.value.listeners)
    case .any(let interests):
      for interest in interests { forEachListeners(of: interest, body) }
    }
  }

  static func drain(
    _ waiters: inout [UInt64: Signal], into wake: inout ContiguousArray<Signal>
  ) {
    if waiters.isEmpty { return }
    wake.append(contentsOf: waiters.values)
    // Clearing costs the capacity, which is not to be paid for ever after one crowd.
    if waiters.capacity > 16 * waiters.count {
      waiters = [:]
    } else {
      waiters.removeAll(keepingCapacity: true)
    }
  }
}

// MARK: Observing

extension ObserverTable {
  mutating func add(_ observer: Observer) {
    observers[observer.id] = observer
    index(observer)
    observer.captures.forEach { audiences.invalidate($0.interest) }
  }

  mutating func remove(_ id: UInt64, into afterCommit: inout AfterCommit) {
    guard let observer = observers.removeValue(forKey: id) else { return }
    observer.captures.forEach { audiences.invalidate($0.interest) }
    unindex(observer)
    queue.deferRelease(observer, into: &afterCommit)
    rows.releaseDiscarded(into: &afterCommit)
    deferReleaseOfOutdated(into: &afterCommit)
  }

  private mutating func unindex(_ observer: Observer) {
    observer.captures.forEach { capture in
      forEachListeners(of: capture.interest) { $0.observers[observer.id] = nil }
      rows.giveUp(exchange(&capture.interest, with: .slots([])))
    }
  }

  mutating func deferReleaseOfOutdated(into work: inout AfterCommit) {
    let outdated = audiences.takeOutdated()
    if !outdated.isEmpty { queue.deferRelease(outdated, into: &work) }
  }

  private mutating func index(_ observer: Observer) {
    observer.captures.forEach { capture in
      capture.interest = interest(in: capture.footprint)
      forEachListeners(of: capture.interest) { $0.observers[observer.id] = observer }
    }
  }
}

// MARK: Ending

extension ObserverTable {
  /// Ends everything: readers find the store gone, observers are released.
  mutating func close(into work: inout AfterCommit) {
    wakeAllReaders(into: &work)
    if let memory { work.trash.append(memory) }
    queue.deferRelease(Array(observers.values), into: &work)
    memory = nil
    observers = [:]
    if haveListeners || !rows.isEmpty {
      for slot in slots.indices {
        slots[slot].listeners = TableListeners()
        slots[slot].record.value.flags = .handled
      }
      haveListeners = false
    }
    (everywhere, elsewhere) = (TableListeners(), TableListeners())
    rows.removeAll(into: &work)
    audiences.invalidate(.everything)
    deferReleaseOfOutdated(into: &work)
  }

  mutating func wakeAllReaders(into work: inout AfterCommit) {
    for slot in slots.indices where haveListeners {
      Self.drain(&slots[slot].listeners.waiters, into: &work.wake)
      slots[slot].updateFlags()
    }
    Self.drain(&everywhere.waiters, into: &work.wake)
    Self.drain(&elsewhere.waiters, into: &work.wake)
    rows.forEachRecord { Self.drain(&$0.content.value.listeners.waiters, into: &work.wake) }
  }
}

// MARK: Owners that come and go

extension ObserverTable {
  /// How many sub-states without an owner are remembered one by one.
  static let rememberedCount = 64

  /// Adds a sub-state, or the children in one, and returns its number.
  mutating func addSlot(_ footprint: Footprint, ofChildren: Bool = false) -> Int {
    let slot = makeSlot(footprint)
    footprints.insert(footprint.resolved, slot, ofChildren: ofChildren)
    changed.append(footprint.resolved)
    return slot
  }

  /// Adds the first sub-states, with the index of their footprints.
  mutating func addSlots(_ all: some Sequence<Footprint>, _ index: FootprintIndex) {
    for footprint in all { _ = makeSlot(footprint) }
    footprints = index
  }

  private mutating func makeSlot(_ footprint: Footprint) -> Int {
    let owner = makeID()
    var revision: UInt64 = 0
    if let index = departed.firstIndex(where: { $0.footprint == footprint }) {
      revision = departed.remove(at: index).revision
    }
    if let slot = vacant.popLast() {
      slots[slot].footprint = footprint.resolved
      slots[slot].owner = owner
      slots[slot].record.value = SlotRecord(revision: revision)
      return slot
    }
    let record = makeRecord()
    record.value.revision = revision
    slots.append(
      Slot(footprint: footprint.resolved, owner: owner, record: record))
    return slots.count - 1
  }

  private mutating func makeRecord() -> UnsafeCellInRow<SlotRecord> {
    defer { takenRecords += 1 }
    if let records, takenRecords < records.count {
      return UnsafeCellInRow(records, at: UInt(takenRecords))
    }
    // Twice as many each time, up to a page.
    return UnsafeCellInRow(makeRecords(min(2 * (records?.count ?? 1), 256)), at: 0)
  }

  @discardableResult
  private mutating func makeRecords(_ count: Int) -> UnsafeCellRow<SlotRecord> {
    let new = UnsafeCellRow(repeating: SlotRecord(), count: count)
    (records, takenRecords) = (new, 0)
    return new
  }

  /// Notes that a sub-state has no owner any more; the routes that lead to it are to be invalidated.
  mutating func removeSlot(_ slot: Int) {
    let revision = slots[slot].record.value.revision
    if let footprint = slots[slot].footprint.take() {
      footprints.remove(footprint, slot)
      changed.append(footprint)
      if revision > 0 { departed.append((footprint, revision)) }
      if departed.count > Self.rememberedCount {
        dropped = max(dropped, departed.removeFirst().revision)
      }
    }
    slots[slot].owner = 0
    vacant.append(slot)
  }

  /// Makes room for a number of further sub-states at once.
  mutating func reserveSlots(_ count: Int) {
    slots.reserveCapacity(slots.count + count)
    if takenRecords + count <= records?.count ?? 0 || vacant.count >= count { return }
    makeRecords(count)
  }

  func name(of slot: Int) -> String? {
    slots.indices.contains(slot) ? slots[slot].footprint?.name : nil
  }

  func epoch(of slot: Int) -> OwnershipEpoch {
    OwnershipEpoch(slot: slot, owner: slots[slot].owner)
  }

  /// Computes the interests again that slots touch which were added or removed; returns what these cover.
  ///
  /// Those of readers are computed as they read.
  @discardableResult
  mutating func ownershipChanged(into work: inout AfterCommit) -> [Footprint] {
    let changed = exchange(&changed, with: [])
    ownership += 1
    audiences.invalidate(.everything)
    deferReleaseOfOutdated(into: &work)
    // Waiting readers are woken to find their slots again; they have missed no commit.
    wakeAllReaders(into: &work)
    for observer in observers.values {
      var isTouched = false
      observer.captures.forEach {
        if !isTouched && $0.footprint.isTouched(by: changed) { isTouched = true }
      }
      if isTouched {
        unindex(observer)
        index(observer)
      }
    }
    let slots = slots
    rows.removeUnused(into: &work) { slots[$0].footprint == nil }
    return changed
  }

  /// The newest commit that may have written some of a sub-state, by whichever owner.
  func lastTouch(of slot: Int) -> UInt64 {
    guard let footprint = slots[slot].footprint else { return revision }
    return newest(interest(in: footprint), in: footprint)
  }

  /// The newest commit that concerns a reader of `footprint` that does not know yet which owners left.
  func newest(_ interest: Interest, in footprint: @autoclosure () -> Footprint) -> UInt64 {
    if case .everything = interest { return newest(interest) }
    if departed.isEmpty { return newest(interest) }
    let footprint = footprint()
    return departed.reduce(newest(interest)) { newest, left in
      left.footprint.isTouching(footprint) ? max(newest, left.revision) : newest
    }
  }
}

/// The time in which one owner owns a sub-state; it ends with the owner, even if another one follows.
struct OwnershipEpoch: Sendable, Hashable {
  let slot: Int
  /// The number of the owner, unique within the store.
  let owner: UInt64
}
