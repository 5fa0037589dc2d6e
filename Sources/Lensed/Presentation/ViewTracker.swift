internal import Observation
internal import Synchronization

/// What the observed stores of one store show to views, and whom they notify: one picture for all of them.
///
/// **Cycle.** A view *reads* a value. A commit that touches it puts it on the list `touched`, under the lock of the
/// store, and the deliverer sets the dirty flag. The main actor then *flushes*: it loads the touched values in one turn
/// at the lock, notifies the readers of those that differ, and shows the new values. So all values are of one commit at
/// every moment. What a commit touches meanwhile is for the next flush, a job of its own: other jobs run in between.
///
/// The first read of a value loads all that were touched. A view may be reading just then, and must not be notified
/// before it has ended: the readers of what differs are notified in the next job. The value gets a new key path at
/// once, so that job notifies those who read before, and not those who read later.
///
/// **Mutable state.** It belongs to the main actor, but for `touched`, which the lock of the store guards, and the
/// dirty flag, which is atomic. The values are loaded under the lock, by the main actor.
///
/// It knows no state type, so it is compiled once. Each observed store holds it; the store knows it without holding it.
@MainActor
@usableFromInline
final class ViewTracker {
  @usableFromInline
  nonisolated let dirtyFlag = DirtyFlag()
  nonisolated let core: StoreCore
  /// Kept so that the last state can be read after the store has gone.
  private let memory: StateStorage
  /// What commits have touched since it was loaded last; guarded by the lock of the store.
  @usableFromInline
  let touched = TouchedValues()
  private let registrar = ObservationRegistrar()
  private let subject = TrackedValue.Subject()
  /// What is read through the observed stores of the whole store.
  let values = TrackedValues()
  // Guarded by the main actor: an access calls no code of the user's and releases nothing of theirs, so no two overlap.
  /// Touched values that are not shown yet.
  private let pending = UnsafeCell<ContiguousArray<TrackedValue>>([])
  /// The key paths of values that are shown, and whose readers are yet to be notified.
  private let due = UnsafeCell<[KeyPath<TrackedValue.Subject, UInt64>]>([])
  private var isNextFlushScheduled = false

  private init(_ core: StoreCore, _ memory: StateStorage) {
    (self.core, self.memory) = (core, memory)
  }

  deinit {
    // What was touched and never shown: the list and its values hold each other.
    var values: ContiguousArray<TrackedValue> = []
    core.withTable { _ in
      touched.isOver.value = true
      swap(&values, &touched.values.value)
    }
  }

  private struct Reference: Sendable {
    weak var tracker: ViewTracker?
  }

  /// The tracker of a store: the one that another observed store holds, or else a new one.
  static func of<State>(_ view: StoreView<State>) -> ViewTracker {
    let core = view.core
    let key = MemoKey(object: ObjectIdentifier(ViewTracker.self), place: .offset(0))
    let known = core.withLock("observed the store") { $0.memos.memo(key) }
    if let known, let tracker = Boxed<Reference>.known(known).value.tracker { return tracker }
    let tracker = ViewTracker(core, view.memory)
    let reference = Boxed(Reference(tracker: tracker))
    let replaced = core.withLock("observed the store") { protected -> [ValueBox] in
      if protected.table.isClosed { return [] }
      return protected.memos.insert(reference, by: key) { _ in false }
    }
    withExtendedLifetime((known, replaced)) {}
    return tracker
  }
}

// MARK: Reading

extension ViewTracker {
  /// Starts to track a value, which its reader asks for next.
  @usableFromInline
  func add(_ value: TrackedValue, to values: TrackedValues) {
    let dirtyFlag = dirtyFlag
    // The deliverer makes every call, from the first commit on: none waits in a queue.
    let observer = Observer.subscribe(.one(value.capture), on: core, queue: nil) {
      [weak self] _, _ in
      if dirtyFlag.mark() { Self.schedule(self) }
    }
    value.owner = values
    values.add(value, touchedBy: observer.map { StoreSubscription($0.handle) })
  }

  /// Registers a read of a value, after loading the newest one if none is shown.
  @usableFromInline
  func access(_ value: TrackedValue) {
    core.checkEntry("read an observed store")
    if value.isEmpty {
      // What is released or compared on the way may flush, and this value is read then as well.
      let wasAsked = exchange(&value.isAsked, with: true)
      showTouched(for: value)
      value.isAsked = wasAsked
    }
    value.isWanted = true
    registrar.access(subject, keyPath: value.trackingPath)
  }
}

