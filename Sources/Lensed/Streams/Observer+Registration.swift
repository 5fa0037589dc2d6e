extension Observer {
  /// Reads the first value and registers an observer, in one critical section.
  ///
  /// - Parameters:
  ///   - captures: The parts that the observer reads.
  ///   - host: The store that the parts are of.
  ///   - queue: Where calls line up while the subscriber makes them; nil when the deliverer makes all of them.
  ///   - deliver: Makes a call.
  /// - Returns: The observer; nil when the store has gone.
  static func subscribe(
    _ captures: InlineList<PartCapture>, on host: any StateHost, queue: CallQueue? = CallQueue(),
    _ deliver: @escaping Deliver
  ) -> Observer? {
    host.withTable { table in
      guard let storage = table.memory else { return nil }
      let handle = ObserverHandle(
        id: table.makeID(), in: host, startingAt: queue == nil ? .open : .starting)
      let observer = Observer(handle, captures, queue, deliver)
      captures.forEach { $0.readFirst(storage.place, at: table.revision) }
      table.add(observer)
      return observer
    }
  }
}

extension StateHost {
  @usableFromInline
  func removeObserver(_ id: UInt64) {
    var afterCommit = AfterCommit()
    withTable { $0.remove(id, into: &afterCommit) }
  }
}
