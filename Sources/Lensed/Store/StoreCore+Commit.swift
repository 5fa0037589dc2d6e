extension StoreCore {
  /// How a commit went.
  @usableFromInline
  enum Passage: Sendable {
    /// It was made, and nobody is left to be told.
    case done
    /// It was made, and somebody is yet to be told.
    case heard
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
    let line = cache.place(of: key)
    var announcement = Announcement.nothing
    var revision: UInt64 = 0
    let passage = withGuts(heldBy: me) { guts -> Passage in
      guard canPass(key, line, &guts) else { return .unprepared }
      return line.edit(RouteCache.Line.self) { line in
        revision = begin(line.route, &guts)
        let signs = line.plan.run(action, revision)
        return end(showing: signs, of: &line, revision, &guts, &announcement)
      }
    }
    guard case .heard = passage else { return passage }
    tell(announcement, revision)
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
    let key = ObjectIdentifier(batch.type)
    let line = cache.place(of: key)
    var announcement = Announcement.nothing
    var revision: UInt64 = 0
    let passage = withGuts("dispatched `\(batch.type)` at \(site)") { guts -> Passage in
      guard canPass(key, line, &guts) else { return .unprepared }
      let passage = line.edit(RouteCache.Line.self) { line in
        revision = begin(line.route, &guts)
        let signs = line.route.lend { batch.run($0, revision) }
        return end(showing: signs, of: &line, revision, &guts, &announcement)
      }
      read(state)
      return passage
    }
    if case .unprepared = passage {
      return commitWithCare(batch, from: site, isFocused: isFocused, under: lineage, read: read)
    }
    if case .heard = passage { tell(announcement, revision) }
    return DispatchTask()
  }

  /// Does what is left to do for a commit once the lock is released.
  @inline(never)
  private func tell(_ announcement: Announcement, _ revision: UInt64) {
    switch announcement {
    case .nothing: break
    case .calls(let audience): audience.lend { deliver($0, revision) }
    case .aftermath(let aftermath): finish(aftermath)
    }
  }

  @inline(__always)
  private func begin(_ route: Uncounted<Route>, _ guts: inout Guts) -> UInt64 {
    let revision = guts.table.revision &+ 1
    guts.table.revision = revision
    progress.value.route = route
    return revision
  }

  /// Whether a commit may go the quick way, by the route in the line where its type is looked up.
  @inline(__always)
  private func canPass(_ key: ObjectIdentifier, _ line: Place, _ guts: inout Guts) -> Bool {
    if guts.isHeeded { return false }
    return line.edit(RouteCache.Line.self) { $0.key == key } || guts.router.admit(key, to: line)
  }

  /// Notes the end of a commit, and whether somebody has to hear of it.
  @inline(__always)
  private func end(
    showing signs: Signs, of line: inout RouteCache.Line, _ revision: UInt64, _ guts: inout Guts,
    _ announcement: inout Announcement
  ) -> Passage {
    guard signs.contains(.handled) else { return .done }
    guts.table.handled = revision
    let all = signs.union(guts.table.signs)
    if all.isDisjoint(with: .heard) { return .done }
    announcement = announce(&line, all, &guts)
    return .heard
  }

  @inline(never)
  private func announce(
    _ line: inout RouteCache.Line, _ signs: Signs, _ guts: inout Guts
  ) -> Announcement {
    progress.value.route = nil
    // The usual case: calls to make, to a known audience, with nobody in the way.
    if signs == [.handled, .observed], let drawn = line.drawn, guts.table.capture(for: drawn) {
      return .calls(drawn.audience)
    }
    return guts.router.announce(&line, showing: signs, on: &guts.table)
  }
}