// MARK: Flushing

extension ViewTracker {
  @inline(never)
  nonisolated private static func schedule(_ tracker: ViewTracker?) {
    Task { @MainActor [weak tracker] in tracker?.flushOthers() }
  }

  /// Shows the commits of other dispatchers.
  private func flushOthers() { flush(dirtyFlag.beginDispatch()) }

  /// Shows all commits so far; `isOutermost` is what `beginDispatch` returned before the dispatch.
  @usableFromInline
  func flush(_ isOutermost: Bool) {
    // While no thread delivers, each commit that touched a value has set the flag already.
    if isOutermost && due.value.isEmpty && core.baton.isIdle && dirtyFlag.endDispatchIfClear() {
      return
    }
    dirtyFlag.clear()
    showTouched()
    // What came meanwhile is not shown here: commits that never rest would keep the main actor for ever.
    if isOutermost && dirtyFlag.endDispatch() { scheduleNextFlush() }
  }

  @inline(never)
  private func scheduleNextFlush() {
    if isNextFlushScheduled { return }
    isNextFlushScheduled = true
    Task { @MainActor [weak self] in
      guard let self else { return }
      isNextFlushScheduled = false
      flushOthers()
    }
  }

  /// Shows what commits have touched, and loads `asked` for its reader.
  func showTouched(for asked: TrackedValue? = nil) {
    core.withTable { table in
      takeTouched()
      for index in pending.value.indices {
        pending.value[index].loadIfTouched(from: memory.place, at: table.revision)
      }
      // One that is pending may have been left unread.
      if let asked, !asked.isLoaded {
        if !asked.isPending { pending.value.append(asked) }
        asked.load(from: memory.place, at: table.revision)
      }
    }
    if let asked { show(for: asked) } else { show() }
  }

  /// Moves what was touched to what is not shown yet; under the lock.
  ///
  /// No value is released here, because values hold ids of users: a list is exchanged whole, or what is taken off it is
  /// held by the other one, as all are that are pending.
  private func takeTouched() {
    if pending.value.isEmpty { return swap(&pending.value, &touched.values.value) }
    for value in touched.values.value where !value.isPending { pending.value.append(value) }
    touched.values.value.removeAll(keepingCapacity: true)
  }

  /// Notifies all readers before any value is shown, so that none sees a mixture of old and new.
  ///
  /// A notified reader, or a comparison, may dispatch: then that flush shows all of this. So each step asks what is
  /// left.
  private func show() {
    announceDue()
    if pending.value.isEmpty { return }
    if pending.value.count == 1, !pending.value[0].isUnwanted {
      announceAndShow(pending.value[0])
    } else {
      announceAndShow(removeUnwanted())
    }
    removeShown()
    announceDue()
  }

  /// The same as for several, without counting each in three lists: as a rule there is one.
  private func announceAndShow(_ value: TrackedValue) {
    if differs(value) { willSet(value) }
    if value.isPending { value.showLoaded() }
    if value.isAnnounced { didSet(value) }
  }

  // A function, so that the list is released before `removeShown` edits it.
  private func announceAndShow(_ values: ContiguousArray<TrackedValue>) {
    for value in values where differs(value) { willSet(value) }
    for value in values where value.isPending { value.showLoaded() }
    for value in values where value.isAnnounced { didSet(value) }
  }

  /// Whether the readers of a value are yet to be notified of it.
  private func differs(_ value: TrackedValue) -> Bool {
    guard value.isChanged else { return false }
    // A comparison may flush.
    if value.rejoinPending() { pending.value.append(value) }
    return value.isPending && !value.isAnnounced
  }

  /// Takes off the list what is shown by now.
  private func removeShown() {
    // Held until the access has ended: a value may hold the last reference to something of the user's. As a rule all are
    // shown, and the list keeps its memory.
    while let last = pending.value.last, !last.isPending {
      let shown = pending.value.removeLast()
      withExtendedLifetime(shown) {}
    }
    if pending.value.isEmpty { return }
    let former = pending.value
    pending.value.removeAll { !$0.isPending }
    withExtendedLifetime(former) {}
  }

  /// Shows everything for the reader of one value; the readers of what differs are notified in the next job.
  private func show(for asked: TrackedValue) {
    for value in removeUnwanted() where value.isPending {
      if value !== asked && differs(value) {
        due.value.append(value.trackingPath)
        value.trackAnew()
      }
      if value.isPending { value.showLoaded() }
    }
    removeShown()
    if !due.value.isEmpty { scheduleNextFlush() }
  }

