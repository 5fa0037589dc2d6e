/// The buffer of one reader of `changes`: the machine, its lock, and the signal.
final class ChangeFeed<State: Sendable>: Sendable {
  private struct Inbox: Sendable {
    var buffer: BufferMachine<Change<State>>
    var previous: Boxed<State>?
    var isFirst = true
    var isClosed = false
  }

  private let inbox: Locked<Inbox>
  private let keepsPrevious: Bool
  private let part: PartPath<State>
  let signal = Signal()

  init(_ buffering: ChangeBuffering, keepingPrevious: Bool, of part: PartPath<State>) {
    self.part = part
    inbox = Locked(Inbox(buffer: BufferMachine(buffering)))
    keepsPrevious = keepingPrevious
  }

  /// Records every commit from the one after the attachment on.
  ///
  /// `onAttach` is given the last commit, and lent the state that it left.
  func attachment(
    onAttach: (@Sendable (_ revision: UInt64, _ state: StateAddress) -> Void)? = nil
  ) -> Attachment {
    var recorder = CommitRecorder(record: { [self] in record($0) }, signal: signal)
    if keepsPrevious {
      recorder.prepare = { [self] state in keep(Boxed(part.read(state))) }
    }
    let listener = CommitListener(
      interest: .everyCommit, phase: .inCommit(recorder), onAttach: onAttach)
    return Attachment(
      listeners: [listener], purpose: "read the changes of the store", stop: { [self] in close() })
  }

  private func keep(_ state: Boxed<State>) {
    inbox.withLock { $0.previous = state }
  }

  private func record(_ commit: CommitRecord) -> (any Sendable)? {
    let state = Boxed(part.read(commit.state))
    return inbox.withLock { inbox in
      let change = Change(
        commit, state: state, previous: inbox.previous.take(),
        keepsPrevious: keepsPrevious, part: part)
      return inbox.isClosed ? change : inbox.buffer.offer(change)
    }
  }

  /// No more will come; what is buffered is still given.
  func close() {
    inbox.withLock { $0.isClosed = true }
    signal.raise()
  }

  /// Ends the feed and drops what is buffered: there is no reader any more.
  private func abandon() {
    let unread = inbox.withLock { inbox in
      inbox.isClosed = true
      return inbox.buffer.removeAll()
    }
    // Released here, without the lock: a change may hold the last reference to something of the user's.
    withExtendedLifetime(unread) {}
  }

  /// The next change; nil when the store has gone or the task was cancelled, and ever after.
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
      // A cancelled wait ends the signal for good, so there must be no other wait after it.
      await signal.wait()
    }
    abandon()
    return nil
  }
}
