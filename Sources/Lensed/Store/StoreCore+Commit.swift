extension StoreCore {
  /// How a commit went.
  @usableFromInline
  enum Passage {
    /// It was made, and everybody was told.
    case done
    /// It was not begun: it takes more than the quick way.
    case unprepared
    /// It was not begun: the thread holds the lock already.
    case intruded
  }

  /// Commits one action: the way of nearly every dispatch.
  ///
  /// Nothing is generic, and whatever is rare is left to the caller: `key` is the type of the value at
  /// `action`.
  @usableFromInline
  func commit(_ key: ObjectIdentifier, _ action: Place) -> Passage {
    let me = ThreadIdentity.current
    if isHeld(by: me) { return .intruded }
    var revision: UInt64 = 0
    let announcement = withGuts(heldBy: me) { guts -> Announcement? in
      guard !guts.isHeeded, let (route, index) = guts.router.plainRoute(of: key) else {
        return nil
      }
      revision = begin(route, &guts)
      let signs = route.lend { $0.run(state, action, revision) }
      return end(showing: signs, of: index, revision, &guts)
    }
    switch announcement {
    case .nothing: break
    case .calls(let audience): audience.lend { deliver($0, revision) }
    case .aftermath(let aftermath): finish(aftermath)
    case nil: return .unprepared
    }
    return .done
  }

  /// Commits one action that the quick way did not.
  @usableFromInline
  @inline(never)
  func commitWithCare(
    _ type: any Action.Type, _ action: Place, from site: CallSite, after passage: Passage
  ) -> DispatchTask {
    if case .intruded = passage { trapIntrusion("dispatched `\(type)` at \(site)") }
    return commitWithCare(.one(type, action), from: site)
  }

  /// Commits one action that the quick way did not, as a part of some work.
  @usableFromInline
  @inline(never)
  func commitWithCare(
    _ type: any Action.Type, _ action: Place, from site: CallSite, after passage: Passage,
    within work: Work
  ) -> DispatchTask {
    if case .intruded = passage { trapIntrusion("dispatched `\(type)` at \(site)") }
    return commitWithCare(.one(type, action), from: site, under: .part(of: work))
  }

  /// Commits a batch of actions of one type.
  ///
  /// `read` is lent the state in the same critical section, after the commit; `isFocused` says that
  /// its outcome is waited for, so that nothing may be left for later.
  @usableFromInline
  func commit(
    _ batch: Batch, from site: CallSite, isFocused: Bool = false,
    under lineage: Occasion.Lineage = .root, read: (Place) -> Void = { _ in }
  ) -> DispatchTask {
    var revision: UInt64 = 0
    let announcement = withGuts("dispatched `\(batch.type)` at \(site)") { guts -> Announcement? in
      guard !guts.isHeeded,
        let (route, index) = guts.router.plainRoute(of: ObjectIdentifier(batch.type))
      else { return nil }
      revision = begin(route, &guts)
      let signs = run(batch, route, revision)
      let announcement = end(showing: signs, of: index, revision, &guts)
      read(state)
      return announcement
    }
    switch announcement {
    case .nothing: return DispatchTask()
    case .calls(let audience): audience.lend { deliver($0, revision) }
    case .aftermath(let aftermath): finish(aftermath)
    case nil:
      return commitWithCare(batch, from: site, isFocused: isFocused, under: lineage, read: read)
    }
    return DispatchTask()
  }

  @inline(__always)
  private func begin(_ route: Uncounted<Route>, _ guts: inout Guts) -> UInt64 {
    let revision = guts.table.revision &+ 1
    guts.table.revision = revision
    progress.value.route = route
    return revision
  }

  @inline(__always)
  func run(_ batch: Batch, _ route: Uncounted<Route>, _ revision: UInt64) -> Signs {
    let state = state
    return route.lend { route in
      var (action, left) = (batch.first, batch.count)
      var signs: Signs = []
      while left > 0 {
        signs.formUnion(route.run(state, action, revision))
        action = action.advanced(by: batch.stride)
        left &-= 1
      }
      return signs
    }
  }

  /// Notes the end of a commit, and who has to hear of it.
  @inline(__always)
  private func end(
    showing signs: Signs, of index: Int, _ revision: UInt64, _ guts: inout Guts
  ) -> Announcement {
    guard signs.contains(.handled) else { return .nothing }
    guts.table.handled = revision
    let all = signs.union(guts.table.signs)
    if all.isDisjoint(with: .heard) { return .nothing }
    return announce(index, all, &guts)
  }

  @inline(never)
  private func announce(_ index: Int, _ signs: Signs, _ guts: inout Guts) -> Announcement {
    progress.value.route = nil
    return guts.router.announce(index, showing: signs, on: &guts.table)
  }
}
