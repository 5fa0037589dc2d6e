/// A subscription to parts of several stores: one observer for each store, and one queue for all their calls.
///
/// Each store delivers in its own order, on its own threads. The queue keeps the calls from overlapping; between
/// stores there is no order to keep. The subscriber holds the queue until it has made the first call.
enum CrossStoreSubscription {
  /// Reads the first values, calls back with them, and with what the stores commit from then on.
  static func subscribe(
    _ stores: [Pipeline.StoreCaptures], _ deliver: @escaping Observer.Deliver
  ) -> StoreSubscription {
    let queue = CallQueue()
    let handles = stores.compactMap { store in
      let captures = store.captures
      // The queue keeps the calls apart from the first on, so the observer has none of its own.
      let observer = Observer.subscribe(captures, on: store.host, queue: nil) { revision, handle in
        let stages = captures.all.compactMap { $0.stage(revision) }
        _ = queue.submit {
          for stage in stages { stage() }
          if handle.isOpen { deliver(0, handle) }
        }
      }
      return observer?.handle
    }
    if let first = handles.first { deliver(0, first) }
    queue.run()
    return .ended {
      for handle in handles { handle.close() }
      queue.close()
      for handle in handles { handle.cancel() }
    }
  }
}
