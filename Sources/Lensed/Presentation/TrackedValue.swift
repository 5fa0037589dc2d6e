import Observation

/// One value that is read through observed stores, with its type erased: what is shown, and what updates it.
///
/// 1. A commit that touches the value puts it on the list of the tracker, under the lock of the store.
/// 2. A flush *loads* the newest value, under the lock.
/// 3. It notifies the readers if the value differs (`isChanged`, in `ViewTracker.swift`), and *shows* it.
///
/// The functions are closures, so that the compiler specialises them for the type of the value. They take the address
/// of the values and capture nothing, so a call does no reference counting.
///
/// `TrackedValues` keeps it, with the subscription that has commits touch it; so does the store while that lasts, and
/// the list until the next flush. It belongs to the main actor, but for `isListed`, which the lock of the store guards.
@MainActor
@usableFromInline
final class TrackedValue {
  /// The value that is shown, the value loaded last, and the path that both are read by.
  @usableFromInline
  struct Values<Value> {
    /// The value that readers see; nil if the next reader has to read it from the state.
    @usableFromInline
    var shown: Value?
    /// The value loaded last, until it is shown.
    @usableFromInline
    var loaded: Value?
    /// Values that were never shown: replaced under the store's lock, and released after it.
    @usableFromInline
    var outdated: [Value] = []
    @usableFromInline
    let path: PartPath<Value>

    @inlinable
    init(_ path: PartPath<Value>) { self.path = path }
  }

  @usableFromInline
  enum Key: Hashable {
    /// A key path, retained so that no other object takes over its identity.
    case keyPath(AnyKeyPath, KeyPathForm)
    /// A row; `isCompared` as in a form.
    case row(AnyID, of: AnyKeyPath, isCompared: Bool)
    /// The presence of a child that might be there.
    case child(ObservedChildKey)
    case derived(MemoKey)
  }

  /// The object whose properties the registrar tracks.
  final class Subject: Observable, Sendable {
    /// Provides the registrar with one key path per value; never called.
    subscript(number number: UInt64) -> UInt64 { number }
  }

  /// Reads the value as the commit `revision` left it; under the lock.
  @usableFromInline
  typealias Load = (_ values: StateAddress, _ state: StateAddress, _ revision: UInt64) -> Void

  let key: Key
  /// The key paths of other places that read it, retained as that of `key` is.
  private(set) var equalPaths: [AnyKeyPath] = []
  private(set) var trackingPath: KeyPath<Subject, UInt64>
  /// The address of the `Values`; they live as long as this object.
  @usableFromInline
  let place: StateAddress
  @usableFromInline
  nonisolated let footprint: Footprint
  nonisolated private let list: TouchedValues
  nonisolated fileprivate let isListed = UnsafeCell(false)
  private let memory: AnyObject
  private let loading: Load
  let comparing: (_ values: StateAddress) -> Bool
  private let showing: (_ values: StateAddress, _ isUnread: Bool) -> Void
  /// The child that the value lies in: while that is not there, the value is kept as it is shown.
  private let child: PartPresence?
  /// Whether reading it might trap in some states, so that it is read for its readers alone.
  private let isOnDemand: Bool
  /// Whether reading it runs code of the user's, so that it is read for those alone who will be notified of it.
  private let isComputed: Bool
  /// What holds it, to be found by its key.
  weak var owner: TrackedValues?
  /// The children whose presence the value is.
  @usableFromInline
  var presented: ObservedChild?
  /// Whether a reader asks for it now, and is yet to be given it.
  var isAsked = false
  /// Whether it was read since its readers were last notified.
  var isWanted = false
  /// Whether its readers were notified of a value that is not shown yet.
  var isAnnounced = false
  /// Whether a commit has touched it, and that is not shown yet.
  private(set) var isPending = false
  /// Whether the next reader has to read it from the state.
  private(set) var isEmpty = true
  /// Whether the newest commit that touched it was not read.
  private(set) var isUnread = false
  /// Whether a value was read that is not shown yet.
  private(set) var isLoaded = false

  @usableFromInline
  init(
    _ key: Key, of footprint: Footprint, on list: TouchedValues, in child: PartPresence?,
    isOnDemand: Bool = false, isComputed: Bool = false, memory: AnyObject, _ place: StateAddress,
    load: @escaping Load,
    compare: @escaping (_ values: StateAddress) -> Bool,
    show: @escaping (_ values: StateAddress, _ isUnread: Bool) -> Void
  ) {
    (self.key, self.footprint, self.list, self.child) = (key, footprint, list, child)
    (self.isOnDemand, self.isComputed) = (isOnDemand, isComputed)
    (self.memory, self.place) = (memory, place)
    trackingPath = \.[number: makeUniqueNumber()]
    (loading, comparing, showing) = (load, compare, show)
  }

