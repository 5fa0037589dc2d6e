internal import Observation

/// What an observed store is inside: the properties that were read through it, and who is told.
///
/// It knows no types, so that it is compiled once, for every state.
@MainActor
@usableFromInline
final class ObservedParts {
  @usableFromInline
  nonisolated let bell = DirtyFlag()
  @usableFromInline
  nonisolated let core: StoreCore
  /// Whether somebody delivers, who may have yet to ring.
  private let baton: Baton
  private let registrar = ObservationRegistrar()
  private let subject = ObservedPart.Subject()
  /// Those that were read, in the order in which they were first; used on the main actor alone.
  private let parts = UnsafeCell<ContiguousArray<ObservedPart>>([])
  private var partsByPath: [AnyKeyPath: ObservedPart] = [:]
  /// The same again, for the very key paths they were first read by: literals are one object each,
  /// and comparing key paths takes longer.
  private var partsByIdentity: [ObjectIdentifier: ObservedPart] = [:]
  private var lastNumber = 0
  /// The lists that parts are read through, by the names of the properties.
  private var lists: [[String]: ObservedList] = [:]

  init(_ core: StoreCore) {
    self.core = core
    baton = core.withTable { $0.baton }
  }

  /// How many properties are shown.
  @usableFromInline
  var count: Int { parts.value.count }

  /// The property that was read by an equal key path before, and so has a value of the same type.
  @usableFromInline
  func part(_ keyPath: AnyKeyPath) -> ObservedPart? {
    partsByIdentity[ObjectIdentifier(keyPath)] ?? partsByPath[keyPath]
  }

  /// A number that no other property has, or had.
  @usableFromInline
  func makeNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// When a property is to be read, which `whole` reads the state of.
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

  /// Notes that a property is being read, and reads it, if nobody has since it was touched.
  @usableFromInline
  func access(_ part: ObservedPart) {
    if part.isEmpty {
      core.withTable { part.read(&$0) }
      part.renew()
    }
    part.isWanted = true
    registrar.access(subject, keyPath: part.trackingPath)
  }

  /// Takes on a property.
  ///
  /// It is listened to before it is read again: what was committed since it was made shows now, and
  /// what is committed from now on rings.
  @usableFromInline
  func add(_ part: ObservedPart, _ footprint: Footprint) {
    part.subscription = listen(to: footprint)
    core.withTable { table in
      part.open(table)
      part.read(&table)
    }
    part.renew()
    parts.value.append(part)
    partsByPath[part.keyPath] = part
    partsByIdentity[ObjectIdentifier(part.keyPath)] = part
  }

  /// Has the bell rung for each commit that touches a part of the state.
  private func listen(to footprint: Footprint) -> StoreSubscription {
    let bell = bell
    var pipeline = Pipeline()
    pipeline.add(PartCapture(watching: footprint), of: core)
    return pipeline.subscribe { [weak self] revision, _ in
      if revision != 0 && bell.ring() { Self.call(self) }
    }
  }

  /// Has somebody look who is on the main actor.
  @inline(never)
  nonisolated private static func call(_ parts: ObservedParts?) {
    Task { @MainActor [weak parts] in parts?.catchUp() }
  }

  /// Shows what others have committed.
  private func catchUp() {
    settle(bell.attend())
  }

  /// Shows what was committed, by the dispatch that has just returned and by others before it.
  ///
  /// - Parameter isOutermost: What `attend` gave before the dispatch.
  @usableFromInline
  func settle(_ isOutermost: Bool) {
    // With nobody delivering, whatever was touched has rung.
    if isOutermost && baton.isIdle && bell.leave() { return }
    repeat {
      bell.answer()
      renew()
    } while isOutermost && !bell.leave()
  }

  private func renew() {
    let count = parts.value.count
    var (first, last, isWanted) = (count, -1, true)
    for list in lists.values { list.forget() }
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

  /// Lets properties go that were touched again before anybody who was told has read them.
  private func release(_ unwanted: [ObservedPart]) {
    for part in unwanted {
      partsByPath[part.keyPath] = nil
      partsByIdentity[ObjectIdentifier(part.keyPath)] = nil
    }
    let gone = Set(unwanted.map { ObjectIdentifier($0) })
    parts.value.removeAll { gone.contains(ObjectIdentifier($0)) }
    if parts.value.isEmpty { lists = [:] }
    // After that the values are released: a user's `deinit` may lead back here.
    for part in unwanted { part.subscription?.cancel() }
  }

  private func show(_ part: ObservedPart) {
    // Whoever is told may dispatch, and is not told of that again before it is shown.
    guard part.differs, !part.isAnnounced else { return part.renew() }
    announce(part)
    part.renew()
    conclude(part)
  }

  /// Everybody hears before anything is shown, so that nobody sees half of it.
  private func show(_ parts: [ObservedPart]) {
    let news = parts.filter { $0.isPending && !$0.isAnnounced && $0.differs }
    for part in news { announce(part) }
    for part in parts where part.isPending { part.renew() }
    for part in news { conclude(part) }
  }

  private func announce(_ part: ObservedPart) {
    part.isAnnounced = true
    part.isWanted = false
    registrar.willSet(subject, keyPath: part.trackingPath)
  }

  private func conclude(_ part: ObservedPart) {
    part.isAnnounced = false
    registrar.didSet(subject, keyPath: part.trackingPath)
  }
}
