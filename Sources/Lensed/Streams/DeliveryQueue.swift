/// The order of deliveries: one thread at a time makes calls, in commit order.
///
/// A pure machine but for the baton, used under the lock of the store. It is *idle*, with a free baton; or
/// one thread *delivers*; or it is *left*: the last deliverer has done its share, and the next commit, or a
/// task that was started for it, takes up what waits.
///
/// Something waits only while the baton is contended; `isDelivering` counts only then.
struct DeliveryQueue: Sendable {
  let baton = Baton()
  private var waiting = RingBuffer<Delivery>()
  private var deferred: [any Sendable] = []
  private var isDelivering = false
  /// Whether a task is on its way to take up what waits.
  private var isTaskStarted = false
  /// Whether a deliverer was told that too many wait.
  private var isKnownOverdue = false

  /// Beyond it the store warns, once.
  static let overdueCount = 100_000

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

  /// Queues a delivery behind those that wait.
  ///
  /// - Returns: The oldest of them, for the caller to deliver now, if no thread does.
  mutating func append(_ delivery: Delivery) -> Delivery? {
    waiting.append(delivery)
    return takeUp().delivery
  }

  /// Makes the caller the deliverer, if something waits and no thread delivers.
  mutating func takeUp(asCalled: Bool = false) -> DeliveryStep {
    if asCalled { isTaskStarted = false }
    if isDelivering || waiting.isEmpty { return DeliveryStep() }
    isDelivering = true
    return next()
  }

  /// What the deliverer is to deliver next; with nothing, it is the deliverer no more.
  mutating func next() -> DeliveryStep {
    if let delivery = waiting.popFirst() {
      return DeliveryStep(delivery: delivery, isOverdue: becomesOverdue())
    }
    isDelivering = false
    baton.set(.idle)
    defer { deferred = [] }
    return DeliveryStep(trash: deferred)
  }

  /// Ends the turn of a deliverer that has done its share.
  ///
  /// - Returns: A turn that says whether the caller is to call a task, to take up what waits.
  mutating func endTurn() -> DeliveryStep {
    if waiting.isEmpty { return next() }
    isDelivering = false
    defer { isTaskStarted = true }
    return DeliveryStep(startsTask: !isTaskStarted)
  }

  /// Whether more wait than ever before ought to.
  private mutating func becomesOverdue() -> Bool {
    if isKnownOverdue || waiting.count < Self.overdueCount { return false }
    isKnownOverdue = true
    return true
  }

  /// Keeps what a deliverer might be using until there is no deliverer.
  mutating func deferRelease(_ left: any Sendable, into afterCommit: inout AfterCommit) {
    switch baton.loadPhase() {
    case .idle:
      afterCommit.trash.append(left)
      return
    case .busy:
      if case .idle = baton.claim(free: .idle) {
        afterCommit.trash.append(left)
        return
      }
      isDelivering = true
    case .contended:
      break
    }
    deferred.append(left)
  }
}

/// What a deliverer does next.
struct DeliveryStep: Sendable {
  var delivery: Delivery?
  /// What is not in use any more, to be released without the lock.
  var trash: [any Sendable] = []
  /// Whether a task is to take up what waits.
  var startsTask = false
  /// Whether the store is to warn that too many commits wait.
  var isOverdue = false
}