  /// Creates a value that is read by a path.
  @inlinable
  convenience init<Value>(
    _ key: Key, on list: TouchedValues, in child: PartPresence?,
    isOnDemand: Bool = false, isComputed: Bool = false, at path: PartPath<Value>,
    compare: @escaping (_ values: StateAddress) -> Bool,
    onShow: @escaping (_ value: Value) -> Void = { _ in }
  ) {
    let memory = UnsafeCell(Values(path))
    self.init(
      key, of: path.footprint, on: list, in: child, isOnDemand: isOnDemand,
      isComputed: isComputed, memory: memory, memory.place,
      load: { values, state, _ in Self.load(Value.self, values, state) },
      compare: compare, show: Self.showing(onShow))
  }

  // These are functions of no actor, and so are the closures that they make: for each closure of the main actor that
  // such a function takes, the runtime would look up on which executor it is called.

  /// Loads the newest value; under the lock.
  @inlinable
  nonisolated static func load<Value>(
    _ type: Value.Type, _ values: StateAddress, _ state: StateAddress
  ) {
    values.edit(Values<Value>.self) { values in
      if let loaded = values.loaded.take() { values.outdated.append(loaded) }
      values.loaded = values.path.read(state)
    }
  }

  /// Has readers see the loaded value, or read the state anew if `isUnread`; calls `onShow` with the value that they
  /// see.
  @inlinable
  nonisolated static func showing<Value>(
    _ onShow: @escaping (_ value: Value) -> Void
  ) -> (_ values: StateAddress, _ isUnread: Bool) -> Void {
    { values, isUnread in
      var (replaced, loaded): (Value?, Value?) = (nil, nil)
      var outdated: [Value] = []
      values.edit(Values<Value>.self) { values in
        loaded = values.loaded.take()
        swap(&outdated, &values.outdated)
        if isUnread || loaded != nil {
          replaced = values.shown.take()
          if !isUnread { values.shown = loaded }
        }
      }
      if !isUnread, let loaded { onShow(loaded) }
      // Released last, because a user's `deinit` may call back into this object, and show a newer value. One by one: a
      // tuple is released by a function that looks its type up.
      withExtendedLifetime(replaced) {}
      withExtendedLifetime(loaded) {}
      withExtendedLifetime(outdated) {}
    }
  }

  /// The shown value, which was loaded for its reader.
  @inlinable
  func shown<Value>(_ type: Value.Type) -> Value {
    PartPath.lent(place.edit(Values<Value>.self) { $0.shown })
  }
}

// MARK: Loading, under the lock of the store

extension TrackedValue {
  /// Takes the value off the list of those that were touched, and loads it if it was there.
  func loadIfTouched(from state: StateAddress, at revision: UInt64) {
    guard isListed.value else { return }
    isListed.value = false
    load(from: state, at: revision)
  }

  /// Reads the newest value, if it has readers and cannot trap, or if a reader asks for it now.
  func load(from state: StateAddress, at revision: UInt64) {
    isPending = true
    isUnread = false
    if let child, !isEmpty, !child.isThere(state) { return }
    // A reader that no registration stands for is not notified, and might never read again.
    let isRead = isAnnounced || (isWanted && (!isComputed || isTracked)) || isHeld
    isUnread = !isAsked && (!isRead || isOnDemand)
    if isUnread { return }
    loading(place, state, revision)
    isLoaded = true
  }

  /// Whether a child needs it that is held, or is read.
  var isHeld: Bool { presented.map { !$0.isIdle } ?? false }
}

// MARK: Showing

extension TrackedValue {
  /// Whether it has no readers, and so was not read for the commit that touched it.
  var isUnwanted: Bool { isPending && isUnread && !isWanted && !isAnnounced && !isHeld }

  /// Notes that it was taken off the values that are not shown yet.
  func leavePending() { isPending = false }

  /// Has a value be shown that a flush passed over while it was being computed to be compared; returns whether it is one.
  func rejoinPending() -> Bool {
    if isPending || !comparing(place) { return false }
    (isPending, isLoaded) = (true, true)
    return true
  }

  /// Has later readers tracked by another key path.
  func trackAnew() { trackingPath = \.[number: makeUniqueNumber()] }

  /// Shows the loaded value, or discards the shown one if the newest value was not read.
  func showLoaded() {
    isPending = false
    if isLoaded || isUnread { isEmpty = isUnread }
    isLoaded = false
    showing(place, isUnread)
    isUnread = false
  }

  /// Whether a reader will be notified of it, or asks for it now: a registration that tracks a key path keeps it.
  var isTracked: Bool { isAsked || !isKnownUniquelyReferenced(&trackingPath) }
}

// MARK: Being read from several places

