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
