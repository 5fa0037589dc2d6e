// An effect that is tried again: a loop around the code of the run, within the run. So the attempts are one job for the
// policy, and what ends the run ends its waits.

extension Effect {
  /// This effect, tried again when it throws.
  ///
  /// - Parameters:
  ///   - attempts: The number of attempts in all, at least 1.
  ///   - delay: The wait before the second attempt.
  ///   - factor: Each further wait is multiplied by it; 2 doubles it. Waits stop growing at 100 years.
  ///   - clock: The clock to wait by.
  /// - Returns: The effect, which throws the error of its last attempt; also where the clock throws one.
  public func retried<C: Clock>(
    attempts: Int, after delay: Duration, factor: Int = 2, clock: C = ContinuousClock()
  ) -> Effect where C.Duration == Duration {
    if attempts < 1 {
      fatalError("Lensed: the effect \(name) has to be tried at least once, not \(attempts) times.")
    }
    return wrapped { work, attempt in
      var wait = waitable(delay)
      // A clock whose sleeps are over at once does not suspend.
      var turn = JobTurn()
      for _ in 1..<attempts {
        do {
          return try await attempt(work)
        } catch {
          if Task.isCancelled { throw error }
          if turn.isOver(on: nil) { await Task.yield() }
          // Without a wait there is no further attempt: this error is the last one.
          guard (try? await clock.sleep(for: wait)) != nil else { throw error }
        }
        wait = wait.lengthened(by: factor)
      }
      try await attempt(work)
    }
  }
}

extension Duration {
  /// This duration times `factor`, or 100 years where that is longer.
  fileprivate func lengthened(by factor: Int) -> Duration {
    let limit = Duration.seconds(100 * 365 * 86_400)
    let times = Int(clamping: Swift.max(1, factor.magnitude))
    // Dividing never overflows.
    if self > limit / times { return factor > 0 ? Swift.max(self, limit) : .zero }
    if self < .zero - limit / times { return .zero }
    return self * factor
  }
}
