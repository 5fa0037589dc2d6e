internal import Observation

/// One property as a mirror shows it, with its type erased: the value, and the means to renew it.
@MainActor
class ObservedPart<State: Sendable> {
  /// Kept so that nothing else can have its identity.
  let keyPath: AnyKeyPath
  /// What the registrar knows the property by.
  let trackingPath: KeyPath<ObservedStore<State>, Int>
  /// Whether its readers have been told of a value that is not shown yet.
  var isAnnounced = false
  private let subscription: StoreSubscription

  init(
    _ keyPath: AnyKeyPath, _ trackingPath: KeyPath<ObservedStore<State>, Int>,
    _ subscription: StoreSubscription
  ) {
    self.keyPath = keyPath
    self.trackingPath = trackingPath
    self.subscription = subscription
  }

  /// Reads the value if a commit has touched it since the last time; under the store's lock.
  ///
  /// - Returns: Whether there is a value that is not shown yet.
  func draw(_ table: inout ObserverTable) -> Bool { false }

  /// Whether the value that was drawn differs from the one shown; drops it if not.
  func differs() -> Bool { false }

  /// Shows the value that was drawn.
  func renew() {}
}

/// A property whose type is known.
final class ObservedValue<State: Sendable, Value: Sendable>: ObservedPart<State> {
  private let tap: TypedTap<Value>
  private let areEqual: (@Sendable (Value, Value) -> Bool)?
  /// The value drawn last, until it is shown.
  private var drawn: Value?
  private(set) var value: Value

  /// A property of `view`.
  ///
  /// `areEqual` compares values; it is nil where they cannot be compared, and each is news. `ring` is
  /// called, on any thread, for every commit that may have touched the property.
  init(
    _ keyPath: AnyKeyPath, _ trackingPath: KeyPath<ObservedStore<State>, Int>,
    _ view: StoreView<State>, _ part: PartReader<Value>,
    _ areEqual: (@Sendable (Value, Value) -> Bool)?, ring: @escaping @Sendable () -> Void
  ) {
    let source = Source(view.core, view.part.appending(part))
    let tap = TypedTap(source)
    self.tap = tap
    self.areEqual = areEqual
    // It is listened to before it is read: what is committed in between rings, and is found stale.
    let subscription = source.listen(ring)
    value = PartReader.lent(tap.takeFirst(from: view))
    super.init(keyPath, trackingPath, subscription)
  }

  override func draw(_ table: inout ObserverTable) -> Bool {
    if case .fresh = tap.draw(&table) { drawn = tap.take() }
    return drawn != nil
  }

  override func differs() -> Bool {
    guard let drawn else { return false }
    guard let areEqual, areEqual(value, drawn) else { return true }
    self.drawn = nil
    return false
  }

  override func renew() {
    if let drawn = drawn.take() { value = drawn }
  }
}

extension Source {
  /// Calls back for each commit that touches the part, and captures nothing.
  fileprivate func listen(_ ring: @escaping @Sendable () -> Void) -> StoreSubscription {
    let mute = Outlet(
      footprint: outlet.footprint, capture: { _, _, _ in }, queue: { _, _ in }, promote: { _ in },
      release: {})
    var wiring = Wiring(.push)
    wiring.add(Inlet(host: host, outlet: mute, prime: { _ in }, hand: { _ in nil }))
    return wiring.subscribe(CallGate()) { revision in
      if revision != 0 { ring() }
    }
  }
}

extension TypedTap {
  /// The value as it is; after the store has gone, the last there was.
  @MainActor
  fileprivate func takeFirst<State>(from view: StoreView<State>) -> Value? {
    view.core.withTable { table in
      attach(to: table)
      _ = draw(&table)
    }
    if let value = take() { return value }
    view.core.withState { load(from: $0) }
    return take()
  }
}
