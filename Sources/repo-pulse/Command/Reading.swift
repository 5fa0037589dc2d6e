import Lensed

/// One pass over a log: the store it fills, and those who look on meanwhile.
struct Reading: Sendable {
  var progress: Progress?
  var watch: AuthorWatch?

  /// The state at the end of the log, when whoever looks on has heard of all of it.
  func state<Chunks>(after feed: CommitFeed<Chunks>) async throws -> PulseState {
    try await withThrowingTaskGroup(of: PulseState?.self) { group in
      try begin(feed, in: &group)
      var state = PulseState()
      for try await result in group {
        state = result ?? state
      }
      return state
    }
  }

  /// The store belongs to the task that fills it, and ends with it; so do the streams.
  private func begin<Chunks>(
    _ feed: CommitFeed<Chunks>, in group: inout ThrowingTaskGroup<PulseState?, any Error>
  ) throws {
    let store = try PulseState.store()
    if let progress {
      group.addTask { [totals = store.states(\.totals)] in
        await progress.follow(totals)
        return nil
      }
    }
    if let watch {
      group.addTask { [author = store.states(\.authors[watch.name])] in
        try await watch.follow(author)
        return nil
      }
    }
    group.addTask {
      try await store.dispatch(feed).finish()
      return store.state
    }
  }
}