extension TrackedValue {
  /// Retains a key path that equals its own; returns false where it retains as many as it may.
  ///
  /// Some key paths are made anew for each read: all of them would be kept.
  func adopt(_ keyPath: AnyKeyPath) -> Bool {
    if equalPaths.count >= 16 { return false }
    equalPaths.append(keyPath)
    return true
  }
}

// MARK: Being touched, under the lock of the store

/// The values that commits have touched since they were loaded last; guarded by the lock of the store.
@usableFromInline
final class TouchedValues: Sendable {
  let values = UnsafeCell<ContiguousArray<TrackedValue>>([])
  /// Whether the tracker has gone, so that nothing is put on the list any more.
  let isOver = UnsafeCell(false)

  /// Puts a value on the list, once; under the lock.
  fileprivate func add(_ value: TrackedValue) {
    if value.isListed.value || isOver.value { return }
    value.isListed.value = true
    values.value.append(value)
  }
}

extension TrackedValue: PartSlot {
  /// The capture that has the value touched in the commit itself, also while another thread delivers.
  var capture: PartCapture { PartCapture(self) { [self] _, _ in list.add(self) } }

  @usableFromInline
  nonisolated func queue(_ state: StateAddress, _ revision: UInt64) { list.add(self) }
  @usableFromInline
  nonisolated func promote(_ revision: UInt64) {}
  @usableFromInline
  nonisolated func release() {}
  @usableFromInline
  nonisolated func stage(_ revision: UInt64) -> (@Sendable () -> Void)? { nil }
}

/// The values that are read through one observed store, and its children.
@MainActor
@usableFromInline
final class TrackedValues {
  /// A value, and what has commits touch it.
  private typealias Entry = (value: TrackedValue, subscription: StoreSubscription?)

  // By the hashes of the keys. Keys are compared outside of an access, because an `==` of the user's may read an observed
  // store, and so access the same table.
  private var byHash: [Int: InlineList<Entry>] = [:]
  private var children: [Int: [(key: ObservedChildKey, child: ObservedChild)]] = [:]
  /// Those read by key paths, by the objects of these: a literal is one object, and identities compare fast.
  ///
  /// Guarded by the main actor: the keys are addresses, and a value outlives its entry, so an access calls no code of
  /// the user's, and no two overlap.
  private let byIdentity = UnsafeCell(InlineTable<UInt, TrackedValue>())
  /// The number of hashes of children at which those are looked for that no view needs any more.
  private var limit = 16

  nonisolated init() {}

  /// The number of values, without those of children.
  var count: Int { byHash.values.reduce(0) { $0 + $1.all.count } }

  /// Whether nothing is read through it, or through a child.
  var isIdle: Bool {
    byHash.isEmpty && children.values.allSatisfy { $0.allSatisfy(\.child.isIdle) }
  }

  /// The value that an equal key path was given for in the same form, of the same type.
  @usableFromInline
  func value(_ keyPath: AnyKeyPath, _ form: KeyPathForm) -> TrackedValue? {
    byIdentity.value[form.identity(of: keyPath)] ?? valueByKey(keyPath, form)
  }

  /// Compares the steps of the key path, which each place in the code has an object of its own for; the next read by
  /// this object is found by its identity.
  @inline(never)
  private func valueByKey(_ keyPath: AnyKeyPath, _ form: KeyPathForm) -> TrackedValue? {
    guard let value = value(.keyPath(keyPath, form)) else { return nil }
    if value.adopt(keyPath) { byIdentity.value[form.identity(of: keyPath)] = value }
    return value
  }

  /// The derived value, row or presence of a child that was read by a key.
  @usableFromInline
  func value(_ key: TrackedValue.Key) -> TrackedValue? {
    let known = byHash[key.hashValue] ?? .none
    // An `==` of the user's may have had it removed.
    return known.first { $0.value.key == key && $0.value.owner != nil }?.value
  }

  /// Adds a value; `subscription` has commits touch it, until it is removed.
  func add(_ value: TrackedValue, touchedBy subscription: StoreSubscription?) {
    byHash[value.key.hashValue, default: .none].append((value, subscription))
    for identity in value.identities { byIdentity.value[identity] = value }
  }

  /// Removes a value, unless it was removed before.
  func remove(_ value: TrackedValue) {
    let hash = value.key.hashValue
    let known = (byHash[hash] ?? .none).all
    let rest = known.filter { $0.value !== value }
    if rest.count == known.count { return }
    byHash[hash] = rest.isEmpty ? nil : InlineList(rest)
    for identity in value.identities { byIdentity.value[identity] = nil }
    value.owner = nil
    withExtendedLifetime(known) {}
  }

  @usableFromInline
  func child(_ key: ObservedChildKey) -> ObservedChild? {
    let known = children[key.hashValue] ?? []
    return known.first { $0.key == key }?.child
  }

