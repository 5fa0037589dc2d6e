/// Runs the calls of one subscription one at a time, in order, where the order of deliveries does not:
/// while the first call is being made, and between stores.
///
/// It begins as held by the subscriber, who makes the first call and then runs what came meanwhile. A
/// thread runs a bounded number of calls that other threads lined up; a task goes on with the rest.
final class CallQueue: Sendable {
  private struct Call: Sendable {
    let make: @Sendable () -> Void
    /// The thread that it comes from.
    let thread = ThreadIdentity.current
    let number: Int

    /// Whether the thread that asks has lined it up after the given one.
    func isOwn(after number: Int) -> Bool {
      self.number > number && thread == ThreadIdentity.current
    }
  }

  private struct Line: Sendable {
    var waiting = RingBuffer<Call>()
    /// How many have lined up so far.
    var count = 0
    var isRunning = true
    var isClosed = false
    /// Whether calls need not line up any more, once none waits.
    var isPassing = false
  }

  private let line = Locked(Line())

  /// Has a call made after those that wait: by the caller, if none is running.
  ///
  /// - Returns: Whether it lined up; not, if the line was ended: then the call is for the caller to make.
  func submit(_ call: @escaping @Sendable () -> Void) -> Bool {
    let (isLinedUp, isMine) = line.withLock { line -> (Bool, Bool) in
      if line.isPassing && !line.isRunning { return (false, false) }
      if line.isClosed { return (true, false) }
      line.count += 1
      line.waiting.append(Call(make: call, number: line.count))
      defer { line.isRunning = true }
      return (true, !line.isRunning)
    }
    if isMine { run() }
    return isLinedUp
  }

  /// Runs what waits; by whoever has the line.
  ///
  /// - Returns: Whether all of it was run; otherwise a task goes on with the rest.
  @discardableResult
  func run() -> Bool {
    let last = line.withLock(\.count)
    var count = 0
    while count < DeliveryShare.count {
      guard let call = next() else { return true }
      call.make()
      if !call.isOwn(after: last) { count += 1 }
    }
    Task.detached { self.run() }
    return false
  }

  /// Runs what waits, and lets later calls pass; by whoever has the line.
  ///
  /// - Returns: Whether all of it was run, so that no call lines up any more.
  func end() -> Bool {
    line.withLock { $0.isPassing = true }
    return run()
  }

  /// Lets what waits go uncalled.
  func close() {
    let dropped = line.withLock { line in
      line.isClosed = true
      return exchange(&line.waiting, with: RingBuffer())
    }
    _ = dropped
  }

  private func next() -> Call? {
    line.withLock { line in
      if !line.isClosed, let next = line.waiting.popFirst() { return next }
      line.isRunning = false
      return nil
    }
  }
}
