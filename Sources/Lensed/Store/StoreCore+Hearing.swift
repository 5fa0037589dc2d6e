// The way of the commits that effects and asynchronous reducers hear of, and nobody else wants to judge
// or to see.

extension StoreCore {
  /// Commits one action, and tells those who hear of it.
  ///
  /// Its route is made where `isLeaf` says that it can have one, or else has to be known.
  ///
  /// - Returns: What it has started; or that it takes more than that, and nothing was done.
  func commitHeard(
    _ batch: Batch, from site: CallSite, under lineage: CommitRequest.Parent, isLeaf: Bool = false
  ) -> HeardPassage {
    let action = batch.boxed()
    let hearing = withLock("dispatched `\(batch.type)` at \(site)") { protected -> Hearing in
      if protected.needsFullCommit || protected.table.isClosed { return .heeded }
      if !lineage.mayCommit { return .untold(nil) }
      if isLeaf && protected.isCovered { _ = route(of: batch.type, &protected) }
      let key = ObjectIdentifier(batch.type)
      var hearing = Hearing.unknown
      cache.place(of: key).edit(RouteCacheEntry.self) { line in
        guard protected.router.find(key, for: &line) else { return }
        let route = line.route
        route.lend { route in
          hearing = hear(
            action, batch, of: route, by: &line, from: site, under: lineage, &protected)
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
      return .made(DispatchTask(news.work, hasHandle: lineage.hasHandle))
    case .taken(let taker, let work, let report):
      let revision = report.revision
      taker.startJob(as: work, for: report)
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
    case untold(Unretained<AfterCommitCell>?)
    /// Listeners are to be told; by this thread, if it is the deliverer.
    case told(PendingNotification, Unretained<AfterCommitCell>?, isDeliverer: Bool, AfterCommit)
    /// One who starts one job at most is to be told, by this thread, and nobody else.
    case taken(any JobStarter, WorkNode, any CommitReport)
  }

  @inline(__always)
  private func hear(
    _ action: any Action, _ batch: Batch, of route: Route, by line: inout RouteCacheEntry,
    from site: CallSite, under lineage: CommitRequest.Parent, _ protected: inout Protected
  ) -> Hearing {
    let hearers = route.hearers
    let needsPrevious = hearers.needPrevious || protected.listeners.needPrevious(of: route.slots)
    let previous = needsPrevious ? protected.type.keep(state) : nil
    let revision = protected.table.revision + 1
    protected.table.revision = revision
    progress.value.route = line.route
    let signs = line.run(batch.first, revision)
    progress.value = RunningReducer()
    let isHandled = signs.contains(.handled)
    if !isHandled { protected.table.missed() }
    let all = isHandled ? signs.union(protected.table.signs).union(.missed) : []
    let others =
      protected.listeners.hearsOfParts
      ? protected.listeners.touched { protected.table.newest($0) == revision } : []
    if hearers.listeners.isEmpty && others.isEmpty {
      // Kept by nobody: an action that only a part's listeners might have heard of.
      if !all.isHeard { return .untold(nil) }
      return .untold(
        protected.router.announce(line.index, showing: all, bulletin: nil, on: &protected.table))
    }
    let record = CommitRecord(
      state: state, action: action, list: nil, site: site, cause: .action, revision: revision,
      isHandled: isHandled || hearers.haveHandler,
      reach: route.reach(of: revision))
    let isSole = lineage.isRoot && others.isEmpty && hearers.taker != nil
    if isSole, !all.isHeard, let taker = hearers.taker, baton.claimIfIdle() {
      let work = WorkNode(
        .dispatch(batch.type, site), in: self, queue: hearers.queue, hasClaim: true)
      let report = protected.type.keep(state, of: consume record, previous: previous)
      return .taken(taker, work, report)
    }
    var late = PendingNotification.Hearings()
    late.add(hearers, hearOf: .all)
    late.add(Hearers(others))
    let label = WorkLabel.dispatch(batch.type, site)
    // It may be told late, and until then no line knows of it.
    let work = work(label, under: lineage, in: isSole ? hearers.queue : nil, &protected)
    let report = protected.type.keep(state, of: consume record, previous: previous)
    let news = PendingNotification(report, late: late, work: work, isSole: isSole)
    var aftermath = AfterCommit()
    if !all.isHeard {
      let isDeliverer = protected.table.announce(news, into: &aftermath)
      return .told(news, nil, isDeliverer: isDeliverer, aftermath)
    }
    let notice = protected.router.announce(
      line.index, showing: all, bulletin: news, on: &protected.table)
    return .told(news, notice, isDeliverer: false, aftermath)
  }
}
