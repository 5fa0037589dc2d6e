internal import Synchronization

/// A subscription's side in the store: what to capture for it, and what to call.
///
/// Its calls never overlap, and they come in commit order:
/// 1. *Starting.* The subscriber makes the first call, and those that line up in `starting` meanwhile.
/// 2. *Open.* Once no call waits, the deliverer makes them.
/// 3. *Closed.* No call begins.
final class Observer: Sendable {
  /// Has the operators look for a value of the given commit; zero for one that was staged.
  typealias Deliver = @Sendable (_ revision: UInt64, _ handle: ObserverHandle) -> Void

  let handle: ObserverHandle
  let captures: InlineList<PartCapture>
  private let deliver: Deliver
  /// The calls that line up while the subscriber makes them; nil once the deliverer makes them.
  private let starting: Locked<CallQueue?>

  init(
    _ handle: ObserverHandle, _ captures: InlineList<PartCapture>, _ queue: CallQueue?,
    _ deliver: @escaping Deliver
  ) {
    self.handle = handle
    self.captures = captures
    self.deliver = deliver
    starting = Locked(queue)
  }

  var id: UInt64 { handle.id }

  /// Makes the first call, and those that line up meanwhile; by the subscriber.
  func start() {
    makeFirstCall()
    finishStarting()
  }

  func makeFirstCall() {
    if handle.isOpen { deliver(0, handle) }
  }

  /// Makes the calls that have lined up, and lets the deliverer make the later ones.
  func finishStarting() {
    guard let queue = starting.withLock({ $0 }) else { return }
    if queue.drain() { open() }
  }

  /// Calls back, by the deliverer; false if the subscription was cancelled, and the captured values were not taken.
  func notify(_ revision: UInt64) -> Bool {
    switch handle.phase {
    case .closed: return false
    case .open: deliver(revision, handle)
    case .starting: enqueue(revision)
    }
    return true
  }

  private func enqueue(_ revision: UInt64) {
    let call = Self.stagedCall(revision, captures, handle, deliver)
    if let queue = starting.withLock({ $0 }), queue.submit(call, of: handle.host) { return }
    // The subscriber has made its last call.
    call()
    open()
  }

  /// The call for a commit, which is made later: its values are set aside now.
  static func stagedCall(
    _ revision: UInt64, _ captures: InlineList<PartCapture>, _ handle: ObserverHandle,
    _ deliver: @escaping Deliver
  ) -> @Sendable () -> Void {
    let stages = captures.all.compactMap { $0.slot.stage(revision) }
    return {
      for stage in stages { stage() }
      if handle.isOpen { deliver(0, handle) }
    }
  }

  private func open() {
    handle.open()
    _ = starting.withLock { $0.take() }
  }
}

// MARK: Registration

extension Observer {
  /// Reads the first value and registers an observer, in one critical section; nil when the store has gone.
  ///
  /// Calls line up in `queue` while the subscriber makes them; with none, the deliverer makes all of them.
  static func subscribe(
    _ captures: InlineList<PartCapture>, on host: any StateHost, queue: CallQueue? = CallQueue(),
    _ deliver: @escaping Deliver
  ) -> Observer? {
    host.withTable { table in
      guard let storage = table.memory else { return nil }
      let handle = ObserverHandle(
        id: table.makeID(), in: host, startingAt: queue == nil ? .open : .starting)
      let observer = Observer(handle, captures, queue, deliver)
      captures.forEach { $0.readFirst(storage.place, at: table.revision) }
      table.add(observer)
      return observer
    }
  }
}

// MARK: The registration of one

/// The registered observer, as its subscription holds it: by number, so that the store alone keeps it and releases it,
/// with what its closure holds.
///
/// `phase` decides whether a call may begin.
/// 1. *Writers.* `open` replaces `starting` by one compare-and-exchange, so it never reopens a closed handle.
///    `cancel` stores `closed`, the last phase, with release ordering.
/// 2. *Readers.* The thread that is about to make a call loads the phase with acquire ordering.
/// 3. *A stale `starting`* sends a call through the queue of the observer, which refuses it once it has ended:
///    the caller makes that call itself.
/// 4. *A stale `open`* lets one call begin that was decided on before `cancel` returned, as
///    `StoreSubscription` documents.
@usableFromInline
final class ObserverHandle: Sendable {
  enum Phase: UInt64 {
    case starting
    case open
    case closed
  }

  let host: any StateHost
  /// The number of the observer, and its phase in the two lowest bits: one word, because there are many handles.
  private let word: Atomic<UInt64>

  init(id: UInt64, in host: any StateHost, startingAt phase: Phase) {
    self.host = host
    word = Atomic(id << 2 | phase.rawValue)
  }

  /// Grows with each subscription to a store; observers are called in this order.
  var id: UInt64 { word.load(ordering: .relaxed) >> 2 }

  @usableFromInline
  var isOpen: Bool { phase != .closed }

  var phase: Phase { Phase(rawValue: word.load(ordering: .acquiring) & 3) ?? .closed }

  /// Lets the deliverer make the calls, unless the subscription was cancelled.
  func open() {
    let number = id << 2
    _ = word.compareExchange(
      expected: number | Phase.starting.rawValue, desired: number | Phase.open.rawValue,
      ordering: .acquiringAndReleasing)
  }

  /// Lets no call begin, and unregisters the observer.
  func cancel() {
    close()
    var work = AfterCommit()
    host.withTable { $0.remove(id, into: &work) }
  }

  /// Lets no call begin.
  func close() {
    word.store(id << 2 | Phase.closed.rawValue, ordering: .releasing)
  }
}
