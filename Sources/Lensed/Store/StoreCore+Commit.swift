extension StoreCore {
  /// How a commit went.
  ///
  /// It is a number rather than an enum, so that the usual answer is one comparison.
  @usableFromInline
  struct CommitOutcome: Sendable, Equatable {
    /// It was made, and nobody is left to be told.
    @inlinable
    static var done: CommitOutcome { CommitOutcome(bits: 0) }
    /// It was not begun: it takes more than the quick way.
    @inlinable
    static var unprepared: CommitOutcome { CommitOutcome(bits: 1) }
    /// It was not begun: the thread holds the lock already.
    @inlinable
    static var intruded: CommitOutcome { CommitOutcome(bits: 2) }
    /// It was not begun: the work that it is part of was stopped.
    @inlinable
    static var stopped: CommitOutcome { CommitOutcome(bits: 3) }

    /// One of the above, or what a notice was asked for.
    @usableFromInline
    let bits: UInt

    @inlinable
    init(bits: UInt) {
      self.bits = bits
    }

    /// It was made, and somebody is yet to be told; or nobody, for nil.
    init(_ notice: Unretained<AfterCommitCell>?) {
      bits = notice?.bits ?? 0
    }

    @inlinable
    var isDone: Bool { bits == 0 }

    /// Whether somebody is yet to be told.
    @inlinable
    var isHeard: Bool { bits > 3 }
  }

  /// Commits one action: the way of nearly every dispatch.
  ///
  /// It is compiled into whoever dispatches, some 500 bytes of it, and knows neither the state nor the
  /// action but for the action's type. The lock's two turns wait for all that was stored before them: where
  /// this was measured, each instruction that stores costs 0.13 ns, and any other 0.03. So it stores what
  /// nobody could do without, calls nothing but the reducers, and leaves to others what is rare.
  @inlinable
  @inline(__always)
  func commit<A>(_ type: A.Type, _ action: StateAddress) -> CommitOutcome {
    let key = ObjectIdentifier(type)
    if occupant.isInside(ThreadIdentity.current) { return .intruded }
    let place = cache.place(of: key)
    return protected.withLock { protected in commit(type, action, by: place, &protected) }
  }

  /// Commits one action as a part of some work; not, if that was stopped.
  @inlinable
  @inline(__always)
  func commit<A>(_ type: A.Type, _ action: StateAddress, within work: WorkNode) -> CommitOutcome {
    let key = ObjectIdentifier(type)
    if occupant.isInside(ThreadIdentity.current) { return .intruded }
    let place = cache.place(of: key)
    return protected.withLock { protected in
      work.mayCommit ? commit(type, action, by: place, &protected) : .stopped
    }
  }

  /// Runs the reducers that lead, or has the rest done; under the lock.
  @inlinable
  @inline(__always)
  func commit<A>(
    _ type: A.Type, _ action: StateAddress, by place: StateAddress, _ protected: inout Protected
  ) -> CommitOutcome {
    let key = ObjectIdentifier(type)
    return place.edit(RouteCacheEntry.self) { line in
      var signs: CommitFlags = []
      if line.leadKey == key {
        occupant.enter(ThreadIdentity.current, for: place.bits)
        protected.table.revision &+= 1
        line.first.run(action, protected.table.revision)
        if line.leadCount > 1 { line.second.run(action, protected.table.revision) }
        // A sole lead stands in both places.
        signs = line.first.signs | line.second.signs | protected.table.signs
        if !signs.isHeard {
          occupant.leave()
          return .done
        }
      }
      return complete(type, action, &line, showing: signs, &protected)
    }
  }

  /// Does for a commit what is rare, under the lock: all of it, unless `signs` says that reducers ran.
  ///
  /// It is compiled once for each type of action, so that whoever dispatches need not have the key at hand.
  @inlinable
  @inline(never)
  func complete<A>(
    _ type: A.Type, _ action: StateAddress, _ line: inout RouteCacheEntry,
    showing signs: CommitFlags,
    _ protected: inout Protected
  ) -> CommitOutcome {
    signs.isHeard
      ? announce(showing: signs, of: &line, &protected)
      : commit(ObjectIdentifier(type), action, by: &line, &protected)
  }

  /// Commits one action that no lead answers, under the lock, and leaves.
  @usableFromInline
  @inline(never)
  func commit(
    _ key: ObjectIdentifier, _ action: StateAddress, by line: inout RouteCacheEntry,
    _ protected: inout Protected
  ) -> CommitOutcome {
    if protected.needsFullCommit { return .unprepared }
    guard protected.router.find(key, for: &line), line.isPlain else { return .unprepared }
    occupant.enter(ThreadIdentity.current, for: LockOwner.somethingElse)
    defer { occupant.leave() }
    progress.value.route = line.route
    protected.table.revision &+= 1
    let signs = line.run(action, protected.table.revision)
    progress.value = RunningReducer()
    return end(showing: signs, of: &line, &protected)
  }

  /// Does for a commit what is left to do once the lock is released.
  @usableFromInline
  @inline(never)
  func tell(_ passage: CommitOutcome) {
    if passage.isHeard, let notice = Unretained<AfterCommitCell>(bits: passage.bits) {
      finish(notice)
    }
  }

  /// Commits one action that the quick way did not, as a part of some work, if it is one.
  @usableFromInline
  @inline(never)
  func commitWithCare(
    _ type: any Action.Type, _ action: StateAddress, from site: CallSite,
    after passage: CommitOutcome,
    within work: WorkNode? = nil
  ) -> DispatchTask {
    if passage == .intruded { trapIntrusion("dispatched `\(type)` at \(site)") }
    return commitWithCare(
      .one(type, action), from: site, under: work.map { .part(of: $0) } ?? .root)
  }

  /// Commits a batch of actions of one type.
  ///
  /// `read` is lent the state in the same critical section, after the commit; `isFocused` says that
  /// its outcome is waited for, so that nothing may be left for later.
  @usableFromInline
  func commit(
    _ batch: Batch, from site: CallSite, isFocused: Bool = false,
    under lineage: CommitRequest.Parent = .root, read: (StateAddress) -> Void = { _ in }
  ) -> DispatchTask {
    let key = ObjectIdentifier(batch.type)
    let line = cache.place(of: key)
    let passage = withLock("dispatched `\(batch.type)` at \(site)") { protected -> CommitOutcome in
      if !lineage.mayCommit { return .stopped }
      if protected.needsFullCommit { return .unprepared }
      let passage = line.edit(RouteCacheEntry.self) { line -> CommitOutcome in
        guard protected.router.find(key, for: &line), line.isPlain else { return .unprepared }
        progress.value.route = line.route
        protected.table.revision &+= 1
        let signs = line.route.lend { batch.run($0, protected.table.revision) }
        progress.value = RunningReducer()
        return end(showing: signs, of: &line, &protected)
      }
      if passage == .unprepared { return passage }
      read(state)
      return passage
    }
    if passage == .unprepared {
      return commitWithCare(batch, from: site, isFocused: isFocused, under: lineage, read: read)
    }
    tell(passage)
    return DispatchTask()
  }

  /// Notes the end of a commit, and who has to hear of it; the thread stays inside.
  private func end(
    showing signs: CommitFlags, of line: inout RouteCacheEntry, _ protected: inout Protected
  ) -> CommitOutcome {
    guard signs.contains(.handled) else {
      protected.table.missed()
      return .done
    }
    let all = signs | protected.table.signs
    return all.isHeard ? gather(showing: all, of: &line, &protected) : .done
  }

  /// Gathers who has to hear of a commit that has come to its end, and leaves.
  @usableFromInline
  @inline(never)
  func announce(
    showing signs: CommitFlags, of line: inout RouteCacheEntry, _ protected: inout Protected
  ) -> CommitOutcome {
    // From here on it is lenses that run, not reducers.
    occupant.turnToSomethingElse()
    defer { occupant.leave() }
    return gather(showing: signs, of: &line, &protected)
  }

  @inline(__always)
  private func gather(
    showing signs: CommitFlags, of line: inout RouteCacheEntry, _ protected: inout Protected
  ) -> CommitOutcome {
    // The usual case: calls to make, to a known audience, with nobody in the way.
    if signs == [.handled, .observed], let drawn = line.drawn, protected.table.capture(for: drawn) {
      return CommitOutcome(drawn.notice)
    }
    return CommitOutcome(protected.router.announce(&line, showing: signs, on: &protected.table))
  }
}
