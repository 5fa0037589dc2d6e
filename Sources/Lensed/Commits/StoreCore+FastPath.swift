extension StoreCore {
  /// Commits one action on the fast path, if it can go there: the path of nearly every dispatch.
  ///
  /// It is compiled into each caller of `dispatch`, some 500 bytes of it, and knows the type of the action
  /// and nothing of the state. Taking and releasing the lock waits for every earlier memory write: where this
  /// was measured, each write costs 0.13 ns and any other instruction 0.03. So it writes what is
  /// indispensable, calls the reducers alone, and leaves the rest to functions of their own.
  @inlinable
  @inline(__always)
  func commitFast(_ type: any Action.Type, _ action: StateAddress) -> CommitOutcome {
    let key = ObjectIdentifier(type)
    if lockOwner.isInside(ThreadIdentity.current) { return .intruded }
    let address = cache.address(of: key)
    return protected.withLock { protected in commitFast(key, action, by: address, &protected) }
  }

  /// The same for a part of some work; nothing, if that was stopped.
  @inlinable
  @inline(__always)
  func commitFast(
    _ type: any Action.Type, _ action: StateAddress, within work: WorkNode
  ) -> CommitOutcome {
    let key = ObjectIdentifier(type)
    if lockOwner.isInside(ThreadIdentity.current) { return .intruded }
    let address = cache.address(of: key)
    return protected.withLock { protected in
      work.mayCommit ? commitFast(key, action, by: address, &protected) : .stopped
    }
  }

  /// Runs the direct reducers of the route in a cache entry; under the lock.
  @inlinable
  @inline(__always)
  func commitFast(
    _ key: ObjectIdentifier, _ action: StateAddress, by address: StateAddress,
    _ protected: inout Protected
  ) -> CommitOutcome {
    address.edit(RouteCacheEntry.self) { entry in
      guard entry.directKey == key else { return .needsSlowPath }
      lockOwner.enter(ThreadIdentity.current, for: address.bits)
      protected.table.revision &+= 1
      entry.first.run(action, protected.table.revision)
      if entry.directCount > 1 { entry.second.run(action, protected.table.revision) }
      // A sole reducer stands in both places.
      let flags = entry.first.flags | entry.second.flags | protected.table.flags
      if !flags.needsNotification {
        lockOwner.leave()
        return .done
      }
      return announce(flags, of: &entry, &protected)
    }
  }

  /// Gathers the notifications of a commit on the fast path, and leaves the lock.
  @usableFromInline
  @inline(never)
  func announce(
    _ flags: CommitFlags, of entry: inout RouteCacheEntry, _ protected: inout Protected
  ) -> CommitOutcome {
    // From here on it is lenses that run, not reducers.
    lockOwner.turnToSomethingElse()
    defer { lockOwner.leave() }
    // The usual case: calls to make, to a known audience, while no other thread delivers.
    if flags == [.handled, .observed],
      let work = protected.table.captureForCachedAudience(ofRoute: entry.index)
    {
      return CommitOutcome(work)
    }
    let slots = entry.route.lend(\.slots)
    return CommitOutcome(
      protected.table.announce(slots: slots, route: entry.index, flags: flags))
  }
}
