/// The order of deliveries: one thread at a time makes calls, in commit order.
///
/// A pure machine but for the baton, used under the lock of the store. A subscription that is giving
/// its first value holds deliveries up, so that nothing overtakes that value.
struct DeliveryQueue: Sendable {
  let baton = Baton()
  private var waiting = Ring<Delivery>()
  private var retired: [any Sendable] = []
  private var isDelivering = false
  private var starting = 0

  /// Whether calls of a commit have yet to begin.
  var isEmpty: Bool { waiting.isEmpty }

  /// Asks to deliver now.
  ///
  /// - Returns: Whether the caller is the deliverer; otherwise it is to `append`.
  mutating func claim() -> Bool {
    if baton.claimIfIdle() { return true }
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

  /// Ends a hold, and gives what the caller is to deliver.
  mutating func release() -> Turn {
    starting -= 1
    if isDelivering { return Turn() }
    isDelivering = true
    return next()
  }

  /// What the deliverer is to deliver next; with nothing, it is the deliverer no more.
  mutating func next() -> Turn {
    if starting > 0 {
      isDelivering = false
      return Turn()
    }
    if let delivery = waiting.popFirst() { return Turn(delivery: delivery) }
    isDelivering = false
    baton.set(.idle)
    defer { retired = [] }
    return Turn(trash: retired)
  }

  /// Keeps what a deliverer may be using until nobody delivers.
  mutating func retire(_ left: any Sendable, into aftermath: inout Aftermath) {
    switch baton.look() {
    case .idle:
      aftermath.trash.append(left)
      return
    case .busy:
      if case .idle = baton.claim(free: .idle) {
        aftermath.trash.append(left)
        return
      }
      isDelivering = true
    case .contended:
      break
    }
    retired.append(left)
  }
}

/// What a deliverer does next.
struct Turn: Sendable {
  var delivery: Delivery?
  /// What nobody uses any more, to be released without the lock.
  var trash: [any Sendable] = []
}
