internal import Observation

/// The state-independent core of an observed store: the properties that were read through it.
///
/// **Cycle.** A view *accesses* a property. A commit that touches the property sets the dirty flag
/// from any thread. The main actor then *flushes*: it loads the touched properties under the
/// store's lock, notifies the readers of those that differ, and shows the new values. What a commit touches
/// meanwhile is for the next flush, in a job of its own: other jobs of the main actor run in between.
///
/// **Mutable state.** `parts`, `partsByPath`, `partsByIdentity`, `partsByMemo`, `lists`, `lastNumber` and
/// `isNextFlushScheduled` belong to the main actor. The dirty flag is atomic. The values of a part are loaded under the store's
/// lock, by the main actor.
///
/// It knows no state type, so the compiler generates it once for all states.
@MainActor
@usableFromInline
final class ObservedParts {
  @usableFromInline
  nonisolated let dirtyFlag = DirtyFlag()
  @usableFromInline
  nonisolated let core: StoreCore
  /// Held by the thread that delivers commits, which might not have set the flag yet.
  private let baton: Baton
  private let registrar = ObservationRegistrar()
  private let subject = ObservedPart.Subject()
  /// The properties that were read, in the order of their first reads; only the main actor uses
  /// them.
  private let parts = UnsafeCell<ContiguousArray<ObservedPart>>([])
  private var partsByPath: [AnyKeyPath: ObservedPart] = [:]
  /// The same properties by the key path objects of their first reads.
  ///
  /// A literal is one object each time, and comparing identities is faster than comparing key
  /// paths.
  private var partsByIdentity: [ObjectIdentifier: ObservedPart] = [:]
  /// Those that were read by something else than a key path.
  private var partsByMemo: [AnyHashable: ObservedPart] = [:]
  private var lastNumber = 0
  /// The lists that contain parts, by the stored properties that lead to them.
  private var lists: [[String]: ObservedList] = [:]
  /// Whether a flush has scheduled the next one, which has not begun.
  private var isNextFlushScheduled = false

  init(_ core: StoreCore) {
    self.core = core
    baton = core.withTable { $0.baton }
  }

  /// The number of properties that are observed.
  var count: Int { parts.value.count }

  /// The property that an equal key path was registered for, with a value of the same type.
  @usableFromInline
  func part(_ keyPath: AnyKeyPath) -> ObservedPart? {
    partsByIdentity[ObjectIdentifier(keyPath)] ?? partsByPath[keyPath]
  }

  /// The derived value or row that was registered under a key.
  func part(memo key: AnyHashable) -> ObservedPart? { partsByMemo[key] }

  /// Returns a new number, never used for another property.
  @usableFromInline
  func makeNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Decides when a property is read from the state, which `whole` reads.
  @usableFromInline
  func reading<State>(_ path: ObservedKeyPath, of whole: PartPath<State>) -> ObservedPart.Reading {
    switch path.range {
    case .everyState: return .atCommits
    case .unknown: return .onDemand
    case .someStates:
      let prefix = path.prefix
      let list =
        lists[prefix]
        ?? ObservedList { ObservedBounds(in: whole.read($0), along: prefix) }
      lists[prefix] = list
      return .within(list)
    }
  }

  /// Registers a read of a property, after loading the newest value if the shown one is out of
  /// date.
  @usableFromInline
  func access(_ part: ObservedPart) {
    if part.isEmpty {
      core.withTable { part.read(&$0) }
      part.showLoaded()
    }
    part.isWanted = true
    registrar.access(subject, keyPath: part.trackingPath)
  }

  /// Starts to observe a property.
  ///
  /// It subscribes first and reads afterwards, so a commit in between is read, and a later one sets
  /// the dirty flag.
  @usableFromInline
  func add(_ part: ObservedPart) {
    part.subscription = listen(to: part.footprint)
    core.withTable { table in
      part.open(table)
      part.read(&table)
    }
    part.showLoaded()
    parts.value.append(part)
    setPart(part, for: part.key)
  }

