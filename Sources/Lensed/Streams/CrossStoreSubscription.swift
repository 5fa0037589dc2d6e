extension Wiring {
  /// Subscribes to parts of several stores at once.
  ///
  /// Each store delivers in its own order, on its own threads; what they deliver is lined up, so that
  /// the calls never overlap. Between stores there is no order to keep.
  func subscribeAcrossStores(
    _ gate: CallGate, _ deliver: @escaping @Sendable (_ revision: UInt64) -> Void
  ) -> StoreSubscription {
    var groups: [(host: any StateHost, inlets: [Inlet])] = []
    for inlet in inlets {
      if let known = groups.firstIndex(where: { $0.host === inlet.host }) {
        groups[known].inlets.append(inlet)
      } else {
        groups.append((inlet.host, [inlet]))
      }
    }
    let line = CallLine()
    var observers: [(Observer, any StateHost)] = []
    for (host, inlets) in groups {
      let observer = Self.begin(inlets, on: host, gate) { revision in
        let hands = inlets.compactMap { $0.hand(revision) }
        line.submit {
          for hand in hands { hand() }
          deliver(0)
        }
      }
      if let observer { observers.append((observer, host)) }
    }
    if !observers.isEmpty { line.submit { deliver(0) } }
    for (_, host) in observers { Self.end(on: host) }
    // By their numbers: the tables alone keep the observers, and let them go with their stores.
    let installed = observers.map { observer, host in (observer.id, host) }
    return StoreSubscription {
      line.close()
      for (id, host) in installed { Self.remove(id, gate, from: host) }
    }
  }
}

/// Runs what it is given one at a time, in order, on the thread of whoever finds it idle.
final class CallLine: Sendable {
  private struct Line: Sendable {
    var waiting = Ring<@Sendable () -> Void>()
    var isRunning = false
    var isClosed = false

    mutating func next() -> (@Sendable () -> Void)? {
      if !isClosed, let next = waiting.popFirst() { return next }
      isRunning = false
      return nil
    }
  }

  private let line = Guarded(Line())

  func submit(_ call: @escaping @Sendable () -> Void) {
    let isMine = line.withLock { line in
      line.waiting.append(call)
      if line.isRunning { return false }
      line.isRunning = true
      return true
    }
    guard isMine else { return }
    while let call = line.withLock({ $0.next() }) { call() }
  }

  /// Lets what waits go uncalled.
  func close() {
    let dropped = line.withLock { line in
      line.isClosed = true
      defer { line.waiting = Ring() }
      return line.waiting
    }
    _ = dropped
  }
}
