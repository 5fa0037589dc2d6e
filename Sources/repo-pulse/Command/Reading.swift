import Lensed

/// One pass over a log, or over a recording of one: the store it fills, and the readers that look on meanwhile.
struct Reading: Sendable {
  var progress: Progress?
  var watch: AuthorWatch?
  var recorder: SessionRecorder<PulseState>?

  /// The state at the end of the log, when all onlookers have heard of all of it.
  func state<Chunks>(
    after feed: CommitFeed<Chunks>, titled title: String? = nil
  ) async throws -> PulseState {
    try await state { store in
      if let title { store.dispatch(Opened(title: title)) }
      try await store.dispatch(feed).finish()
    }
  }

  /// The state at the end of a session that was recorded.
  func state(replaying session: RecordedSession<PulseState>) async throws -> PulseState {
    try await state { store in
      store.replay(session)
      try Task.checkCancellation()
    }
  }

  /// The store belongs to the task that fills it, and ends with it; so do the streams.
  private func state(
    filledBy fill: @escaping @Sendable (Store<PulseState>) async throws -> Void
  ) async throws -> PulseState {
    try await withThrowingTaskGroup(of: PulseState?.self) { group in
      try begin(fill, in: &group)
      var state = PulseState()
      for try await result in group { state = result ?? state }
      return state
    }
  }

  private func begin(
    _ fill: @escaping @Sendable (Store<PulseState>) async throws -> Void,
    in group: inout ThrowingTaskGroup<PulseState?, any Error>
  ) throws {
    let store = try PulseState.store(recordedBy: recorder)
    if let progress {
      group.addTask { [totals = store.states(\.totals)] in
        await progress.follow(totals)
        return nil
      }
    }
    if let watch {
      group.addTask { [author = store.states(\.authors, id: watch.name)] in
        try await watch.follow(author)
        return nil
      }
    }
    group.addTask {
      try await fill(store)
      return store.state
    }
  }
}
