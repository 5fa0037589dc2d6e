import Observation

/// One property of an observed store, with its type erased: its value and the functions that update
/// it.
///
/// A flush *loads* the newest value under the store's lock, and *shows* it after the lock.
///
/// The functions are closures, not methods, so that the compiler specialises them for the
/// property's type. They take the address of the values and capture nothing, so a call does no
/// reference counting.
@usableFromInline
final class ObservedPart {
  /// The value that is shown, the value loaded last, and the path that both are read by.
  @usableFromInline
  struct Values<Value> {
    /// The value that readers see; nil if the next reader has to read it from the state.
    @usableFromInline
    var shown: Value?
    /// The value loaded last, until it is shown.
    @usableFromInline
    var loaded: Value?
    /// Values that were loaded earlier and never shown.
    ///
    /// They are replaced under the store's lock and released after it.
    @usableFromInline
    var outdated: [Value] = []
    @usableFromInline
    let part: PartPath<Value>

    @inlinable
    init(shown: Value, loadedBy part: PartPath<Value>) {
      self.shown = shown
      self.part = part
    }
  }

  /// What a part was read by.
  @usableFromInline
  enum Key {
    /// A key path, retained so that no other object takes over its identity.
    case keyPath(AnyKeyPath)
    /// What names a row, a child that may be there, or a derived value.
    case memo(AnyHashable)
  }

  /// When the part is read from the state.
  @usableFromInline
  enum Reading {
    /// After each commit that touched it.
    case atCommits
    /// After such a commit, if the indices of the last read are still valid in the list.
    case within(ObservedList)
    /// When a reader asks for it.
    case onDemand
  }

  /// The object whose properties the registrar tracks.
  final class Subject: Observable, Sendable {
    /// Provides the registrar with one key path per part; never called.
    subscript(part index: Int) -> Int { index }
  }

  /// Reads the value as the commit `revision` left it; under the lock.
  @usableFromInline
  typealias Load = (_ values: StateAddress, _ state: StateAddress, _ revision: UInt64) -> Void

  let key: Key
  /// The key path that the registrar tracks it by.
  let trackingPath: KeyPath<Subject, Int>
  /// The address of the `Values`; only the main actor uses them, and they live as long as this
  /// object.
  @usableFromInline
  let place: StateAddress
  private let memory: AnyObject
  private let loading: Load
  private let comparing: (_ values: StateAddress) -> Bool
  private let showing: (_ values: StateAddress, _ isUnread: Bool) -> Void
  private let reading: Reading
  let footprint: Footprint
  private var cursor = PullCursor()
  /// The valid indices and keys at the last read.
  private var bounds = ObservedBounds.unknown
  private var isAskedFor = false
  /// Whether the newest commit that touched it was not read.
  private var isUnread = false
  /// Whether it was read since its readers were last notified.
  var isWanted = false
  /// Whether its readers were notified of a value that is not shown yet.
  var isAnnounced = false
  /// Whether a newer value is not shown yet.
  private(set) var isPending = false
  /// Whether the next reader has to read it from the state.
  private(set) var isEmpty = false
  var subscription: StoreSubscription?

  @usableFromInline
  init(
    _ key: Key, number: Int, _ footprint: Footprint,
    _ reading: Reading, memory: AnyObject, _ place: StateAddress,
    load: @escaping Load,
    compare: @escaping (_ values: StateAddress) -> Bool,
    show: @escaping (_ values: StateAddress, _ isUnread: Bool) -> Void
  ) {
    self.key = key
    self.reading = reading
    self.memory = memory
    self.place = place
    trackingPath = \.[part: number]
    loading = load
    comparing = compare
    showing = show
    self.footprint = footprint
  }

  /// Creates the part for a property, with its first value.
  @inlinable
  convenience init<Value>(
    _ key: Key, number: Int, _ reading: Reading,
    showing values: Values<Value>, compare: @escaping (_ values: StateAddress) -> Bool
  ) {
    let memory = UnsafeCell(values)
    self.init(
      key, number: number, values.part.footprint, reading, memory: memory,
      memory.place,
      load: { values, state, _ in
        values.edit(Values<Value>.self) { values in
          if let loaded = values.loaded.take() { values.outdated.append(loaded) }
          values.loaded = values.part.read(state)
        }
      },
      compare: compare,
      show: { values, isUnread in
        // Released outside of the access, because a user's `deinit` may call back into this object.
        var (replaced, loaded, outdated): (Value?, Value?, [Value]) = (nil, nil, [])
        var formers: FormerValues?
        values.edit(Values<Value>.self) { values in
          formers = values.part.formers
          loaded = values.loaded.take()
          swap(&outdated, &values.outdated)
          if isUnread || loaded != nil {
            replaced = values.shown.take()
            if !isUnread { values.shown = loaded.take() }
          }
        }
        withExtendedLifetime((replaced, loaded, outdated)) {}
        formers?.release()
      })
  }

  /// Keeps the memory of the state, for as long as the part is shown.
  func open(_ table: ObserverTable) {
    cursor.open(table)
  }

  /// Reads the part, if a commit has touched it since the last time; under the lock.
  func pull(from table: inout ObserverTable) {
    let revision = table.revision
    _ = cursor.pull(footprint, from: &table) { load(from: $0, at: revision) }
  }

  private func load(from state: StateAddress, at revision: UInt64) {
    isPending = true
    isUnread = !canRead(state)
    if !isUnread { loading(place, state, revision) }
  }

  /// Whether to read the part: it has readers, and the read cannot trap.
  private func canRead(_ state: StateAddress) -> Bool {
    if !isAskedFor && !isWanted && !isAnnounced { return false }
    switch reading {
    case .atCommits: return true
    case .onDemand: return isAskedFor
    case .within(let list):
      let now = list.bounds(in: state)
      if isAskedFor { bounds = now }
      return isAskedFor || now.cover(bounds)
    }
  }

  /// Reads the part for a reader, under the lock.
  func read(_ table: inout ObserverTable) {
    isAskedFor = true
    if case .within(let list) = reading { list.invalidate() }
    cursor.rewind()
    pull(from: &table)
    isAskedFor = false
  }

  /// Whether the loaded value differs from the shown one; true if the newest value was not read.
  var differs: Bool { isUnread || comparing(place) }

  /// Shows the loaded value, or discards the shown one if the newest value was not read.
  func showLoaded() {
    isPending = false
    isEmpty = isUnread
    showing(place, isUnread)
    isUnread = false
  }

  /// Compares the loaded value with the shown one.
  @inlinable
  static func differ<Value: Equatable>(_ type: Value.Type, _ values: StateAddress) -> Bool {
    // Compared outside of the access, because a user's `==` may call back into this object.
    let (shown, loaded) = values.edit(Values<Value>.self) { ($0.shown, $0.loaded) }
    return loaded.map { !isSameValue(shown, $0) } ?? false
  }
}
