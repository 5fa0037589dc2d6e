/// The order of deliveries: one thread at a time makes calls, in commit order.
///
/// A pure machine but for the baton, used under the lock of the store. A subscription that is giving
/// its first value holds deliveries up, so that nothing overtakes that value.
struct DeliveryQueue: Sendable {
  let baton = Baton()
  private var waiting = Ring<Delivery>()
  private var isDelivering = false
  private var starting = 0

  /// Whether calls of a commit have yet to begin.
  var isEmpty: Bool { waiting.isEmpty }

  /// Asks to deliver now.
  ///
  /// - Returns: Whether the caller is the deliverer; otherwise it is to `append`.
  mutating func claim() -> Bool {
    switch baton.claim() {
    case .idle:
      return true
    case .busy:
      isDelivering = true
      return false
    case .contended:
      return false
    }
  }

  mutating func append(_ delivery: Delivery) {
    waiting.append(delivery)
  }

  /// Holds deliveries up while a new subscription gives its first value.
  mutating func hold() {
    starting += 1
    switch baton.claim(free: .contended) {
    case .idle: isDelivering = false
    case .busy: isDelivering = true
    case .contended: break
    }
  }

  /// Ends a hold.
  ///
  /// - Returns: What the caller is to deliver.
  mutating func release() -> Delivery? {
    starting -= 1
    if isDelivering { return nil }
    isDelivering = true
    return next()
  }

  /// What the deliverer is to deliver next; with nothing, it is the deliverer no more.
  mutating func next() -> Delivery? {
    if starting > 0 {
      isDelivering = false
      return nil
    }
    guard let delivery = waiting.popFirst() else {
      isDelivering = false
      baton.set(.idle)
      return nil
    }
    return delivery
  }
}