  private func setPart(_ part: ObservedPart?, for key: ObservedPart.Key) {
    switch key {
    case .keyPath(let keyPath):
      partsByPath[keyPath] = part
      partsByIdentity[ObjectIdentifier(keyPath)] = part
    case .memo(let key): partsByMemo[key] = part
    }
  }

  /// Sets the dirty flag at each commit that touches a part of the state.
  ///
  /// The deliverer makes every call, from the first commit on: none waits in a queue while the part is read.
  private func listen(to footprint: Footprint) -> StoreSubscription {
    let dirtyFlag = dirtyFlag
    let capture = PartCapture(watching: footprint)
    let observer = Observer.subscribe(.one(capture), on: core, queue: nil) { [weak self] _, _ in
      if dirtyFlag.mark() { Self.schedule(self) }
    }
    return observer.map { StoreSubscription($0.handle) } ?? StoreSubscription {}
  }

  /// Schedules a flush on the main actor.
  @inline(never)
  nonisolated private static func schedule(_ parts: ObservedParts?) {
    Task { @MainActor [weak parts] in parts?.flushOthers() }
  }

  /// Shows the commits of other dispatchers.
  private func flushOthers() {
    flush(dirtyFlag.beginDispatch())
  }

  /// Shows all commits so far, at the latest that of the dispatch that has just returned.
  ///
  /// - Parameter isOutermost: The result of `beginDispatch` before the dispatch.
  @usableFromInline
  func flush(_ isOutermost: Bool) {
    // While no thread delivers, each commit that touched a property has set the flag already.
    if isOutermost && baton.isIdle && dirtyFlag.endDispatchIfClear() { return }
    dirtyFlag.clear()
    loadAndShow()
    // What came meanwhile is not shown here: commits that never rest would keep the main actor for ever.
    if isOutermost && dirtyFlag.endDispatch() { scheduleNextFlush() }
  }

  /// Schedules the flush after this one.
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

  private func loadAndShow() {
    let count = parts.value.count
    var (first, last, isWanted) = (count, -1, true)
    for list in lists.values { list.invalidate() }
    core.withTable { table in
      for index in 0..<count {
        let part = parts.value[index]
        part.pull(from: &table)
        if part.isPending {
          first = min(first, index)
          last = index
          isWanted = isWanted && (part.isWanted || part.isAnnounced)
        }
      }
    }
    if first > last { return }
    if isWanted && first == last { return show(parts.value[first]) }
    let touched = Array(parts.value[first...last])
    if isWanted { return show(touched) }
    release(touched.filter { $0.isPending && !$0.isWanted && !$0.isAnnounced })
    show(touched.filter { $0.isWanted || $0.isAnnounced })
  }

  /// Stops observing properties that were touched again before any notified reader read them.
  private func release(_ unwanted: [ObservedPart]) {
    for part in unwanted { setPart(nil, for: part.key) }
    let gone = Set(unwanted.map { ObjectIdentifier($0) })
    parts.value.removeAll { gone.contains(ObjectIdentifier($0)) }
    if parts.value.isEmpty { lists = [:] }
    // The values are released last, because a user's `deinit` may call back into this object.
    for part in unwanted { part.subscription?.cancel() }
  }

  private func show(_ part: ObservedPart) {
    // A notified reader may dispatch; it is not notified again before the value is shown.
    guard part.differs, !part.isAnnounced else { return part.showLoaded() }
    willSet(part)
    part.showLoaded()
    didSet(part)
  }

  /// Notifies all readers before any value is shown, so that none sees a mixture of old and new.
  private func show(_ parts: [ObservedPart]) {
    let changed = parts.filter { $0.isPending && !$0.isAnnounced && $0.differs }
    for part in changed { willSet(part) }
    for part in parts where part.isPending { part.showLoaded() }
    for part in changed { didSet(part) }
  }

  private func willSet(_ part: ObservedPart) {
    part.isAnnounced = true
    part.isWanted = false
    registrar.willSet(subject, keyPath: part.trackingPath)
  }

  private func didSet(_ part: ObservedPart) {
    part.isAnnounced = false
    registrar.didSet(subject, keyPath: part.trackingPath)
  }
}
