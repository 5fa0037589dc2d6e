#if canImport(Testing)
  internal import Lensed
  public import Testing

  // How a step knows that nothing more will happen by itself: the scheduler has no job, and what is under way sleeps on the
  // clock of the test, waits for its turn, or waits for other work. What the test cannot see is waited for with patience.

  extension TestStore {
    /// Returns when all that is under way rests: after it was set off past the steps of the test.
    ///
    /// Steps do this themselves. A dispatch to `store`, or an opened gate, is followed by it.
    public nonisolated(nonsending) func rest(
      sourceLocation: SourceLocation = #_sourceLocation
    ) async {
      await step {
        log.begin(at: sourceLocation)
        await comeToRest(at: sourceLocation)
      }
    }

    nonisolated(nonsending) func comeToRest(at location: SourceLocation) async {
      if await scheduler.rest(within: patience) { return }
      let works = store.workUnderWay.map { "\($0)" }
      report(
        "The store has not come to rest in \(patience): an effect runs without waiting for anything.",
        works, at: location)
    }

    /// What may still come.
    enum Prospect: Sendable {
      /// It is there.
      case there
      /// Nothing more comes before the test moves a clock, or opens a gate.
      case nothing([WorkDescription])
      /// Effects wait for something that the test cannot see, and did so for too long.
      case unknown([WorkDescription])

      /// Why it does not come.
      var reasons: [String] {
        switch self {
        case .there: []
        case .nothing(let works) where works.isEmpty: ["nothing is under way"]
        case .nothing(let works): works.map { "\($0)" }
        case .unknown(let works):
          works.filter { $0.activity == .running }.map {
            "\($0.name) waits for something that the test cannot see"
          }
        }
      }
    }

    /// Waits until something has come, or until it is known that it does not.
    nonisolated(nonsending) func wait(until isThere: @Sendable () -> Bool) async -> Prospect {
      // One for the whole wait: an effect that commits again and again would else renew it each time.
      let isOver = Locked(false)
      let watchdog = Task.detached { [log, patience] in
        try await runOut(patience)
        isOver.withLock { $0 = true }
        log.tellNews()
      }
      defer { watchdog.cancel() }
      while true {
        let news = log.newsCount
        if isThere() { return .there }
        _ = await scheduler.rest(within: patience)
        if isThere() { return .there }
        let works = store.workUnderWay
        if !works.contains(where: { $0.activity == .running }) {
          // What ended between the two looks may have left something.
          return isThere() ? .there : .nothing(works)
        }
        if !isOver.withLock({ $0 }) { await waitForNews(after: news) }
        if isOver.withLock({ $0 }) || Task.isCancelled {
          return isThere() ? .there : .unknown(store.workUnderWay)
        }
      }
    }

    /// Waits until a commit came, or all rests, or other news was noted.
    private nonisolated(nonsending) func waitForNews(after count: Int) async {
      await withTaskGroup(of: Void.self) { [log, store] group in
        group.addTask { await log.waitForNews(after: count) }
        group.addTask { try? await store.rested() }
        await group.next()
        group.cancelAll()
      }
    }
  }
#endif
