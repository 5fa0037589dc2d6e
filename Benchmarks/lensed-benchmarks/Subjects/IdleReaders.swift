import Lensed

/// Asynchronous readers that have nothing to do while the counter of a store changes.
///
/// Half of them wait for parts that do not change. The other half hold an iterator of the very part
/// that changes and do not ask it for anything, as a reader that is busy elsewhere.
final class IdleReaders: Sendable {
  private let waiting: [Task<Void, Never>]
  private let busy: [Task<Void, Never>]

  /// Comes back when all of them are where they will stay.
  init(_ count: Int, of store: Store<CrowdedApp>) async {
    let arrived = Tally()
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
        // Longer than any run; cancelled when it is over.
        try? await Task.sleep(for: .seconds(86_400))
        swallow(await reader.next()?.value ?? 0)
      }
    }
    while arrived.value < count { await Task.yield() }
    // Those that wait say so just before they do.
    try? await Task.sleep(for: .milliseconds(50))
  }

  /// Sends them away and waits until they have left.
  func leave() async {
    for task in waiting + busy { task.cancel() }
    for task in waiting + busy { await task.value }
  }
}
