import Dispatch
import LensedTestSupport
import Observation

/// Returns when what is read on the main actor satisfies a condition; observation says when to look again.
@MainActor
func look(until isMet: @MainActor () -> Bool) async {
  while true {
    let changed = Gate()
    let isThere = withObservationTracking(isMet, onChange: { changed.open() })
    if isThere { return }
    try? await changed.wait()
  }
}

/// Holds a thread until another one opens it: for a main actor that is to be busy.
final class Latch: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  /// Not a wait of the task: no other code runs on its actor meanwhile.
  func hold() { semaphore.wait() }
}