  /// Adds a child, unless it was added before.
  @usableFromInline
  func setChild(_ child: ObservedChild, for key: ObservedChildKey) {
    if children.count >= limit { removeIdleChildren() }
    let hash = key.hashValue
    if children[hash]?.contains(where: { $0.child === child }) == true { return }
    children[hash, default: []].append((key, child))
  }

  /// Removes the children that the app does not hold, and of which nothing is tracked.
  private func removeIdleChildren() {
    for (hash, known) in children {
      let idle = known.filter { key, child in
        child.removeUntracked()
        let presence = value(.child(key))
        // The presence, while there is one, tells the children that it was made with.
        if !child.isIdle || presence?.isTracked == true { return false }
        if let presence { remove(presence) }
        return true
      }
      if idle.isEmpty { continue }
      let rest = (children[hash] ?? []).filter { one in !idle.contains { $0.child === one.child } }
      children[hash] = rest.isEmpty ? nil : rest
    }
    limit = max(16, children.count * 2)
  }

  func removeUntracked() {
    removeIdleChildren()
    for entry in byHash.values.flatMap(\.all) where !entry.value.isTracked && !entry.value.isHeld {
      remove(entry.value)
    }
  }
}

// MARK: Its key path

/// How a key path was read.
///
/// A value is read, and compared, as its reader asks for, whoever else reads it: so each form has a value of its own.
@usableFromInline
struct KeyPathForm: Hashable {
  /// Whether it was written after a dot.
  @usableFromInline
  let isProperty: Bool
  /// Whether the value is compared with the former one; else each counts as another.
  private let isCompared: Bool

  @usableFromInline
  init(isProperty: Bool, isCompared: Bool) {
    (self.isProperty, self.isCompared) = (isProperty, isCompared)
  }

  /// The address of a key path with the form: objects lie at multiples of 8, so the lowest bits are free.
  func identity(of keyPath: AnyKeyPath) -> UInt {
    UInt(bitPattern: ObjectIdentifier(keyPath)) | (isProperty ? 1 : 0) | (isCompared ? 2 : 0)
  }
}

extension TrackedValue {
  /// Those of the key path objects that it is found by.
  fileprivate var identities: [UInt] {
    guard case .keyPath(let keyPath, let form) = key else { return [] }
    return ([keyPath] + equalPaths).map(form.identity)
  }
}

/// An analysis of a key path: where its value lies, and whether it can be read in every state.
///
/// A key path is read after a commit only if that cannot trap, as `\.rows[3]` does once `rows` is shorter. Only its
/// description shows its steps, and calls computed properties and subscripts alike `<computed …>`. The subscript of a
/// dictionary is known by its function; any other computed step might trap.
@usableFromInline
struct ObservedKeyPath {
  /// The stored properties at the start of the key path.
  let prefix: [String]
  /// Whether reading it never traps, as far as can be seen: the steps are stored properties, optional chains and keys
  /// of dictionaries, or one computed property.
  @usableFromInline
  let isSafe: Bool

  /// `isProperty` says that it was written after a dot, so a single step is a property, or the index of an array.
  @usableFromInline
  init(_ keyPath: AnyKeyPath, isProperty: Bool) {
    guard let steps = keyPath.shownSteps else {
      (prefix, isSafe) = ([], false)
      return
    }
    let names = steps.prefix { !$0.hasPrefix("<") && $0 != "?" && $0 != "!" }
    prefix = names == ["self"] ? [] : names.map(String.init)
    let doubtful = steps.filter { $0.hasPrefix("<") && !TrappingStep.readsByKey($0) }
    let isComputedProperty =
      isProperty && steps.count == 1 && !steps.contains { TrappingStep.readsByIndex($0) }
      && !Self.mayReadByPosition(keyPath)
    isSafe = !steps.contains("!") && (doubtful.isEmpty || isComputedProperty)
  }

  /// Whether it might be a position in `Entities`, or a range: each module reads these by functions of its own.
  private static func mayReadByPosition(_ keyPath: AnyKeyPath) -> Bool {
    func isPart<Rows: VersionedRows>(of rows: Rows.Type, _ value: Any.Type) -> Bool {
      value == Rows.Element.self || value == Slice<Entities<Rows.Element>>.self
        || value == Slice<SortedEntities<Rows.Element>>.self
    }
    let type = type(of: keyPath)
    guard let rows = type.rootType as? any VersionedRows.Type else { return false }
    return isPart(of: rows, type.valueType)
  }

  /// The name of the part: the stored properties at its start.
  @usableFromInline
  var way: Way { prefix.isEmpty ? .unnamed : Way(named: prefix.joined(separator: ".")) }
}
