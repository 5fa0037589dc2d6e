// How a commit finds those that are notified of it.

extension ObserverTable {
  /// Notes the notifications of the commit `revision`, in which the reducers of some of `slots` ran.
  ///
  /// The audience of a route is cached by its number. `notification` is made with the calls, or alone.
  mutating func announce(
    slots numbers: [Int], route: Int? = nil, flags: CommitFlags,
    notification: (any CommitNotification)? = nil
  ) -> Unretained<AfterCommitCell>? {
    guard !isClosed else { return nil }
    let pooled = spares.popLast() ?? makeAfterCommit()
    if flags.contains(.awaited) { wake(numbers, into: &pooled.value) }
    if flags.contains(.touchedRows) {
      wakeRows(into: &pooled.value)
      let audience = audienceOfRows(numbers)
      rows.releaseDiscarded(into: &pooled.value)
      capture(for: audience, touchingAll: false, notification, into: &pooled.value)
    } else if flags.contains(.observed) {
      let audience = audience(of: numbers, route: route, into: &pooled.value)
      let isWhole = numbers.allSatisfy { slots[$0].record.value.revision == revision }
      capture(for: audience, touchingAll: isWhole, notification, into: &pooled.value)
    } else if let notification {
      capture(for: noAudience, touchingAll: true, notification, into: &pooled.value)
    }
    return Unretained(pooled)
  }

  /// Notes that all observers are notified of the commit `revision`, which replaced the state.
  mutating func announceReplacement(
    notification: (any CommitNotification)?
  ) -> Unretained<AfterCommitCell>? {
    if isClosed { return nil }
    let pooled = spares.popLast() ?? makeAfterCommit()
    wakeAllReaders(into: &pooled.value)
    if observers.isEmpty && notification == nil { return Unretained(pooled) }
    capture(
      for: everyone(into: &pooled.value), touchingAll: true, notification, into: &pooled.value)
    return Unretained(pooled)
  }

  private mutating func everyone(into work: inout AfterCommit) -> Audience {
    if let known = audiences.everyone { return known }
    deferReleaseOfOutdated(into: &work)
    let audience = Audience(observers.values.sorted { $0.id < $1.id }, baton: queue.baton)
    audiences.everyone = audience
    return audience
  }

  /// Captures for the observers of a route, whose calls the caller then makes; nil if their cached audience is
  /// outdated, or another thread delivers.
  @inline(__always)
  func captureForCachedAudience(ofRoute index: Int) -> Unretained<AfterCommitCell>? {
    guard let cached = audiences.unretained(ofRoute: index), queue.baton.claimIfIdle()
    else { return nil }
    cached.audience.lend { $0.capture(state, revision) }
    return cached.work
  }

  /// Invalidates the audiences of the routes, which are made anew.
  mutating func invalidateRoutes(into work: inout AfterCommit) {
    audiences.invalidateRoutes()
    deferReleaseOfOutdated(into: &work)
  }

  /// Has `notification` notified once all commits so far were delivered; not, if they were.
  ///
  /// The caller is to make the delivery that it returns first.
  mutating func notifyWhenDelivered(
    _ notification: any CommitNotification
  ) -> (isQueued: Bool, delivery: Delivery?) {
    let delivery = Delivery(audience: noAudience, revision: revision, notification: notification)
    if queue.claim() {
      // Taken up under the lock, where nothing was queued behind it.
      _ = baton.passOn()
      return (false, nil)
    }
    guard var oldest = queue.append(delivery) else { return (true, nil) }
    Self.promote(oldest)
    oldest.deliverersCommit = .max
    return (true, oldest)
  }

  /// Whether all commits so far were delivered, but for those that the calling deliverer is about to.
  func isDelivered(to isDeliverer: Bool) -> Bool {
    isDeliverer ? queue.isEmpty : baton.isIdle
  }

  mutating func reuse(_ work: Unretained<AfterCommitCell>) {
    work.lend { spares.append($0) }
  }

  private mutating func makeAfterCommit() -> AfterCommitCell {
    let new = AfterCommitCell(AfterCommit())
    pool.append(new)
    spares.reserveCapacity(pool.count)
    return new
  }

  private mutating func wake(_ numbers: [Int], into work: inout AfterCommit) {
    for slot in numbers where slots[slot].record.value.revision == revision {
      Self.drain(&slots[slot].listeners.waiters, into: &work.wake)
      slots[slot].updateFlags()
    }
    if flags.contains(.awaited) { Self.drain(&everywhere.waiters, into: &work.wake) }
  }

  private mutating func audience(
    of numbers: [Int], route: Int?, into work: inout AfterCommit
  ) -> Audience {
    guard let route else { return makeAudience(of: numbers) }
    if let known = audiences.audience(ofRoute: route) { return known }
    deferReleaseOfOutdated(into: &work)
    let audience = makeAudience(of: numbers)
    audiences.insert(audience, ofRoute: route, through: numbers)
    return audience
  }

  private func makeAudience(of numbers: [Int]) -> Audience {
    Audience(observers(of: numbers), baton: baton) { $0.interest.isConcerned(byAnyRowOf: numbers) }
  }

