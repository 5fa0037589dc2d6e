/// The buffer of one reader of `changes`, whatever the type of the state: the machine, its lock, and the signal.
///
/// A commit adds to it under the lock of the store. It knows no type of state, so that this costs one allocation
/// and no look-up of types at run time. A commit that a full buffer drops costs no allocation: its state is not
/// copied.
final class ChangeQueue: Sendable {
  private struct Inbox: Sendable {
    var buffer: BufferMachine<any CommitReport>
    /// The state before the present commit, where the reader asked for it and the commit is to be buffered.
    var previous: (any AnyObject & Sendable)?
    var isFirst = true
    var isClosed = false
  }

  /// Copies what the reader reads of the state before a commit.
  typealias Keep = @Sendable (_ state: StateAddress) -> any AnyObject & Sendable
  /// Makes what the reader is given of a commit: the state after it, or a part of that.
  typealias MakeReport =
    @Sendable (_ commit: CommitRecord, _ previous: (any AnyObject & Sendable)?) -> any CommitReport

  struct Taken: Sendable {
    let report: any CommitReport
    let droppedCount: Int
    let isFirst: Bool
  }

  private let inbox: Locked<Inbox>
  /// Nil where the reader did not ask for the state before each commit.
  private let keep: Keep?
  private let makeReport: MakeReport
  /// Whether some commit might be found to have no place in the buffer before its state is copied.
  private let isSelective: Bool
  let signal = Signal()

  init(_ buffering: ChangeBuffering, keep: Keep?, makeReport: @escaping MakeReport) {
    let buffer = BufferMachine<any CommitReport>(buffering)
    isSelective = buffer.mayRefuse || keep != nil
    inbox = Locked(Inbox(buffer: buffer))
    (self.keep, self.makeReport) = (keep, makeReport)
  }

  /// Records every commit from the one after the attachment on.
  var attachment: Attachment {
    var recorder = CommitRecorder(record: { [self] in record($0) }, signal: signal)
    if let keep {
      recorder.prepare = { [self] state in
        if inbox.withLock({ $0.isClosed || $0.buffer.isRefusing }) { return }
        let previous = keep(state)
        inbox.withLock { $0.previous = previous }
      }
    }
    return Attachment(
      listeners: [CommitListener(selection: .recording(recorder))],
      purpose: "read the changes of the store", stop: { [self] in close() })
  }

  private func record(_ commit: CommitRecord) -> (any AnyObject & Sendable)? {
    var previous: (any AnyObject & Sendable)?
    if isSelective {
      let isWanted: Bool
      (isWanted, previous) = decideBuffering()
      if !isWanted { return previous }
    }
    let report = makeReport(commit, previous)
    return inbox.withLock { $0.isClosed ? report : $0.buffer.offer(report) }
  }

  /// Decides whether the present commit is buffered, and takes the state before it.
  ///
  /// Where that state is kept, it was decided before the commit: room that the reader makes meanwhile is for the
  /// next one. Room that was found stays, because only a commit fills the buffer.
  private func decideBuffering() -> (isWanted: Bool, previous: (any AnyObject & Sendable)?) {
    inbox.withLock { inbox in
      let previous = inbox.previous.take()
      if inbox.isClosed { return (false, previous) }
      let isRefused = keep == nil ? inbox.buffer.isRefusing : previous == nil
      if isRefused { inbox.buffer.refuse() }
      return (!isRefused, previous)
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
  nonisolated(nonsending) func next() async -> Taken? {
    while !Task.isCancelled {
      let (taken, isClosed) = inbox.withLock { inbox -> (Taken?, Bool) in
        guard case (let report, let dropped)? = inbox.buffer.popFirst() else {
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

// MARK: What fills it

/// The changes of one part of the state, for one reader.
final class ChangeFeed<State: Sendable>: Sendable {
  let queue: ChangeQueue
  private let part: PartPath<State>

  init(
    _ buffering: ChangeBuffering, keepingPrevious: Bool, of part: PartPath<State>,
    in core: StoreCore
  ) {
    self.part = part
    if part.isWhole {
      let witness = core.withLock("read the changes") { $0.witness }
      queue = ChangeQueue(buffering, keep: keepingPrevious ? witness.box : nil) {
        [make = witness.makeReport] commit, previous in
        make(commit.state, commit, nil, previous)
      }
    } else {
      let keep: ChangeQueue.Keep = { Boxed(part.read($0)) }
      let footprint = part.footprint
      queue = ChangeQueue(buffering, keep: keepingPrevious ? keep : nil) { commit, previous in
        CommitSnapshot(
          part.read(commit.state), of: commit.forReader(of: footprint), listeners: nil,
          previous: previous.flatMap { $0 as? Boxed<State> })
      }
    }
  }

  /// The next change; nil when the store has gone or the task was cancelled, and ever after.
  nonisolated(nonsending) func next() async -> Change<State>? {
    guard let taken = await queue.next() else { return nil }
    var change = taken.report.change(of: part)
    (change.droppedCount, change.isFirst) = (taken.droppedCount, taken.isFirst)
    return change
  }
}
