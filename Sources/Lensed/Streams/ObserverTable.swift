/// Who observes what, and what has happened to it: a plain value, guarded by the lock of the store.
@usableFromInline
struct ObserverTable: Sendable {
  /// A sub-state that has an owner; or a place for the next one that gets one.
  struct Slot: Sendable {
    /// What it covers; nil where there is no owner.
    var footprint: Footprint?
    /// The number of its owner among all that there were.
    var owner: UInt64
    let record: UnsafeCellInRow<SlotRecord>
    var listeners = Listeners()
    /// The number of the slot alone: the interest of most readers, which share the array.
    let alone: [Int]

    mutating func updateSigns() {
      record.value.signs = listeners.signs
    }
  }

  /// Those who wait for a commit, and those who are called back for it.
  struct Listeners: Sendable {
    var waiters: [UInt64: Signal] = [:]
    var observers: [UInt64: Observer] = [:]

    /// What a commit shows that concerns them.
    var signs: CommitFlags {
      var signs = CommitFlags.handled
      if !waiters.isEmpty { signs.insert(.awaited) }
      if !observers.isEmpty { signs.insert(.observed) }
      return signs
    }
  }

  private(set) var memory: StateStorage?
  private let state: StateAddress
  /// The last commits that no reducer handled, which followed each other.
  private var unhandled: ClosedRange<UInt64>?
  /// The last commit that replaced the state.
  var replaced: UInt64 = 0
  /// Changes with the set of owners.
  var ownership: UInt64 = 0
  /// Changes with the set of observers.
  var membership: UInt64 = 0
  private var lastID: UInt64 = 0
  var slots: [Slot] = []
  /// The slots without an owner.
  var vacant: [Int] = []
  /// What had an owner, and may have been written last by a commit that a reader has yet to see.
  var departed: [(footprint: Footprint, revision: UInt64)] = []
  /// The last commit in what is noted there no more, of which all readers hear.
  var forgotten: UInt64 = 0
  /// Side by side, so that a commit writes to few lines of memory; those that the next slots get.
  var records = UnsafeCellRow(repeating: SlotRecord())
  /// What every handled commit shows, for those who hear of all of them.
  @usableFromInline
  private(set) var signs = CommitFlags.handled
  private var everywhere = Listeners() { didSet { signs = everywhere.signs } }
  /// Those whose part has no owner: they hear of replacements.
  private var elsewhere = Listeners()
  var observers: [UInt64: Observer] = [:]
  private var queue = DeliveryQueue()
  /// The means of an aftermath, used again and again.
  private var spares: [AfterCommitCell] = []
  /// Keeps all of them, so that they are handed out without a count.
  private var pool: [AfterCommitCell] = []

  /// An audience of nobody, for what is told to others alone.
  private let nobody: Audience
  /// The number of commits so far; far from the lock, as it is written by each of them.
  @usableFromInline
  var revision: UInt64 = 0

  init(memory: StateStorage) {
    self.memory = memory
    state = memory.place
    nobody = Audience([], membership: 0, baton: queue.baton)
  }

  /// Who delivers.
  var baton: Baton { queue.baton }

  /// Whether the store has gone.
  var isClosed: Bool { memory == nil }

  /// A number that no other observer or reader of this store has.
  mutating func makeID() -> UInt64 {
    lastID += 1
    return lastID
  }
}

// MARK: Ownership

extension ObserverTable {
  /// Where the record of a sub-state lies; valid as long as the slots are.
  func record(_ slot: Int) -> UnsafeCellInRow<SlotRecord> { slots[slot].record }

  /// Which commits concern a reader of `footprint`.
  func interest(in footprint: Footprint?) -> Interest {
    guard let footprint, !footprint.isUndecided, !footprint.isWhole else { return .everything }
    let touched = slots.indices.filter {
      slots[$0].footprint.map { $0.isTouching(footprint) } ?? false
    }
    return .slots(touched.count == 1 ? slots[touched[0]].alone : touched)
  }

}

// MARK: Reading

extension ObserverTable {
  /// Those of some slots whose reducers ran in a commit.
  func touched(_ numbers: [Int], by revision: UInt64) -> [Int] {
    for slot in numbers where slots[slot].record.value.revision != revision {
      return numbers.filter { slots[$0].record.value.revision == revision }
    }
    return numbers
  }

  /// The last commit that a reducer handled.
  ///
  /// Nearly every commit is, so it is noted of those that are not.
  private var handled: UInt64 {
    if let unhandled, unhandled.upperBound == revision {
      unhandled.lowerBound - 1
    } else {
      revision
    }
  }

