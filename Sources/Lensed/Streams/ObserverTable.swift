/// Who observes what, and what has happened to it: a plain value, guarded by the lock of the store.
@usableFromInline
struct ObserverTable: Sendable {
  /// A sub-state with an owner.
  struct Slot: Sendable {
    var footprint: Footprint?
    let record = Unguarded(SlotRecord())
    var listeners = Listeners()

    mutating func updateAttention() {
      record.value.attention = !listeners.isEmpty
    }
  }

  /// Those who wait for a commit, and those who are called back for it.
  struct Listeners: Sendable {
    var waiters: [UInt64: Signal] = [:]
    var observers: [UInt64: Observer] = [:]

    var isEmpty: Bool { waiters.isEmpty && observers.isEmpty }
  }

  private(set) var memory: StateMemory?
  /// The number of commits so far.
  var revision: UInt64 = 0
  /// The last commit that a reducer handled.
  var handled: UInt64 = 0
  /// The last commit that replaced the state.
  var replaced: UInt64 = 0
  /// Changes with the set of owners.
  private(set) var ownership: UInt64 = 0
  /// Changes with the set of observers.
  private var membership: UInt64 = 0
  private var lastID: UInt64 = 0
  private(set) var slots: [Slot] = []
  /// Whether anybody hears of every handled commit.
  private(set) var attention = false
  private var everywhere = Listeners() { didSet { attention = !everywhere.isEmpty } }
  /// Those whose part has no owner: they hear of replacements.
  private var elsewhere = Listeners()
  private var observers: [UInt64: Observer] = [:]
  private var queue = DeliveryQueue()
  private var wakeBuffer: ContiguousArray<Signal> = []

  init(memory: StateMemory) {
    self.memory = memory
  }

  /// Whether the store has gone.
  var isClosed: Bool { memory == nil }

  /// A number that no other observer or reader of this store has.
  mutating func makeID() -> UInt64 {
    lastID += 1
    return lastID
  }
}

/// What a commit notes about one sub-state, at an address that does not move.
struct SlotRecord: Sendable {
  /// The last commit in which its reducer ran.
  var revision: UInt64 = 0
  /// Whether anybody observes it.
  var attention = false
}

// MARK: Ownership

extension ObserverTable {
  /// Adds a sub-state and gives its number.
  mutating func addSlot(_ footprint: Footprint) -> Int {
    if let free = slots.firstIndex(where: { $0.footprint == nil }) {
      slots[free].footprint = footprint
      return free
    }
    slots.append(Slot(footprint: footprint))
    return slots.count - 1
  }

  /// Forgets a sub-state; its number may be given again.
  mutating func removeSlot(_ slot: Int) {
    slots[slot].footprint = nil
  }

  /// Where the record of a sub-state lies; valid as long as the slots are.
  func record(_ slot: Int) -> Unguarded<SlotRecord> { slots[slot].record }

  /// Which commits concern a reader of `footprint`.
  func interest(in footprint: Footprint?) -> Interest {
    guard let footprint, !footprint.isUndecided, !footprint.isWhole else { return .everything }
    return .slots(
      slots.indices.filter { slot in
        guard let owned = slots[slot].footprint else { return false }
        return owned.overlap(with: footprint) != .none
      })
  }

  /// Draws everybody's interest anew, after slots were added or removed.
  mutating func ownershipChanged(into aftermath: inout Aftermath) {
    ownership += 1
    membership += 1
    // Waiting readers are woken to find their slots anew; they have missed nothing.
    wakeEverybody(into: &aftermath)
    forgetListeners()
    for observer in observers.values { index(observer) }
  }
}

// MARK: Reading

