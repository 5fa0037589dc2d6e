/// What a commit was, before it is told to anybody in particular.
struct CommitRecord {
  let state: Place
  let action: (any Action)?
  let isReplacement: Bool
  let revision: UInt64
  let isHandled: Bool
  let ran: [Int]
  let ownership: OwnershipMap
}

/// One reader's way to be told of every commit, with the type of the state erased.
struct FeedHook: Sendable {
  /// Before the commit, under the lock.
  let prepare: @Sendable (_ state: Place) -> Void
  /// After it, under the lock; gives what the buffer dropped, to be released without the lock.
  let record: @Sendable (CommitRecord) -> (any Sendable)?
  let signal: Signal
}

/// The buffer of one reader of `changes`: the machine, its lock, and the signal.
final class ChangeFeed<State: Sendable>: Sendable {
  private struct Inbox: Sendable {
    var buffer: BufferMachine<Change<State>>
    var previous: State?
    var isFirst = true
    var isClosed = false
  }

  private let inbox: Guarded<Inbox>
  private let keepsPrevious: Bool
  let signal = Signal()

  init(_ buffering: ChangeBuffering, keepingPrevious: Bool) {
    inbox = Guarded(Inbox(buffer: BufferMachine(buffering)))
    keepsPrevious = keepingPrevious
  }

  var hook: FeedHook {
    FeedHook(
      prepare: { [self] state in if keepsPrevious { keep(state.read(State.self)) } },
      record: { [self] record in self.record(record) },
      signal: signal
    )
  }

  private func keep(_ state: State) {
    inbox.withLock { $0.previous = state }
  }

  private func record(_ commit: CommitRecord) -> (any Sendable)? {
    let state = commit.state.read(State.self)
    return inbox.withLock { inbox in
      inbox.buffer.offer(
        Change(
          state: state, action: commit.action,
          cause: commit.isReplacement ? .replacement : .action, revision: commit.revision,
          isHandled: commit.isHandled, previous: inbox.previous.take(),
          keepsPrevious: keepsPrevious, ran: commit.ran, ownership: commit.ownership))
    }
  }

  /// No more will come; what is buffered is still given.
  func close() {
    inbox.withLock { $0.isClosed = true }
    signal.raise()
  }

  /// The next change; nil when the store has gone or the task was cancelled.
  nonisolated(nonsending) func next() async -> Change<State>? {
    while !Task.isCancelled {
      let (change, isClosed) = inbox.withLock { inbox -> (Change<State>?, Bool) in
        guard case (var change, let dropped)? = inbox.buffer.take() else {
          return (nil, inbox.isClosed)
        }
        change.droppedCount = dropped
        change.isFirst = inbox.isFirst
        inbox.isFirst = false
        return (change, false)
      }
      if let change { return change }
      if isClosed { return nil }
      await signal.wait()
    }
    return nil
  }
}
