/// The changes of one part of the state, for one reader.
final class ChangeFeed<State: Sendable>: Sendable {
  private let queue: ChangeQueue
  private let part: PartPath<State>

  init(
    _ buffering: ChangeBuffering, keepingPrevious: Bool, of part: PartPath<State>,
    in core: StoreCore
  ) {
    self.part = part
    queue = ChangeQueue(
      buffering,
      of: part.isWhole
        ? Self.whole(core.withLock("read the changes") { $0.witness }, keepingPrevious)
        : Self.part(part, keepingPrevious))
  }

  private static func whole(
    _ witness: StateWitness, _ keepingPrevious: Bool
  ) -> ChangeQueue.Source {
    let make = witness.makeReport
    return ChangeQueue.Source(
      keep: keepingPrevious ? witness.box : nil,
      makeReport: { commit, previous in make(commit.state, commit, nil, previous) })
  }

  private static func part(
    _ part: PartPath<State>, _ keepingPrevious: Bool
  ) -> ChangeQueue.Source {
    let keep: @Sendable (StateAddress) -> any AnyObject & Sendable = { Boxed(part.read($0)) }
    return ChangeQueue.Source(
      keep: keepingPrevious ? keep : nil,
      makeReport: { commit, previous in
        CommitSnapshot(
          part.read(commit.state), of: commit, listeners: nil,
          previous: previous.flatMap { $0 as? Boxed<State> })
      })
  }

  /// Records every commit from the one after the attachment on.
  ///
  /// `onAttach` is given the last commit, and lent the state that it left.
  func attachment(
    onAttach: (@Sendable (_ revision: UInt64, _ state: StateAddress) -> Void)? = nil
  ) -> Attachment {
    queue.attachment(onAttach: onAttach)
  }

  /// No more will come; what is buffered is still given.
  func close() {
    queue.close()
  }

  /// The next change; nil when the store has gone or the task was cancelled, and ever after.
  nonisolated(nonsending) func next() async -> Change<State>? {
    let next = await queue.next()
    part.formers?.release()
    guard let taken = next else { return nil }
    var change = taken.report.change(of: part)
    (change.droppedCount, change.isFirst) = (taken.droppedCount, taken.isFirst)
    return change
  }
}