extension ObserverTable {
  /// The newest commit that a reader with this interest has to hear of.
  func newest(_ interest: Interest) -> UInt64 {
    switch interest {
    case .everything: max(handled, replaced)
    case .slots(let slots):
      slots.reduce(replaced) { max($0, self.slots[$1].record.value.revision) }
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
        slots[slot].updateAttention()
      }
    }
  }

  mutating func returnWakeBuffer(_ buffer: ContiguousArray<Signal>) {
    if buffer.capacity > wakeBuffer.capacity { wakeBuffer = buffer }
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
  /// Adds an observer and holds deliveries up until `endSubscription`.
  mutating func beginSubscription(_ observer: Observer) {
    observers[observer.id] = observer
    index(observer)
    membership += 1
    queue.hold()
  }

  /// Lets deliveries go on.
  mutating func endSubscription() -> Delivery? {
    promote(queue.release())
  }

  /// Removes an observer.
  ///
  /// - Returns: The observer, to be released without the lock.
  mutating func remove(_ observer: Observer) -> Observer? {
    membership += 1
    for outlet in observer.outlets {
      forEachListeners(of: outlet.interest.value) { $0.observers[observer.id] = nil }
    }
    return observers.removeValue(forKey: observer.id)
  }

  private mutating func index(_ observer: Observer) {
    for outlet in observer.outlets {
      outlet.interest.value = interest(in: outlet.footprint)
      forEachListeners(of: outlet.interest.value) { $0.observers[observer.id] = observer }
    }
  }

  /// What the deliverer does next.
  mutating func nextDelivery() -> Delivery? {
    promote(queue.next())
  }

  private func promote(_ delivery: Delivery?) -> Delivery? {
    guard let delivery else { return nil }
    for outlet in delivery.audience.outlets { outlet.promote(delivery.revision) }
    return delivery
  }
}

// MARK: Announcing

extension ObserverTable {
  /// Notes who must hear of the commit `revision`, in which the reducers of some of `slots` ran.
  ///
  /// `cached` is the audience of these slots that was drawn last; it is drawn anew when outdated.
  mutating func announce(
    slots numbers: [Int], audience cached: inout Audience?, into aftermath: inout Aftermath
  ) {
    guard let memory else { return }
    swap(&aftermath.wake, &wakeBuffer)
    for slot in numbers where slots[slot].record.value.revision == revision {
      Self.drain(&slots[slot].listeners.waiters, into: &aftermath.wake)
      slots[slot].updateAttention()
    }
    Self.drain(&everywhere.waiters, into: &aftermath.wake)
    if aftermath.wake.isEmpty { swap(&aftermath.wake, &wakeBuffer) }
    if observers.isEmpty { return }
    let audience = current(&cached, of: numbers, into: &aftermath)
    if !audience.observers.isEmpty { capture(for: audience, memory.place, into: &aftermath) }
  }

  /// Notes that everybody must hear of the commit `revision`, which replaced the state.
  mutating func announceReplacement(into aftermath: inout Aftermath) {
    guard let memory else { return }
    replaced = revision
    wakeEverybody(into: &aftermath)
    if observers.isEmpty { return }
    let everyone = observers.values.sorted { $0.id < $1.id }
    let audience = Audience(everyone, membership: membership)
    capture(for: audience, memory.place, into: &aftermath)
  }

  /// Ends everything: readers find the store gone, observers are let go.
  ///
  /// - Returns: What is to be released without the lock.
  mutating func close(into aftermath: inout Aftermath) {
    wakeEverybody(into: &aftermath)
    if let memory { aftermath.trash.append(memory) }
    aftermath.trash.append(Array(observers.values))
    memory = nil
    observers = [:]
    forgetListeners()
    membership += 1
  }

  private mutating func forgetListeners() {
    for slot in slots.indices {
      slots[slot].listeners = Listeners()
      slots[slot].updateAttention()
    }
    (everywhere, elsewhere) = (Listeners(), Listeners())
  }

  private mutating func wakeEverybody(into aftermath: inout Aftermath) {
    for slot in slots.indices {
      Self.drain(&slots[slot].listeners.waiters, into: &aftermath.wake)
      slots[slot].updateAttention()
    }
    Self.drain(&everywhere.waiters, into: &aftermath.wake)
    Self.drain(&elsewhere.waiters, into: &aftermath.wake)
  }

  private func current(
    _ cached: inout Audience?, of numbers: [Int], into aftermath: inout Aftermath
  ) -> Audience {
    if let cached, cached.membership == membership { return cached }
    if let cached { aftermath.trash.append(cached) }
    var found = everywhere.observers
    for slot in numbers { found.merge(slots[slot].listeners.observers) { first, _ in first } }
    let audience = Audience(found.values.sorted { $0.id < $1.id }, membership: membership)
    cached = audience
    return audience
  }

  private mutating func capture(
    for audience: Audience, _ state: Place, into aftermath: inout Aftermath
  ) {
    let delivery = Delivery(audience: audience, revision: revision, baton: queue.baton)
    let isDeliverer = queue.claim()
    for outlet in audience.outlets where newest(outlet.interest.value) == revision {
      if isDeliverer { outlet.capture(state, revision) } else { outlet.queue(state, revision) }
    }
    if isDeliverer { aftermath.delivery = delivery } else { queue.append(delivery) }
  }
}
