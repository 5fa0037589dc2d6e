/// A subscription's side in the store: what to capture for it, and what to call.
///
/// Its calls never overlap, and they come in commit order:
/// 1. *Starting.* The subscriber makes the first call. What the deliverer has for the observer lines up in
///    `starting`, and the subscriber makes those calls, too.
/// 2. *Open.* Once no call waits, the deliverer makes them.
/// 3. *Closed.* No call begins.
///
/// Its mutable state is the phase of the handle, which is atomic, and the queue, which has a lock.
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

  /// Calls back, unless the subscription was cancelled; by the deliverer.
  ///
  /// - Returns: Whether the captured values were taken.
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
    if let queue = starting.withLock({ $0 }), queue.submit(call, of: handle.registry) { return }
    // The subscriber has made its last call.
    call()
    open()
  }

  /// The call for a commit, which is made later: its values are set aside now.
  static func stagedCall(
    _ revision: UInt64, _ captures: InlineList<PartCapture>, _ handle: ObserverHandle,
    _ deliver: @escaping Deliver
  ) -> @Sendable () -> Void {
    let stages = captures.all.compactMap { $0.stage(revision) }
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
