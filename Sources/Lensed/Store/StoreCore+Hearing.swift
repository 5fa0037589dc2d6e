// The way of the commits that effects and asynchronous reducers hear of, and nobody else wants to judge
// or to see.

extension StoreCore {
  /// Commits one action, and tells those who hear of it.
  ///
  /// Its route is made where `isLeaf` says that it can have one, or else has to be known.
  ///
  /// - Returns: What it has started; or that it takes more than that, and nothing was done.
  func commitHeard(
    _ batch: Batch, from site: CallSite, under lineage: Occasion.Lineage, isLeaf: Bool = false
  ) -> HeardPassage {
    let action = batch.boxed()
    let hearing = withGuts("dispatched `\(batch.type)` at \(site)") { guts -> Hearing in
      var hearing = Hearing()
      if guts.isHeeded || guts.table.isClosed { return hearing }
      hearing.isHeeded = false
      if isLeaf && guts.isCovered { _ = route(of: batch.type, &guts) }
      let key = ObjectIdentifier(batch.type)
      let found = cache.place(of: key).edit(RouteLine.self) { line in
        guts.router.find(key, for: &line) ? (route: line.route, index: line.index) : nil
      }
      guard let way = found else { return hearing }
      let hearers = guts.router.hearers(way.index)
      hearing.isKnown = true
      let previous = hearers.needPrevious ? type.keep(state) : nil
      let revision = guts.table.revision + 1
      guts.table.revision = revision
      progress.value.route = way.route
      let signs = way.route.lend { batch.run($0, revision) }
      progress.value = Progress()
      let isHandled = signs.contains(.handled)
      if !isHandled { guts.table.missed() }
      var late = CommitReport.Hearings()
      late.add(hearers, hearOf: .all)
      var line = lineage.isRoot ? hearers.line : nil
      if guts.listeners.hearsOfParts {
        let others = guts.listeners.touched { guts.table.newest($0) == revision }
        if !others.isEmpty { line = nil }
        late.add(Hearers(others))
      }
      let isSole = line != nil
      if !late.isEmpty {
        let work = work(.dispatch(batch.type, site), under: lineage, in: line, &guts)
        let record = CommitRecord(
          state: state, action: action, list: nil, site: site, cause: .action,
          revision: revision, isHandled: isHandled || hearers.haveHandler,
          ran: guts.table.touched(guts.router.slots(way.index), by: revision),
          ownership: guts.ownership)
        hearing.report = CommitReport(
          record, state: type.keep(state), previous: previous, work: work, early: [], late: late,
          isSole: isSole)
      }
      let all = isHandled ? signs.union(guts.table.signs).union(.missed) : []
      if all.isHeard {
        hearing.notice = guts.router.announce(
          way.index, showing: all, bulletin: hearing.report, on: &guts.table)
      } else if let report = hearing.report {
        hearing.isDeliverer = guts.table.announce(report)
      }
      return hearing
    }
    if !hearing.isKnown { return hearing.isHeeded ? .heeded : .unknown }
    if let notice = hearing.notice { finish(notice) }
    guard let report = hearing.report else { return .made(DispatchTask()) }
    if hearing.isDeliverer { deliver(report, baton) }
    return .made(DispatchTask(report.work, isWatched: lineage.isWatched))
  }

  /// How such a commit went.
  enum HeardPassage: Sendable {
    /// It was made.
    case made(DispatchTask)
    /// It was not begun: there is no route yet.
    case unknown
    /// It was not begun: somebody wants to see, or to judge, each action, or the store has gone.
    case heeded
  }

  /// How far it came, and what is left to do once the lock is released.
  private struct Hearing: Sendable {
    var isHeeded = true
    var isKnown = false
    var report: CommitReport?
    var notice: Uncounted<Notice>?
    /// Whether nobody but the report's listeners is to be told, and by this thread.
    var isDeliverer = false
  }
}
