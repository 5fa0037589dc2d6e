internal import Lensed

/// Returns when a time is over in which this process had its turns.
///
/// It sleeps in slices, so a machine that stands still for minutes costs one slice, and not all of the patience.
///
/// - Parameters:
///   - patience: How long it waits, in all; more than a century counts as a century.
///   - clock: Measures each slice.
/// - Throws: `CancellationError` if the task is cancelled.
func runOut<C: Clock>(_ patience: Duration, on clock: C = ContinuousClock()) async throws
where C.Duration == Duration {
  let slices = 20
  for _ in 0..<slices { try await clock.sleep(for: waitable(patience) / slices) }
}
