/// The buffer of one reader of `changes`, whatever the type of the state: the machine, its lock, and the signal.
///
/// A commit adds to it under the lock of the store. It knows no type of state, so that this costs one allocation
/// and no look-up of types at run time.
final class ChangeQueue: Sendable {
  private struct Inbox: Sendable {
    var buffer: BufferMachine<any CommitReport>
    var previous: (any AnyObject & Sendable)?
    var isFirst = true
    var isClosed = false
  }

  /// What the reader is given of a commit: the state, or a part of it.
  struct Source: Sendable {
    /// Copies the state before a commit, where the reader asked for it.
    let keep: (@Sendable (_ state: StateAddress) -> any AnyObject & Sendable)?
    let makeReport:
      @Sendable (_ commit: CommitRecord, _ previous: (any AnyObject & Sendable)?) ->
        any CommitReport
  }

  /// A change that was taken out.
  struct Taken: Sendable {
    let report: any CommitReport
    let droppedCount: Int
    let isFirst: Bool
  }

  private let inbox: Locked<Inbox>
  private let source: Source
  let signal = Signal()

  init(_ buffering: ChangeBuffering, of source: Source) {
    inbox = Locked(Inbox(buffer: BufferMachine(buffering)))
    self.source = source
  }

  /// Records every commit from the one after the attachment on.
  ///
  /// `onAttach` is given the last commit, and lent the state that it left.
  func attachment(
    onAttach: (@Sendable (_ revision: UInt64, _ state: StateAddress) -> Void)? = nil
  ) -> Attachment {
    var recorder = CommitRecorder(record: { [self] in record($0) }, signal: signal)
    if let keep = source.keep {
      recorder.prepare = { [self] state in
        let previous = keep(state)
        inbox.withLock { $0.previous = previous }
      }
    }
    let listener = CommitListener(
      interest: .everyCommit, phase: .inCommit(recorder), onAttach: onAttach)
    return Attachment(
      listeners: [listener], purpose: "read the changes of the store", stop: { [self] in close() })
  }

  private func record(_ commit: CommitRecord) -> (any Sendable)? {
    let previous = source.keep == nil ? nil : inbox.withLock { $0.previous.take() }
    let report = source.makeReport(commit, previous)
    return inbox.withLock { $0.isClosed ? report : $0.buffer.offer(report) }
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
  nonisolated(nonsending) func next() async -> Taken? {
    while !Task.isCancelled {
      let (taken, isClosed) = inbox.withLock { inbox -> (Taken?, Bool) in
        guard case (let report, let dropped)? = inbox.buffer.take() else {
          return (nil, inbox.isClosed)
        }
        defer { inbox.isFirst = false }
        return (Taken(report: report, droppedCount: dropped, isFirst: inbox.isFirst), false)
      }
      if let taken { return taken }
      if isClosed { return nil }
      // A cancelled wait ends the signal for good, so there must be no other wait after it.
      await signal.wait()
    }
    abandon()
    return nil
  }
}
