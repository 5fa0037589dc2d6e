extension StoreCore {
  /// Starts work that the store owns and does not outlive.
  ///
  /// The task exists when this returns. It ends quietly when the store has gone.
  @usableFromInline
  func spawn(
    from site: CallSite, _ operation: @escaping @Sendable (StoreSink) async throws -> Void
  ) -> DispatchTask {
    let id = withGuts("dispatched an asynchronous sequence at \(site)") { guts -> UInt64? in
      if guts.table.isClosed { return nil }
      let id = guts.table.makeID()
      guts.works[id] = .some(nil)
      return id
    }
    guard let id else { return DispatchTask() }
    let work = Task {
      defer { self.forget(id) }
      do {
        try await operation(StoreSink(core: self, site: site))
      } catch {
        if isClosed { return }
        if !Task.isCancelled { throw error }
      }
      if !isClosed { try Task.checkCancellation() }
    }
    let isWanted = withGuts("dispatched an asynchronous sequence at \(site)") { guts in
      if guts.table.isClosed { return false }
      // A task that has ended already has forgotten itself.
      if guts.works[id] != nil { guts.works[id] = work }
      return true
    }
    if !isWanted { work.cancel() }
    return DispatchTask(work)
  }

  private func forget(_ id: UInt64) {
    _ = withGuts("ended an asynchronous sequence") { $0.works.removeValue(forKey: id) }
  }
}

/// Where the actions of an asynchronous sequence go: into one store, while it is there.
@usableFromInline
struct StoreSink: ActionSink {
  @usableFromInline
  let core: StoreCore
  @usableFromInline
  let site: CallSite

  /// The store has gone, so the sequence is to stop.
  struct StoreGone: Error {}

  /// Throws when nothing more is to be applied.
  @usableFromInline
  func checkIn() throws {
    if core.isClosed { throw StoreGone() }
    try Task.checkCancellation()
  }

  @inlinable
  func take(_ action: some Action) async throws {
    try checkIn()
    let task = core.dispatch(action, from: site)
    if task.work != nil { try await task.finish() }
  }

  /// Applies a member of a list; an asynchronous one is pulled here rather than in a task of its own.
  func takeWhole(_ action: some Action) async throws {
    try checkIn()
    if let sequence = action as? any AsynchronousAction {
      try await sequence.feed(self)
    } else {
      try await take(action)
    }
  }
}

extension StoreCore {
  /// Commits one action of any kind.
  @inlinable
  func dispatch<A: Action>(_ action: A, from site: CallSite) -> DispatchTask {
    Place.reading(action) { place in
      let verdict = commit(ObjectIdentifier(A.self), place)
      if case .done = verdict { return DispatchTask() }
      return commitWithCare(A.self, place, from: site, after: verdict)
    }
  }

  /// Commits one action of any kind, and lends the state in the same critical section.
  @inlinable
  func dispatch<A: Action>(
    _ action: A, from site: CallSite, thenReading read: (StateAccess) -> Void
  ) {
    Place.reading(action) { place in
      _ = commit(.one(A.self, place), from: site, isFocused: true) {
        read(StateAccess(place: $0))
      }
    }
  }

  /// Commits an array of actions of one type.
  @inlinable
  func dispatch<A: Action>(array actions: [A], from site: CallSite) -> DispatchTask {
    if actions.isEmpty { return DispatchTask() }
    return Place.reading(elementsOf: actions) { place in
      let batch = Batch(
        A.self, place, count: actions.count, stride: MemoryLayout<A>.stride, isArray: true)
      return commit(batch, from: site)
    }
  }
}