  /// Notes that no reducer handled the last commit.
  @inline(never)
  mutating func missed() {
    if let before = unhandled, before.upperBound == revision - 1 {
      unhandled = before.lowerBound...revision
    } else {
      unhandled = revision...revision
    }
  }

  /// The newest commit that a reader with this interest has to hear of.
  func newest(_ interest: Interest) -> UInt64 {
    switch interest {
    case .everything: max(handled, replaced)
    case .slots(let slots):
      slots.reduce(max(replaced, forgotten)) { max($0, self.slots[$1].record.value.revision) }
    }
  }

  /// Has `signal` raised at the next commit of interest, once.
  mutating func enlist(_ signal: Signal, id: UInt64, for interest: Interest) {
    forEachListeners(of: interest) { $0.waiters[id] = signal }
  }

  mutating func dismiss(id: UInt64, from interest: Interest) {
    forEachListeners(of: interest) { $0.waiters[id] = nil }
  }

  private mutating func forEachListeners(
    of interest: Interest, _ body: (inout Listeners) -> Void
  ) {
    switch interest {
    case .everything:
      body(&everywhere)
    case .slots([]):
      body(&elsewhere)
    case .slots(let numbers):
      for slot in numbers where slots.indices.contains(slot) {
        body(&slots[slot].listeners)
        slots[slot].updateSigns()
      }
    }
  }

  /// Takes the means of an aftermath back.
  mutating func reuse(_ aftermath: Unretained<AfterCommitCell>) {
    aftermath.lend { spares.append($0) }
  }

  private static func drain(
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
  /// Adds an observer, which hears of all later commits.
  mutating func add(_ observer: Observer) {
    observers[observer.id] = observer
    index(observer)
    membership += 1
  }

  /// Removes the observer with this number, if it is there.
  mutating func remove(_ id: UInt64, into aftermath: inout AfterCommit) {
    guard let observer = observers.removeValue(forKey: id) else { return }
    membership += 1
    observer.captures.forEach { capture in
      forEachListeners(of: capture.interest) { $0.observers[id] = nil }
    }
    queue.retire(observer, into: &aftermath)
  }

  /// Keeps what a deliverer may be using until nobody delivers.
  mutating func retire(_ left: any Sendable, into aftermath: inout AfterCommit) {
    queue.retire(left, into: &aftermath)
  }

  mutating func index(_ observer: Observer) {
    observer.captures.forEach { capture in
      capture.interest = interest(in: capture.footprint)
      forEachListeners(of: capture.interest) { $0.observers[observer.id] = observer }
    }
  }

  /// What the deliverer does next.
  mutating func nextTurn() -> Turn { promoted(queue.next()) }

  /// Ends the turn of a deliverer that has done its share.
  mutating func leaveTurn() -> Turn { queue.leave() }

  /// Makes the task that was called for the deliverer, if nobody else is.
  mutating func takeUpTurn() -> Turn {
    var turn = promoted(queue.takeUp(asCalled: true))
    turn.delivery?.deliverersCommit = .max
    return turn
  }

  private func promoted(_ turn: Turn) -> Turn {
    if let delivery = turn.delivery { Self.promote(delivery) }
    return turn
  }

  private static func promote(_ delivery: Delivery) {
    delivery.audience.forEachCapture { $0.promote(delivery.revision) }
  }
}

// MARK: Announcing

extension ObserverTable {
  /// Notes who must hear of the commit `revision`, in which the reducers of some of `slots` ran.
  ///
  /// `cached` is the audience of these slots that was drawn last; it is drawn anew when outdated.
  /// `bulletin` is delivered with the calls, or alone.
  mutating func announce(
    slots numbers: [Int], showing signs: CommitFlags, audience cached: inout Audience?,
    bulletin: (any CommitNotification)? = nil
  ) -> Unretained<AfterCommitCell>? {
    guard !isClosed else { return nil }
    let pooled = spares.popLast() ?? makeAftermath()
    if signs.contains(.awaited) { wake(numbers, into: &pooled.value) }
    if signs.contains(.observed) {
      let audience = current(&cached, of: numbers, into: &pooled.value)
      if !audience.isEmpty || bulletin != nil {
        capture(for: audience, bulletin, into: &pooled.value)
      }
    } else if let bulletin {
      capture(for: nobody, bulletin, into: &pooled.value)
    }
    return Unretained(pooled)
  }

