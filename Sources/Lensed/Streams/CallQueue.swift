/// Runs the calls of one subscription one at a time, in order, where the order of deliveries does not do that: while
/// the first call is being made, and between stores.
///
/// The subscriber holds the queue at first, makes the first call, and runs those that came meanwhile. From then on, the
/// thread that submits a call to an idle queue holds it and runs it empty. A thread runs a bounded number of calls of
/// others; a task runs the rest. Calls run without the lock. A store counts the calls that wait here: they are yet to be
/// delivered.
final class CallQueue: Sendable {
  private struct Call: Sendable {
    let make: @Sendable () -> Void
    let thread = ThreadIdentity.current
    let number: Int
    let store: any StateHost
    /// Whether it waits for a call that runs, so that the store counts it.
    let isLeft: Bool

    func end() {
      if isLeft { store.noteCallMade() }
    }

    func isOwn(after number: Int) -> Bool {
      self.number > number && thread == ThreadIdentity.current
    }
  }

  private struct State: Sendable {
    var waiting = RingBuffer<Call>()
    var count = 0
    var isRunning = true
    var isClosed = false
    /// Whether the queue refuses calls, once none waits.
    var isPassing = false
  }

  private let state = Locked(State())

  /// Makes a call after the waiting ones: on this thread if none is running, else on the thread that runs them.
  ///
  /// The caller delivers the commit of `store` that the call is for.
  ///
  /// - Returns: Whether the queue took the call. A queue that has ended takes none: the caller then makes it.
  func submit(_ call: @escaping @Sendable () -> Void, of store: any StateHost) -> Bool {
    let (isLinedUp, isMine) = state.withLock { state -> (Bool, Bool) in
      if state.isPassing && !state.isRunning { return (false, false) }
      if state.isClosed { return (true, false) }
      state.count += 1
      let isLeft = state.isRunning
      if isLeft { store.noteCallLeft() }
      state.waiting.append(Call(make: call, number: state.count, store: store, isLeft: isLeft))
      state.isRunning = true
      return (true, !isLeft)
    }
    if isMine { run() }
    return isLinedUp
  }

  /// Runs the waiting calls, by the thread that holds the queue; returns whether it ran all, and no task runs the rest.
  @discardableResult
  func run() -> Bool {
    let last = state.withLock(\.count)
    var count = 0
    while count < Baton.share {
      guard let call = next() else { return true }
      call.make()
      call.end()
      if !call.isOwn(after: last) { count += 1 }
    }
    let executor = state.withLock { $0.waiting.first?.store.taskExecutor }
    Task.startDetached(on: executor) { _ = self.run() }
    return false
  }

  /// Runs the waiting calls, then refuses later ones, by the thread that holds the queue; returns whether none is left.
  func drain() -> Bool {
    state.withLock { $0.isPassing = true }
    return run()
  }

  /// Drops the waiting calls, and those of the future.
  func close() {
    var dropped = state.withLock { state in
      state.isClosed = true
      return exchange(&state.waiting, with: RingBuffer())
    }
    while let call = dropped.popFirst() { call.end() }
  }

  private func next() -> Call? {
    state.withLock { state in
      if !state.isClosed, let next = state.waiting.popFirst() { return next }
      state.isRunning = false
      return nil
    }
  }
}