  /// The observers of some sub-states and rows, and those of every commit, in the order of their numbers.
  private func observers(of numbers: [Int], and rows: [RowRecord] = []) -> [Observer] {
    var found = everywhere.observers
    for slot in numbers { found.merge(slots[slot].listeners.observers) { first, _ in first } }
    for row in rows { found.merge(row.content.value.listeners.observers) { first, _ in first } }
    return found.values.sorted { $0.id < $1.id }
  }

  /// Has the parts captured that a commit touched, or all of them; does nothing if there is nothing to notify.
  private mutating func capture(
    for audience: Audience, touchingAll isWhole: Bool,
    _ notification: (any CommitNotification)?, into work: inout AfterCommit
  ) {
    if audience.isEmpty && notification == nil { return }
    let delivery = Delivery(
      audience: audience, revision: revision, kind: deliveryKind, notification: notification)
    let isDeliverer = queue.claim()
    if isDeliverer && isWhole {
      audience.capture(state, revision)
      work.delivery = delivery
      return
    }
    audience.forEachCapture { part in
      guard isWhole || hasTouched(part) else { return }
      if isDeliverer {
        part.capture(state, revision)
      } else {
        part.slot.queue(state, revision)
      }
    }
    if isDeliverer { work.delivery = delivery } else { append(delivery, into: &work) }
  }

  // `mutating`, though it changes nothing: for a call of another method, a debug build would copy the table.
  private mutating func hasTouched(_ part: PartCapture) -> Bool {
    newest(part.interest) == revision
  }

  private mutating func append(_ delivery: Delivery, into work: inout AfterCommit) {
    delivery.notification?.willBeQueued()
    guard let oldest = queue.append(delivery) else { return }
    Self.promote(oldest)
    work.delivery = oldest
    work.delivery?.deliverersCommit = revision
  }
}

// MARK: Rows, which are parts of the state with observers of their own

extension ObserverTable {
  /// Notes that the present commit may have touched all rows of the sub-states that it touched; adds their flags.
  func touchRows(of slots: [Int], _ flags: CommitFlags) -> CommitFlags {
    var flags = flags.subtracting(.hasRows)
    for slot in slots where self.slots[slot].record.value.revision == revision {
      flags.formUnion(touchRows(of: slot))
    }
    return flags
  }

  private func touchRows(of slot: Int) -> CommitFlags {
    rows.sink.touch(RowTouch(slot: slot, revision: revision, row: nil))
  }

  /// Notes that the present commit wrote a sub-state without its reducers, and so may have touched all of its rows.
  func noteWrite(of slot: Int) -> CommitFlags {
    let record = slots[slot].record
    record.value.revision = revision
    let flags = record.value.flags
    return flags.contains(.hasRows)
      ? flags.subtracting(.hasRows).union(touchRows(of: slot)) : flags
  }

  /// The observers of a commit on `slots` that has touched rows; some of them may read other rows alone.
  private func audienceOfRows(_ numbers: [Int]) -> Audience {
    let version = audiences.version(of: numbers)
    if let known = rows.audience(of: numbers, by: revision, version: version) { return known }
    let touched = rows.records(of: numbers, touchedBy: revision)
    let audience = Audience(observers(of: numbers, and: touched), baton: baton) {
      $0.interest.isConcerned(by: numbers)
    }
    rows.keep(audience, of: numbers, by: revision, version: version)
    return audience
  }

  private func wakeRows(into work: inout AfterCommit) {
    for row in rows.touched(by: revision) {
      Self.drain(&row.content.value.listeners.waiters, into: &work.wake)
    }
  }
}

// MARK: Replacing

extension ObserverTable {
  /// Notes that the commit `revision` replaced a part of the state, or all of it if that is nil, or has no owner; then
  /// it returns no slots.
  mutating func noteReplacement(of part: Footprint?) -> (slots: [Int], flags: CommitFlags) {
    let interest = interest(in: part)
    guard case .slots(let slots) = interest, !slots.isEmpty else {
      rows.giveUp(interest)
      replaced = revision
      return ([], [])
    }
    var flags: CommitFlags = []
    for slot in slots {
      replacedSlots[slot] = revision
      flags.formUnion(noteWrite(of: slot))
    }
    return (slots, flags)
  }

  /// The last commit that replaced a sub-state, alone or with all others.
  func lastReplacement(of slot: Int) -> UInt64 { max(replaced, replacedSlots[slot] ?? 0) }
}

// MARK: The deliverer

extension ObserverTable {
  mutating func nextStep() -> DeliveryStep {
    var step = queue.next()
    step.isOverdue = queue.becomesOverdue()
    Self.promote(step.delivery)
    return step
  }

  /// Makes a task the deliverer that was started for that, if no thread is the deliverer.
  mutating func takeUpDelivery() -> DeliveryStep {
    var step = queue.takeUp(asCalled: true)
    Self.promote(step.delivery)
    step.delivery?.deliverersCommit = .max
    return step
  }

  // Static: code that is not optimised copies `self`, and with it the queue, for a call of a method that does not mutate.
  private static func promote(_ delivery: Delivery?) {
    guard let delivery else { return }
    delivery.audience.forEachCapture { $0.slot.promote(delivery.revision) }
  }
}

/// Calls back once the commits before it were delivered.
final class DeliveryProbe: CommitNotification {
  private let callBack: @Sendable () -> Void

  init(_ callBack: @escaping @Sendable () -> Void) {
    self.callBack = callBack
  }

  func notify(around observers: () -> Void) {
    observers()
    callBack()
  }
  func willBeQueued() {}
}
