internal import Synchronization

extension Work {
  /// Stops it and all that it started, unless it has ended.
  @usableFromInline
  func cancel() {
    StopRound.run(self, .cancelled)
  }

  /// Stops it because it gives way to something else, which is no cancellation for whoever waits.
  func drop() {
    StopRound.run(self, .dropped)
  }

  /// Cancels it, for whoever is told of a cancellation by a cancel that may be in progress on this
  /// thread: that one then sees to it, instead of one inside of the other.
  func cancelInTurn() {
    if StopRound.current?.add(self) != true { cancel() }
  }

  /// Stops it because the store has gone: those who wait need not any more.
  func abandon() {
    StopRound.run(self, .abandoned)
  }

  /// Stops this one alone, and gives what it started.
  fileprivate func stop(_ reason: StopRound.Reason) -> [Work] {
    switch reason {
    case .cancelled, .dropped:
      let (children, task) = desk.withLock { desk in
        let children = reason == .dropped ? desk.machine.drop() : desk.machine.cancel()
        hasStopped.store(desk.machine.isCancelled, ordering: .releasing)
        return (children, desk.task)
      }
      guard let children else { return [] }
      halt(task)
      return children
    case .abandoned:
      let (waiters, task, registration) = desk.withLock { desk in
        hasStopped.store(true, ordering: .releasing)
        return (desk.machine.abandon(), desk.task, desk.registration.take())
      }
      _ = registration
      halt(task)
      for waiter in waiters { waiter.resume(returning: .over(.success)) }
      return offspring
    }
  }

  /// Stops what runs, or takes it out of the line that it waits in.
  private func halt(_ task: Running?) {
    if let task { task.cancel() } else { line?.withdraw(self) }
  }
}

/// The works that one call has yet to stop, one after another.
///
/// Not one inside of the other: a tree may be very deep, and so may be a row of works of which each
/// waits for the next; the cancellation of a task runs the handlers of its waits at once.
private final class StopRound: Sendable {
  enum Reason: Sendable {
    case cancelled
    case dropped
    case abandoned

    /// Why what such a work started is stopped.
    var below: Reason { self == .dropped ? .cancelled : self }
  }

  private struct Queue: Sendable {
    var works: [(work: Work, reason: Reason)]
    var isOver = false
  }

  /// The round in progress here, or one that a task was started in.
  @TaskLocal static var current: StopRound?

  private let queue: Guarded<Queue>
  private let thread = ThreadIdentity.current

  private init(_ work: Work, _ reason: Reason) {
    queue = Guarded(Queue(works: [(work, reason)]))
  }

  static func run(_ work: Work, _ reason: Reason) {
    let round = StopRound(work, reason)
    $current.withValue(round) {
      while let (work, reason) = round.next() {
        let children = work.stop(reason)
        round.queue.withLock { $0.works += children.reversed().map { ($0, reason.below) } }
      }
    }
  }

  /// Has a work cancelled in this round; not, if the round is over, or another thread's.
  func add(_ work: Work) -> Bool {
    guard thread == ThreadIdentity.current else { return false }
    return queue.withLock { queue in
      if !queue.isOver { queue.works.append((work, .cancelled)) }
      return !queue.isOver
    }
  }

  private func next() -> (work: Work, reason: Reason)? {
    queue.withLock { queue in
      if queue.works.isEmpty { queue.isOver = true }
      return queue.works.popLast()
    }
  }
}
