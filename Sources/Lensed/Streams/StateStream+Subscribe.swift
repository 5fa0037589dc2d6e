extension StateStream {
  /// Calls back with the current value now, and with every later one, synchronously.
  ///
  /// ```swift
  /// let subscription = store.states(\.counter).subscribe { counter in log(counter) }
  /// ```
  ///
  /// The first call is made before this returns, on the calling thread. The others are made by the
  /// threads that dispatch, for every commit that passes the operators, in commit order and one at a
  /// time. While another thread is delivering, a dispatch may return before its calls are made. A
  /// dispatch delivers 16 commits of other threads at most, a subscriber none: a task makes the calls
  /// that no thread comes to make.
  ///
  /// - Parameter body: Is free to dispatch, subscribe and cancel; what it dispatches is delivered after the
  ///   current commit.
  /// - Returns: The subscription, which keeps the calls coming; releasing it ends them.
  @inlinable
  public func subscribe(
    _ body: @escaping @Sendable (_ value: Element) -> Void
  ) -> StoreSubscription {
    var pipeline = Pipeline()
    switch origin {
    case .part(let host, let path, nil):
      let part = pipeline.connect(path, of: host)
      return pipeline.subscribe { revision, _ in
        if let value = part.takeValue(at: revision) { body(value) }
      }
    case .part(let host, let path, let areEquivalent?):
      // The same as its operator, in one function.
      let part = pipeline.connect(path, of: host)
      let last = UnsafeCell<Element?>(nil)
      return pipeline.subscribe { revision, handle in
        guard let value = part.takeValue(at: revision) else { return }
        if !Self.isRepeat(value, of: last, areEquivalent), handle.isOpen { body(value) }
      }
    case .operators(let connect):
      let next = connect(&pipeline)
      return pipeline.subscribe { revision, handle in
        // Checked again after the operators, which may have taken a while.
        if let element = next(revision), handle.isOpen { body(element) }
      }
    }
  }

  /// Calls back on the main actor: in order, conflated like every asynchronous reader.
  ///
  /// The newest value comes even if the store goes before the main actor makes the first call.
  /// After 16 values in a row, which a writer that never rests has ready, it lets the other jobs of the main actor run.
  ///
  /// - Parameter body: Is not called again once the subscription was cancelled on the main actor.
  /// - Returns: The subscription, which keeps the calls coming; releasing it ends them.
  public func subscribe(
    onMain body: @escaping @MainActor @Sendable (_ value: Element) -> Void
  ) -> StoreSubscription {
    let reader = makeReader()
    let task = Task { @MainActor in
      while let value = await reader.next() {
        if Task.isCancelled { return }
        body(value)
      }
    }
    return .ended { task.cancel() }
  }
}

extension Pipeline {
  /// Has `deliver` called with zero now, and with the number of each commit of interest.
  @usableFromInline
  func subscribe(
    _ deliver: @escaping @Sendable (_ revision: UInt64, _ handle: ObserverHandle) -> Void
  ) -> StoreSubscription {
    switch stores {
    case .none:
      return StoreSubscription {}
    case .one(let store):
      guard let observer = Observer.subscribe(store.captures, on: store.host, deliver) else {
        return StoreSubscription {}
      }
      observer.start()
      return StoreSubscription(observer.handle)
    case .several(let stores):
      return .across(stores, deliver)
    }
  }
}
