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
  let translator: (any ActionTranslator)?

  /// What draws the changes, one at a time, for one task.
  public struct Iterator: AsyncIteratorProtocol {
    private let registration: ChangeRegistration<State>
    private let translator: (any ActionTranslator)?
    private var turn = JobTurn()

    init(registration: ChangeRegistration<State>, translator: (any ActionTranslator)?) {
      (self.registration, self.translator) = (registration, translator)
    }

    /// The next change, or nil when there will be none.
    nonisolated(nonsending) public mutating func next() async -> Change<State>? {
      if turn.isOver(on: #isolation) { await Task.yield() }
      var change = await registration.next()
      if let translator { change?.translator = translator }
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
    Iterator(
      registration: ChangeRegistration(
        core, ChangeFeed(buffering, keepingPrevious: keepsPrevious, of: part, in: core)),
      translator: translator)
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
    return .ended { task.cancel() }
  }
}

/// Keeps a feed installed as long as its iterator lives.
final class ChangeRegistration<State: Sendable>: Sendable {
  private let feed: ChangeFeed<State>
  private let core: StoreCore
  private let id: UInt64?

  init(_ core: StoreCore, _ feed: ChangeFeed<State>) {
    self.core = core
    self.feed = feed
    id = core.attach(feed.queue.attachment)
    if id == nil { feed.queue.close() }
  }

  deinit {
    detachFeed()
  }

  /// The next change; nil once the store has gone, or the reading task was cancelled.
  nonisolated(nonsending) func next() async -> Change<State>? {
    if let change = await feed.next() { return change }
    detachFeed()
    return nil
  }

  /// Detaches the feed: there is no reader any more.
  private func detachFeed() {
    if let id { core.detach(id) }
  }
}
