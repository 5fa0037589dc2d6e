/// Runs the calls of one subscription one at a time, in order, where the order of deliveries does not do
/// that: while the first call is being made, and between stores.
///
/// The cycle: the subscriber holds the queue at first, makes the first call, and runs the calls that came
/// meanwhile. From then on, the thread that submits a call to an idle queue holds it and runs it empty. A
/// thread runs a bounded number of calls that other threads submitted; a task runs the rest. The state is one
/// `State`, which the lock guards; calls run without the lock.
final class CallQueue: Sendable {
  private struct Call: Sendable {
    let make: @Sendable () -> Void
    /// The thread that submitted it.
    let thread = ThreadIdentity.current
    let number: Int

    /// Whether the calling thread has submitted it after the call with the given number.
    func isOwn(after number: Int) -> Bool {
      self.number > number && thread == ThreadIdentity.current
    }
  }

  private struct State: Sendable {
    var waiting = RingBuffer<Call>()
    /// The number of calls that were submitted so far.
    var count = 0
    var isRunning = true
    var isClosed = false
    /// Whether the queue refuses calls, once none waits.
    var isPassing = false
  }

  private let state = Locked(State())

  /// Makes a call after the waiting ones: on this thread if none is running, else on the thread that runs them.
  ///
  /// - Returns: Whether the queue took the call. A queue that has ended takes none: the caller then makes it.
  func submit(_ call: @escaping @Sendable () -> Void) -> Bool {
    let (isLinedUp, isMine) = state.withLock { state -> (Bool, Bool) in
      if state.isPassing && !state.isRunning { return (false, false) }
      if state.isClosed { return (true, false) }
      state.count += 1
      state.waiting.append(Call(make: call, number: state.count))
      defer { state.isRunning = true }
      return (true, !state.isRunning)
    }
    if isMine { run() }
    return isLinedUp
  }

  /// Runs the waiting calls; by the thread that holds the queue.
  ///
  /// - Returns: Whether all of them were run; otherwise a task runs the rest.
  @discardableResult
  func run() -> Bool {
    let last = state.withLock(\.count)
    var count = 0
    while count < Baton.share {
      guard let call = next() else { return true }
      call.make()
      if !call.isOwn(after: last) { count += 1 }
    }
    Task.detached { self.run() }
    return false
  }

  /// Runs the waiting calls, then refuses later ones; by the thread that holds the queue.
  ///
  /// - Returns: Whether all of them were run, so that the queue takes no more.
  func drain() -> Bool {
    state.withLock { $0.isPassing = true }
    return run()
  }

  /// Drops the waiting calls, and those of the future.
  func close() {
    let dropped = state.withLock { state in
      state.isClosed = true
      return exchange(&state.waiting, with: RingBuffer())
    }
    _ = dropped
  }

  private func next() -> Call? {
    state.withLock { state in
      if !state.isClosed, let next = state.waiting.popFirst() { return next }
      state.isRunning = false
      return nil
    }
  }
}
