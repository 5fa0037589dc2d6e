/// A task that reads a sequence to its end and notes what it gives.
///
/// ```swift
/// let reading = Recording(store.states(\.count))
/// await reading.heard.waitForCount(1)     // it has its first value: it is listening
/// ```
public final class Recording<Element: Sendable>: Sendable {
  /// What was read so far.
  public let heard: Recorder<Element>
  private let task: Task<Void, Never>

  /// Begins to read `sequence`.
  public init<S: AsyncSequence & Sendable>(_ sequence: S)
  where S.Element == Element, S.Failure == Never {
    let heard = Recorder<Element>()
    self.heard = heard
    task = Task {
      for await element in sequence { heard.append(element) }
    }
  }

  deinit {
    task.cancel()
  }

  /// Has the reading task cancelled.
  public func cancel() { task.cancel() }

  /// Returns when the sequence has ended.
  ///
  /// - Returns: All that was read.
  nonisolated(nonsending) public func waitForEnd() async -> [Element] {
    await task.value
    return heard.values
  }
}
