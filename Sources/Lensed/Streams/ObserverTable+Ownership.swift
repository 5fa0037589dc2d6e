// Sub-states come and go with their owners.

extension ObserverTable {
  /// How many sub-states without an owner are remembered, one by one.
  static let rememberedCount = 64

  /// Adds a sub-state, or the children in one, and returns its number.
  mutating func addSlot(_ footprint: Footprint, ofChildren: Bool = false) -> Int {
    let slot = makeSlot(footprint)
    footprints.insert(footprint.resolved, slot, ofChildren: ofChildren)
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
    if takenRecords == records.count {
      // Twice as many each time, up to a page.
      records = UnsafeCellRow(repeating: SlotRecord(), count: min(2 * records.count, 256))
      takenRecords = 0
    }
    let record = UnsafeCellInRow(records, at: UInt(takenRecords))
    takenRecords += 1
    record.value.revision = revision
    slots.append(
      Slot(footprint: footprint.resolved, owner: owner, record: record))
    return slots.count - 1
  }

  /// Notes that a sub-state has no owner any more; the routes that lead to it are to be invalidated.
  mutating func removeSlot(_ slot: Int) {
    let revision = slots[slot].record.value.revision
    if let footprint = slots[slot].footprint.take() {
      footprints.remove(footprint, slot)
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
    if takenRecords + count <= records.count || vacant.count >= count { return }
    records = UnsafeCellRow(repeating: SlotRecord(), count: count)
    takenRecords = 0
  }

  /// The name of a sub-state, for messages.
  func name(of slot: Int) -> String? {
    slots.indices.contains(slot) ? slots[slot].footprint?.name : nil
  }

  /// Who owns a sub-state now.
  func epoch(of slot: Int) -> OwnershipEpoch {
    OwnershipEpoch(slot: slot, owner: slots[slot].owner)
  }

  /// Computes the interest of each observer, reader and listener again, after slots were added or removed.
  mutating func ownershipChanged(into work: inout AfterCommit) {
    ownership += 1
    audiences.invalidate(.everything)
    deferReleaseOfOutdated(into: &work)
    // Waiting readers are woken to find their slots again; they have missed no commit.
    wakeAllReaders(into: &work)
    removeListeners(into: &work)
    for observer in observers.values { index(observer) }
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

/// The time in which one owner owns a sub-state.
///
/// It ends when the owner is unregistered, even if another owner of the same sub-state follows.
struct OwnershipEpoch: Sendable, Hashable {
  let slot: Int
  /// The number of the owner, unique within the store.
  let owner: UInt64
}
