/// The commits after the one that triggered an effect, as a sequence that its reader consumes.
///
/// ```swift
/// Effect<AppState>(on: Record.self, .latest) { _, context in
///   for await change in context.changes() { try await tape.append(change.actions) }
/// }
/// .keepingChanges()
/// ```
///
/// **Guarantees.** It begins with the commit after the trigger, without a gap, also if the run began late: a
/// number in `revision` that is left out was dropped, and `droppedCount` counts it. Commits come in their order.
/// In a feature, the state and the actions are those of the feature. Each has the `previous` state if the effect is
/// `keepingPrevious()`. It ends with the run, with the store, and
/// with the task that reads it.
///
/// What was read is gone: iterating it again goes on where the reading ended. Each call of `context.changes()`
/// makes a reader of its own, which begins with the oldest change that some reader has yet to read. So make the
/// readers first, to read the same changes twice. Each is for one task at a time.
///
/// **Cost.** Before it is read, the effect keeps as many commits as `keepingChanges(limit:)` says. From the first
/// reading on, all that are yet to be read, like `store.changes()`.
public struct EffectChanges<State: Sendable>: AsyncSequence, Sendable {
  /// Changes never fail.
  public typealias Failure = Never

  let reader: ChangeReader
  let home: EffectHome<State>
  let effect: String

  /// Reads the changes, one at a time, for one task.
  public struct Iterator: AsyncIteratorProtocol {
    let changes: EffectChanges

    /// The next change, or nil when the run has ended.
    nonisolated(nonsending) public mutating func next() async -> Change<State>? {
      guard let item = await changes.reader.next() else { return nil }
      var change = changes.home.change(of: item.report)
      change.droppedCount = item.dropped
      return change
    }

    /// The next change, or nil when the run has ended, without leaving the caller's actor.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> Change<State>? {
      await next()
    }
  }

  /// The reader, from where its reading has ended.
  public func makeAsyncIterator() -> Iterator {
    home.core.checkEntry("read the changes of an effect")
    reader.setActive(true)
    return Iterator(changes: self)
  }

  /// Waits for an action of a type, and returns it.
  ///
  /// ```swift
  /// let changes = context.changes()
  /// let answer = try await changes.next(Answer.self, where: { answer, _ in answer.id == 7 })
  /// ```
  ///
  /// It reads on until it finds the action. What it has read before that is gone.
  ///
  /// - Parameters:
  ///   - type: The type, as the feature knows it.
  ///   - condition: Says whether it is the one, given the state after its commit.
  ///   - limit: How long to wait; without it, as long as the run lasts.
  ///   - clock: The clock to measure by.
  /// - Returns: The action. Of several in one commit, later calls return the others.
  /// - Throws: `EffectTimeout` after `limit`; `ChangesDropped` if more commits came before it was asked for than
  ///   were kept; `CancellationError` when the run ends.
  nonisolated(nonsending) public func next<A: Action, C: Clock>(
    _ type: A.Type,
    where condition: @escaping @Sendable (_ action: A, _ state: State) -> Bool = { _, _ in true },
    within limit: Duration? = nil, clock: C = ContinuousClock()
  ) async throws -> A where C.Duration == Duration {
    reader.setActive(true)
    // What is there already counts, however short the limit is.
    if let action = try await find(type, where: condition, waiting: false) { return action }
    return try await withLimit(limit, clock, of: effect, for: "\(code: A.self)") {
      if let action = try await find(type, where: condition, waiting: true) { return action }
      throw CancellationError()
    }
  }

  /// Reads on until it finds the action; nil when there is no next commit.
  nonisolated(nonsending) private func find<A: Action>(
    _ type: A.Type, where condition: (_ action: A, _ state: State) -> Bool, waiting: Bool
  ) async throws -> A? {
    while let item = await reader.next(waiting: waiting) {
      if let action = try find(type, in: item, where: condition) { return action }
    }
    return nil
  }

  /// Finds the action among those of one commit; what is behind it is put back.
  private func find<A: Action>(
    _ type: A.Type, in item: ChangeReader.Item,
    where condition: (_ action: A, _ state: State) -> Bool
  ) throws -> A? {
    var item = item
    if item.dropped > 0 {
      let count = item.dropped
      item.dropped = 0
      reader.putBack(item)
      throw ChangesDropped(effect: effect, count: count)
    }
    let route = ActionRoute(type, through: home.steps)
    let members = item.report.members
    while item.seen < members.count {
      let member = members[item.seen]
      item.seen += 1
      guard let own = route.inner(of: member), own.ids == home.ids, let action = own.action as? A,
        condition(action, home.change(of: item.report).state)
      else { continue }
      if item.seen < members.count { reader.putBack(item) }
      return action
    }
    return nil
  }
}

/// Where the changes begin that a run of an effect reads.
public enum EffectChangesBeginning: Sendable, Hashable {
  /// With the commit after the one that triggered the run.
  case trigger
  /// With the first commit after the run began: one that waited for its turn has missed what came meanwhile.
  case run
}

/// An effect asked for the changes since its trigger after more of them had come than were kept.
public struct ChangesDropped: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the effect.
  public let effect: String
  /// How many changes were dropped.
  public let count: Int

  /// The name of the effect, the number of changes, and what to do.
  public var description: String {
    """
    the effect \(effect) asked for an action, and \(count) changes before that were dropped: more had come than \
    were kept. Give keepingChanges(limit:) more room, or ask earlier.
    """
  }
}