  /// Notifies the readers of what was shown to another reader.
  private func announceDue() {
    if due.value.isEmpty { return }
    for path in exchange(&due.value, with: []) {
      registrar.willSet(subject, keyPath: path)
      registrar.didSet(subject, keyPath: path)
    }
  }

  /// Stops tracking values that no notified reader read before they were touched again, and returns the other pending
  /// ones.
  private func removeUnwanted() -> ContiguousArray<TrackedValue> {
    var unwanted: ContiguousArray<TrackedValue> = []
    for value in pending.value where value.isUnwanted { unwanted.append(value) }
    if unwanted.isEmpty { return pending.value }
    pending.value.removeAll(where: \.isUnwanted)
    let others = pending.value
    for value in unwanted {
      value.leavePending()
      value.owner?.remove(value)
    }
    // The values are released last, because a user's `deinit` may call back into this object.
    withExtendedLifetime(unwanted) {}
    return others
  }

  // The path is the same in both: only what is not announced gets another one.

  private func willSet(_ value: TrackedValue) {
    value.isAnnounced = true
    value.isWanted = false
    registrar.willSet(subject, keyPath: value.trackingPath)
  }

  private func didSet(_ value: TrackedValue) {
    value.isAnnounced = false
    registrar.didSet(subject, keyPath: value.trackingPath)
  }
}

// MARK: Whether a value differs

extension TrackedValue {
  /// Whether its readers are to be notified, before something else is shown.
  var isChanged: Bool { isPending && !isAnnounced && (isUnread || (isLoaded && comparing(place))) }

  /// Compares the loaded value with the shown one.
  @inlinable
  nonisolated static func differ<Value: Equatable>(
    _ type: Value.Type, _ values: StateAddress
  ) -> Bool {
    // Compared outside of the access, because a user's `==` may call back into this object.
    let (shown, loaded) = values.edit(Values<Value>.self) { ($0.shown, $0.loaded) }
    return loaded.map { !isSameValue(shown, $0) } ?? false
  }
}

// MARK: The flag

/// Marks an observed store as out of date, from any thread.
///
/// 1. A delivering thread marks the flag after a commit touched an observed property.
/// 2. If the flag was clear and the observed store is not dispatching, that thread schedules a flush on the main actor,
///    and no other does until the flag is cleared.
/// 3. If the observed store is dispatching, nothing is scheduled: the dispatcher flushes once, at its end. If the flag
///    is marked again after that, the dispatcher schedules a flush as the dispatch ends.
/// 4. Both facts are bits of one atomic byte, and each change of it acquires and releases. So a mark is either seen as
///    the dispatch ends or finds it ended, whichever thread sets it.
@usableFromInline
final class DirtyFlag: Sendable {
  private static var dirty: UInt8 { 1 }
  private static var dispatching: UInt8 { 2 }

  private let flags = Atomic<UInt8>(0)

  /// Marks the observed store as out of date; returns whether the caller has to schedule a flush.
  func mark() -> Bool {
    flags.bitwiseOr(Self.dirty, ordering: .acquiringAndReleasing).oldValue == 0
  }

  /// Begins a dispatch of the observed store; returns whether it is the outermost one.
  @usableFromInline
  func beginDispatch() -> Bool {
    let old = flags.bitwiseOr(Self.dispatching, ordering: .acquiringAndReleasing).oldValue
    return old & Self.dispatching == 0
  }

  func clear() { flags.bitwiseAnd(~Self.dirty, ordering: .acquiringAndReleasing) }

  /// Ends the outermost dispatch and returns true, unless the flag is marked: then the caller flushes, and ends it
  /// after.
  func endDispatchIfClear() -> Bool {
    // A look costs a tenth of an exchange, and the dispatcher's own commit has most often marked the flag.
    if flags.load(ordering: .relaxed) & Self.dirty != 0 { return false }
    return flags.compareExchange(
      expected: Self.dispatching, desired: 0, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Ends the outermost dispatch; returns whether the flag is still marked, so that the caller has to schedule a flush.
  func endDispatch() -> Bool {
    let old = flags.bitwiseAnd(~Self.dispatching, ordering: .acquiringAndReleasing).oldValue
    return old & Self.dirty != 0
  }
}

// MARK: Following changes

extension Change {
  /// The same change, for a reader that has shown the state before it.
  ///
  /// `didChange(_:)` is true of the first change that a reader is given, because most readers have shown nothing yet.
  /// Of this one it compares the values.
  public var following: Change { changed(self) { $0.isFirst = false } }
}
