/// Every commit of a store from now on, with the action it came from.
///
/// ```swift
/// for await change in store.changes(buffering: .bounded(100, dropping: .oldest)) {
///   log(change.revision, change.actions, change.droppedCount)
/// }
/// ```
///
/// **Guarantees.** It begins when an iterator is made, and yields the commits after that in commit
/// order; none is missed but those that a bounded buffer drops, and these are counted. What was
/// buffered is delivered before it ends with the store. When the reading task is cancelled it ends at
/// once: from then on its iterator returns nil, to any task that asks, and nothing is buffered for it.
/// It does not keep the store alive. Read on an actor, it lets the other jobs of that actor run after 16 changes.
///
/// **Cost.** Each buffered change holds a state, so the next commit copies what it touches, and each
/// dispatch boxes its action. Where the newest state is enough, `states` costs neither.
public struct StateChanges<State: Sendable>: AsyncSequence, Sendable {
  /// Changes never fail.
  public typealias Failure = Never

  let core: StoreCore
  let part: PartPath<State>
  let buffering: ChangeBuffering
  let keepsPrevious: Bool
  /// Knows the actions of the feature, where they differ from those of the store.
  let translator: ActionTransform?

  /// What draws the changes, one at a time, for one task.
  public struct Iterator: AsyncIteratorProtocol {
    private let backlog: ChangeBacklog
    private let view: ChangeView<State>

    /// What it reads; once that has ended, it gives what is there, and no more.
    var buffer: ChangeBuffer { backlog.buffer }

    init(_ changes: StateChanges) {
      backlog = ChangeBacklog(
        changes.buffering, keepingPrevious: changes.keepsPrevious, of: changes.part)
      view = ChangeView(changes.part, in: changes.translator)
      changes.core.add(backlog)
    }

    /// The next change, or nil when there will be none.
    nonisolated(nonsending) public mutating func next() async -> Change<State>? {
      guard let item = await backlog.reader.next() else {
        // After a cancelled wait there is no reader any more.
        backlog.close()
        return nil
      }
      var change = item.report.change(in: view)
      (change.droppedCount, change.isFirst) = (item.dropped, item.isFirst)
      return change
    }

    /// The next change, or nil when there will be none, without leaving the caller's actor.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> Change<State>? {
      await next()
    }
  }

  /// A reader of its own, registered from here on.
  public func makeAsyncIterator() -> Iterator {
    Iterator(self)
  }

  /// Calls back on the main actor for every commit, in order; not only for the newest one.
  ///
  /// ```swift
  /// let subscription = store.changes().subscribe(onMain: { change in log.append("\(change)") })
  /// ```
  ///
  /// The commits after this call are all delivered, but for those that a bounded buffer drops. What is buffered
  /// when the store goes is delivered too. After 16 changes in a row it lets the other jobs of the main actor run.
  ///
  /// - Parameter body: Is not called again once the subscription was cancelled on the main actor.
  /// - Returns: The subscription, which keeps the calls coming; releasing it ends them.
  public func subscribe(
    onMain body: @escaping @MainActor @Sendable (_ change: Change<State>) -> Void
  ) -> StoreSubscription {
    let iterator = makeAsyncIterator()
    let task = Task { @MainActor in
      var iterator = iterator
      while let change = await iterator.next() {
        if Task.isCancelled { return }
        body(change)
      }
    }
    return StoreSubscription(end: { [core] in
      core.checkEntry("cancelled a subscription")
      task.cancel()
    })
  }
}
