internal import Lensed

/// The schedulers that have to rest together before a clock is moved on.
///
/// They are those on which tasks have slept on the clock, and those that tasks on these have set to work.
struct SchedulerCircle: Sendable {
  /// The schedulers on which tasks have slept on the clock.
  let slept: @Sendable () -> [TestScheduler]
  /// The schedulers of the running test.
  let ofTest: [TestScheduler]
  /// Those that are not waited for.
  let restless: [TestScheduler]

  /// Returns when all of the circle rest, or when the task is cancelled.
  ///
  /// - Parameter waitsForTest: Whether to wait for the other schedulers of the test too, for one on which a task is about
  ///   to sleep on the clock for the first time. Those of its other cases are among them: each is waited for at most
  ///   twice.
  /// - Returns: The schedulers that were not at rest when the task was cancelled.
  @concurrent func rest(waitsForTest: Bool) async -> [TestScheduler] {
    let others = waitsForTest ? ofTest.filter { !restless.has($0) } : []
    var seen: [ObjectIdentifier: UInt64]?
    var looks = 0
    while true {
      looks += 1
      let circle = members.filter { !restless.has($0) }
      let busy = looks <= 2 ? others.filter { !$0.isResting } : []
      for scheduler in busy + circle where !scheduler.isResting { await scheduler.waitUntilIdle() }
      // Without a new job since the last look, none of them has run while it waited for another one.
      let counts = circle.reduce(into: [:]) { $0[ObjectIdentifier($1)] = $1.jobCount }
      if Task.isCancelled {
        return busy.filter { !$0.isResting }
          + circle.filter { !$0.isResting || $0.jobCount != seen?[ObjectIdentifier($0)] }
      }
      if counts == seen { return [] }
      // What a job has sent to the main actor may send jobs back.
      await MainActor.run {}
      seen = counts
    }
  }

  private var members: [TestScheduler] {
    var members = slept()
    var others = ofTest.filter { !members.has($0) }
    var index = 0
    while index < members.count {
      let member = members[index]
      members += others.filter { $0.wasSetToWork(by: member) }
      others.removeAll { $0.wasSetToWork(by: member) }
      index += 1
    }
    return members
  }
}

extension [TestScheduler] {
  fileprivate func has(_ scheduler: TestScheduler) -> Bool { contains { $0 === scheduler } }
}
