public import Observation

/// One property as a mirror shows it, with its type erased: the value, and the means to renew it.
///
/// The functions are closures rather than methods so that they are compiled where the type of the
/// property is known. They are given the place of what they work on and capture nothing, so that
/// calling them counts no references.
@usableFromInline
final class ObservedPart {
  /// What the mirror shows, what it is about to, and how it comes by that.
  @usableFromInline
  struct Values<Value> {
    /// Nil when it is to be read when somebody asks for it.
    @usableFromInline
    var shown: Value?
    /// What was drawn last, until it is shown.
    @usableFromInline
    var drawn: Value?
    /// What was drawn before that and never shown; not released where it is replaced, under the
    /// store's lock.
    @usableFromInline
    var outdated: [Value] = []
    @usableFromInline
    let part: PartPath<Value>

    @inlinable
    init(shown: Value, drawnBy part: PartPath<Value>) {
      self.shown = shown
      self.part = part
    }
  }

  /// When the part is read.
  @usableFromInline
  enum Reading {
    /// At each commit that touches it.
    case atCommits
    /// At those that leave in the list what was there when it was read last.
    case within(ObservedList)
    /// When somebody asks for it.
    case onDemand
  }

  /// What properties are tracked as parts of.
  @usableFromInline
  final class Subject: Observable, Sendable {
    /// What a registrar knows properties by; never called.
    subscript(part index: Int) -> Int { index }
  }

  /// Kept so that nothing else can have its identity.
  let keyPath: AnyKeyPath
  /// What the registrar knows the property by.
  let trackingPath: KeyPath<Subject, Int>
  /// Of the `Values`, which are used on the main actor alone, and live as long as this object.
  @usableFromInline
  let place: StateAddress
  private let memory: AnyObject
  private let loading: (_ values: StateAddress, _ state: StateAddress) -> Void
  private let comparing: (_ values: StateAddress) -> Bool
  private let renewing: (_ values: StateAddress, _ isUnread: Bool) -> Void
  private let reading: Reading
  private let footprint: Footprint
  private var cursor = PullCursor()
  /// What could be read when it was read last.
  private var bounds = ObservedBounds.unknown
  private var isAskedFor = false
  /// Whether a commit touched it after which it was not read.
  private var isUnread = false
  /// Whether somebody has asked for it since its readers were last told.
  var isWanted = false
  /// Whether its readers have been told of a value that is not shown yet.
  var isAnnounced = false
  /// Whether there is a value that is not shown yet.
  private(set) var isPending = false
  /// Whether there is no value to show, so that it has to be read.
  private(set) var isEmpty = false
  var subscription: StoreSubscription?

  @usableFromInline
  init(
    _ keyPath: AnyKeyPath, number: Int, _ footprint: Footprint,
    _ reading: Reading, memory: AnyObject, _ place: StateAddress,
    load: @escaping (_ values: StateAddress, _ state: StateAddress) -> Void,
    compare: @escaping (_ values: StateAddress) -> Bool,
    renew: @escaping (_ values: StateAddress, _ isUnread: Bool) -> Void
  ) {
    self.keyPath = keyPath
    self.reading = reading
    self.memory = memory
    self.place = place
    trackingPath = \.[part: number]
    loading = load
    comparing = compare
    renewing = renew
    self.footprint = footprint
  }

  /// The property that `part` reads, with a value to show.
  @inlinable
  convenience init<Value>(
    _ keyPath: AnyKeyPath, number: Int, _ reading: Reading,
    showing values: Values<Value>, compare: @escaping (_ values: StateAddress) -> Bool
  ) {
    let memory = UnsafeCell(values)
    self.init(
      keyPath, number: number, values.part.footprint, reading, memory: memory,
      memory.place,
      load: { values, state in
        values.edit(Values<Value>.self) { values in
          if let drawn = values.drawn.take() { values.outdated.append(drawn) }
          values.drawn = values.part.read(state)
        }
      },
      compare: compare,
      renew: { values, isUnread in
        // Released outside of any access: a user's `deinit` may lead back here.
        var (replaced, drawn, outdated): (Value?, Value?, [Value]) = (nil, nil, [])
        values.edit(Values<Value>.self) { values in
          drawn = values.drawn.take()
          swap(&outdated, &values.outdated)
          if isUnread || drawn != nil {
            replaced = values.shown.take()
            if !isUnread { values.shown = drawn.take() }
          }
        }
        withExtendedLifetime((replaced, drawn, outdated)) {}
      })
  }

  /// Keeps the memory of the state, for as long as the part is shown.
  func open(_ table: ObserverTable) {
    cursor.open(table)
  }

  /// Reads the part, if a commit has touched it since the last time; under the lock.
  func pull(from table: inout ObserverTable) {
    _ = cursor.pull(footprint, from: &table) { load(from: $0) }
  }

  private func load(from state: StateAddress) {
    isPending = true
    isUnread = !canRead(state)
    if !isUnread { loading(place, state) }
  }

  /// Whether the part may be read: not where nobody looks, nor where there may be nothing to look at.
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

  /// Reads the part, because somebody asks for it; under the lock.
  func read(_ table: inout ObserverTable) {
    isAskedFor = true
    if case .within(let list) = reading { list.forget() }
    cursor.rewind()
    pull(from: &table)
    isAskedFor = false
  }

  /// Whether the value that was drawn differs from the one shown, or may, because it was not read.
  var differs: Bool { isUnread || comparing(place) }

  /// Shows the value that was drawn; none, if it is to be read when somebody asks for it.
  func renew() {
    isPending = false
    isEmpty = isUnread
    renewing(place, isUnread)
    isUnread = false
  }

  /// Whether values that can be compared differ.
  @inlinable
  static func differ<Value: Equatable>(_ type: Value.Type, _ values: StateAddress) -> Bool {
    // Compared outside of any access: a user's `==` may lead back here.
    let (shown, drawn) = values.edit(Values<Value>.self) { ($0.shown, $0.drawn) }
    return drawn.map { $0 != shown } ?? false
  }
}
