extension StoreSubscription {
  /// Subscribes to parts of several stores: one observer for each store, and one queue for all their calls.
  ///
  /// Each store delivers in its own order, on its own threads. The queue keeps the calls from overlapping; between
  /// stores there is no order to keep. The subscriber holds the queue until it has made the first call.
  static func across(
    _ stores: [Pipeline.StoreCaptures], _ deliver: @escaping Observer.Deliver
  ) -> StoreSubscription {
    let queue = CallQueue()
    let handles = stores.compactMap { store in
      let captures = store.captures
      // The queue keeps the calls apart from the first on, so the observer has none of its own.
      let observer = Observer.subscribe(captures, on: store.host, queue: nil) { revision, handle in
        let call = Observer.stagedCall(revision, captures, handle, deliver)
        _ = queue.submit(call, of: store.host)
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