  /// Notes what is to be told of the commit `revision` to others than observers.
  ///
  /// - Returns: Whether it is the caller who delivers it, now. Otherwise it is queued, and `aftermath` has
  ///   what the caller is to deliver, if anything.
  mutating func announce(
    _ bulletin: some CommitNotification, into aftermath: inout AfterCommit
  ) -> Bool {
    if queue.claim() { return true }
    append(
      Delivery(audience: nobody, revision: revision, bulletin: bulletin), into: &aftermath)
    return false
  }

  private mutating func append(_ delivery: Delivery, into aftermath: inout AfterCommit) {
    delivery.bulletin?.isQueued()
    guard let oldest = queue.append(delivery) else { return }
    Self.promote(oldest)
    aftermath.delivery = oldest
    aftermath.delivery?.deliverersCommit = revision
  }

  private mutating func makeAftermath() -> AfterCommitCell {
    let new = AfterCommitCell(AfterCommit())
    pool.append(new)
    spares.reserveCapacity(pool.count)
    return new
  }

  /// Captures for an audience whose calls the caller then makes; not if it is outdated, or somebody
  /// else is delivering.
  @inline(__always)
  func capture(for drawn: CachedAudience) -> Bool {
    guard drawn.membership == membership, queue.baton.claimIfIdle() else { return false }
    drawn.audience.lend { $0.capture(state, revision) }
    return true
  }

  private mutating func wake(_ numbers: [Int], into aftermath: inout AfterCommit) {
    for slot in numbers where slots[slot].record.value.revision == revision {
      Self.drain(&slots[slot].listeners.waiters, into: &aftermath.wake)
      slots[slot].updateSigns()
    }
    if signs.contains(.awaited) { Self.drain(&everywhere.waiters, into: &aftermath.wake) }
  }

  /// Notes that everybody must hear of the commit `revision`, which replaced the state.
  mutating func announceReplacement(
    bulletin: (any CommitNotification)? = nil, into aftermath: inout AfterCommit
  ) {
    if isClosed { return }
    wakeEverybody(into: &aftermath)
    if observers.isEmpty && bulletin == nil { return }
    let everyone = observers.values.sorted { $0.id < $1.id }
    let audience = Audience(everyone, membership: membership, baton: queue.baton)
    capture(for: audience, bulletin, into: &aftermath)
  }

  /// Ends everything: readers find the store gone, observers are let go.
  ///
  /// - Returns: What is to be released without the lock.
  mutating func close(into aftermath: inout AfterCommit) {
    wakeEverybody(into: &aftermath)
    if let memory { aftermath.trash.append(memory) }
    queue.retire(Array(observers.values), into: &aftermath)
    memory = nil
    observers = [:]
    forgetListeners()
    membership += 1
  }

  mutating func forgetListeners() {
    for slot in slots.indices {
      slots[slot].listeners = Listeners()
      slots[slot].updateSigns()
    }
    (everywhere, elsewhere) = (Listeners(), Listeners())
  }

  mutating func wakeEverybody(into aftermath: inout AfterCommit) {
    for slot in slots.indices {
      Self.drain(&slots[slot].listeners.waiters, into: &aftermath.wake)
      slots[slot].updateSigns()
    }
    Self.drain(&everywhere.waiters, into: &aftermath.wake)
    Self.drain(&elsewhere.waiters, into: &aftermath.wake)
  }

  private mutating func current(
    _ cached: inout Audience?, of numbers: [Int], into aftermath: inout AfterCommit
  ) -> Audience {
    if let cached, cached.membership == membership { return cached }
    if let cached { queue.retire(cached, into: &aftermath) }
    var found = everywhere.observers
    for slot in numbers { found.merge(slots[slot].listeners.observers) { first, _ in first } }
    let audience = Audience(
      found.values.sorted { $0.id < $1.id }, membership: membership, baton: queue.baton
    ) { $0.interest.isConcerned(by: numbers) }
    cached = audience
    return audience
  }

  private mutating func capture(
    for audience: Audience, _ bulletin: (any CommitNotification)?, into aftermath: inout AfterCommit
  ) {
    let delivery = Delivery(audience: audience, revision: revision, bulletin: bulletin)
    let isDeliverer = queue.claim()
    audience.forEachCapture { capture in
      guard newest(capture.interest) == revision else { return }
      if isDeliverer {
        capture.capture(state, revision)
      } else {
        capture.queue(state, revision)
      }
    }
    if isDeliverer { aftermath.delivery = delivery } else { append(delivery, into: &aftermath) }
  }
}
