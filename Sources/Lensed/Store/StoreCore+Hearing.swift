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
      if guts.isHeeded || guts.table.isClosed { return .heeded }
      if !lineage.mayCommit { return .untold(nil) }
      if isLeaf && guts.isCovered { _ = route(of: batch.type, &guts) }
      let key = ObjectIdentifier(batch.type)
      var hearing = Hearing.unknown
      cache.place(of: key).edit(RouteLine.self) { line in
        guard guts.router.find(key, for: &line) else { return }
        let route = line.route
        route.lend { route in
          hearing = hear(action, batch, of: route, by: &line, from: site, under: lineage, &guts)
        }
      }
      return hearing
    }
    switch consume hearing {
    case .heeded: return .heeded
    case .unknown: return .unknown
    case .untold(let notice):
      if let notice { finish(notice) }
      return .made(DispatchTask())
    case .told(let news, let notice, let isDeliverer, let aftermath):
      if let notice { finish(notice) }
      if isDeliverer { deliver(news, of: news.report.revision, baton) } else { finish(aftermath) }
      return .made(DispatchTask(news.work, isWatched: lineage.isWatched))
    case .taken(let taker, let work, let report):
      let revision = report.revision
      taker.take(work, for: report)
      passOn(baton, of: revision)
      return .made(DispatchTask(job: work))
    }
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
  ///
  /// It cannot be copied, so that what is in it is handed on without being counted.
  private enum Hearing: ~Copyable, Sendable {
    case heeded
    case unknown
    /// Nobody but observers is to be told.
    case untold(Uncounted<Notice>?)
    /// Listeners are to be told; by this thread, if it is the deliverer.
    case told(CommitNews, Uncounted<Notice>?, isDeliverer: Bool, Aftermath)
    /// One who starts one job at most is to be told, by this thread, and nobody else.
    case taken(any WorkTaker, Work, any CommitReport)
  }

  @inline(__always)
  private func hear(
    _ action: any Action, _ batch: Batch, of route: Route, by line: inout RouteLine,
    from site: CallSite, under lineage: Occasion.Lineage, _ guts: inout Guts
  ) -> Hearing {
    let hearers = route.hearers
    let needsPrevious = hearers.needPrevious || guts.listeners.needPrevious(of: route.slots)
    let previous = needsPrevious ? guts.type.keep(state) : nil
    let revision = guts.table.revision + 1
    guts.table.revision = revision
    progress.value.route = line.route
    let signs = line.run(batch.first, revision)
    progress.value = Progress()
    let isHandled = signs.contains(.handled)
    if !isHandled { guts.table.missed() }
    let all = isHandled ? signs.union(guts.table.signs).union(.missed) : []
    let others =
      guts.listeners.hearsOfParts
      ? guts.listeners.touched { guts.table.newest($0) == revision } : []
    if hearers.listeners.isEmpty && others.isEmpty {
      // Kept by nobody: an action that only a part's listeners might have heard of.
      if !all.isHeard { return .untold(nil) }
      return .untold(guts.router.announce(line.index, showing: all, bulletin: nil, on: &guts.table))
    }
    let record = CommitRecord(
      state: state, action: action, list: nil, site: site, cause: .action, revision: revision,
      isHandled: isHandled || hearers.haveHandler,
      reach: route.reach(of: revision))
    let isSole = lineage.isRoot && others.isEmpty && hearers.taker != nil
    if isSole, !all.isHeard, let taker = hearers.taker, baton.claimIfIdle() {
      let work = Work(.dispatch(batch.type, site), in: self, line: hearers.line, isBegun: true)
      let report = guts.type.keep(state, of: consume record, previous: previous)
      return .taken(taker, work, report)
    }
    var late = CommitNews.Hearings()
    late.add(hearers, hearOf: .all)
    late.add(Hearers(others))
    let label = Work.Label.dispatch(batch.type, site)
    // It may be told late, and until then no line knows of it.
    let work = work(label, under: lineage, in: isSole ? hearers.line : nil, &guts)
    let report = guts.type.keep(state, of: consume record, previous: previous)
    let news = CommitNews(report, late: late, work: work, isSole: isSole)
    var aftermath = Aftermath()
    if !all.isHeard {
      let isDeliverer = guts.table.announce(news, into: &aftermath)
      return .told(news, nil, isDeliverer: isDeliverer, aftermath)
    }
    let notice = guts.router.announce(line.index, showing: all, bulletin: news, on: &guts.table)
    return .told(news, notice, isDeliverer: false, aftermath)
  }
}
