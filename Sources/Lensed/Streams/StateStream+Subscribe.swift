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
  /// that nobody else comes to make.
  ///
  /// - Parameter body: May dispatch, subscribe and cancel; what it dispatches is heard after the
  ///   current commit.
  /// - Returns: What keeps the calls coming; releasing it ends them.
  @inlinable
  public func subscribe(
    _ body: @escaping @Sendable (_ value: Element) -> Void
  ) -> StoreSubscription {
    if let source { return source.subscribe(body) }
    var wiring = Wiring(.push)
    // Confined by the order of deliveries: one thread at a time calls an observer.
    let stage = UncheckedSendable(make(&wiring))
    let gate = CancellationFlag()
    return wiring.subscribe(gate) { revision in
      // Asked again after the operators, which may have taken their time.
      if let element = stage.value(revision), gate.isOpen { body(element) }
    }
  }

  /// Calls back on the main actor: in order, conflated like every asynchronous reader.
  ///
  /// - Parameter body: Is not called again once the subscription was cancelled on the main actor.
  /// - Returns: What keeps the calls coming; releasing it ends them.
  public func subscribe(
    onMain body: @escaping @MainActor @Sendable (_ value: Element) -> Void
  ) -> StoreSubscription {
    let task = Task { @MainActor in
      for await value in self {
        if Task.isCancelled { return }
        body(value)
      }
    }
    return StoreSubscription { task.cancel() }
  }
}

extension Source {
  /// Subscribes without the stages that operators need.
  @inlinable
  func subscribe(_ body: @escaping @Sendable (_ value: Value) -> Void) -> StoreSubscription {
    let (mail, read) = (mail, read)
    let gate = CancellationFlag()
    // Confined by the line of the calls that are made before the deliverer makes them.
    let first = UnsafeCell<Value?>(nil)
    var wiring = Wiring(.push)
    wiring.add(
      Inlet(
        host: host, outlet: outlet, prime: { first.value = read($0) },
        hand: { revision in
          guard let value = Source.take(mail, at: revision) else { return nil }
          return { first.value = value }
        }))
    return wiring.subscribe(gate) { revision in
      if revision != 0 {
        guard let value = Source.take(mail, at: revision), gate.isOpen else { return }
        body(value)
      } else if let value = first.value.take() {
        body(value)
      }
    }
  }
}

extension Wiring {
  /// Has `deliver` called with zero now, and with the number of each commit of interest.
  @usableFromInline
  func subscribe(
    _ gate: CancellationFlag, _ deliver: @escaping @Sendable (_ revision: UInt64) -> Void
  ) -> StoreSubscription {
    guard let host = inlets.first?.host else { return StoreSubscription {} }
    guard inlets.allSatisfy({ $0.host === host }) else {
      return subscribeAcrossStores(gate, deliver)
    }
    guard let observer = Self.begin(inlets, on: host, gate, deliver) else {
      return StoreSubscription {}
    }
    observer.start()
    // By its number: the table alone keeps an observer, and releases it with the store.
    let id = observer.id
    return StoreSubscription { Self.remove(id, gate, from: host) }
  }

  /// Takes the first value and registers, in one step.
  static func begin(
    _ inlets: [Inlet], on host: any StateHost, _ gate: CancellationFlag,
    _ deliver: @escaping @Sendable (_ revision: UInt64) -> Void
  ) -> Observer? {
    host.withTable { table in
      guard let memory = table.memory else { return nil }
      let observer = Observer(
        id: table.makeID(), outlets: inlets.map(\.outlet), hands: inlets.map(\.hand), gate: gate,
        deliver: deliver)
      for inlet in inlets { inlet.prime(memory.place) }
      table.add(observer)
      return observer
    }
  }

  static func remove(_ id: UInt64, _ gate: CancellationFlag, from host: any StateHost) {
    gate.close()
    var aftermath = AfterCommit()
    host.withTable { $0.remove(id, into: &aftermath) }
  }
}
