import Lensed

/// Asynchronous readers that are not woken while the counter of a store changes.
///
/// Half of them wait for parts that do not change. The other half hold an iterator of the counter
/// and do not read from it, like a busy reader.
final class IdleReaders: Sendable {
  private let waiting: [Task<Void, Never>]
  private let busy: [Task<Void, Never>]

  /// Creates the readers, and returns when all of them are idle.
  init(_ count: Int, of store: Store<CrowdedApp>) async {
    let arrived = AtomicCounter()
    let parts = CrowdedApp.quietParts
    waiting = (0..<(count + 1) / 2).map { index in
      let states = store.states(parts[index % parts.count])
      return Task { @concurrent in
        for await value in states {
          swallow(value)
          arrived.add(1)
        }
      }
    }
    busy = (0..<count / 2).map { _ in
      let states = store.states(\.counter)
      return Task { @concurrent in
        var reader = states.makeAsyncIterator()
        swallow(await reader.next()?.value ?? 0)
        arrived.add(1)
        // Longer than any run; cancelled at its end.
        try? await Task.sleep(for: .seconds(86_400))
        swallow(await reader.next()?.value ?? 0)
      }
    }
    while arrived.value < count { await Task.yield() }
    // A waiting reader counts itself just before it waits.
    try? await Task.sleep(for: .milliseconds(50))
  }

  /// Cancels the readers and waits for their ends.
  func cancel() async {
    for task in waiting + busy { task.cancel() }
    for task in waiting + busy { await task.value }
  }
}
