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
    var previous: Boxed<State>?
    var isFirst = true
    var isClosed = false
  }

  private let inbox: Guarded<Inbox>
  private let keepsPrevious: Bool
  private let part: PartReader<State>
  let signal = Signal()

  init(_ buffering: ChangeBuffering, keepingPrevious: Bool, of part: PartReader<State>) {
    self.part = part
    inbox = Guarded(Inbox(buffer: BufferMachine(buffering)))
    keepsPrevious = keepingPrevious
  }

  var hook: FeedHook {
    FeedHook(
      prepare: { [self] state in if keepsPrevious { keep(Boxed(part.read(state))) } },
      record: { [self] record in self.record(record) },
      signal: signal
    )
  }

  private func keep(_ state: Boxed<State>) {
    inbox.withLock { $0.previous = state }
  }

  private func record(_ commit: CommitRecord) -> (any Sendable)? {
    let state = Boxed(part.read(commit.state))
    return inbox.withLock { inbox in
      inbox.buffer.offer(
        Change(
          commit, state: .boxed(state), previous: inbox.previous.take(),
          keepsPrevious: keepsPrevious,
          part: part))
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
