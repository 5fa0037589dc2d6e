extension Wiring {
  /// Subscribes to parts of several stores at once.
  ///
  /// Each store delivers in its own order, on its own threads; what they deliver is lined up, so that
  /// the calls never overlap. Between stores there is no order to keep.
  func subscribeAcrossStores(
    _ gate: CancellationFlag, _ deliver: @escaping @Sendable (_ revision: UInt64) -> Void
  ) -> StoreSubscription {
    var groups: [(host: any StateHost, inlets: [Inlet])] = []
    for inlet in inlets {
      if let known = groups.firstIndex(where: { $0.host === inlet.host }) {
        groups[known].inlets.append(inlet)
      } else {
        groups.append((inlet.host, [inlet]))
      }
    }
    let line = CallQueue()
    // The line keeps the calls apart, from the first on.
    gate.open()
    var observers: [(Observer, any StateHost)] = []
    for (host, inlets) in groups {
      let observer = Self.begin(inlets, on: host, gate) { revision in
        let hands = inlets.compactMap { $0.hand(revision) }
        _ = line.submit {
          for hand in hands { hand() }
          if gate.isOpen { deliver(0) }
        }
      }
      if let observer { observers.append((observer, host)) }
    }
    if !observers.isEmpty { deliver(0) }
    line.run()
    // By their numbers: the tables alone keep the observers, and release them with their stores.
    let installed = observers.map { observer, host in (observer.id, host) }
    return StoreSubscription {
      line.close()
      for (id, host) in installed { Self.remove(id, gate, from: host) }
    }
  }
}
