/// Why a request has no answer.
public enum RequestError: Error, Sendable, Hashable, CustomStringConvertible {
  /// All that the request had set off ended, and no such action was among it.
  case unanswered(request: String, answer: String)

  /// The types of the request and of the answer that did not come.
  public var description: String {
    switch self {
    case .unanswered(let request, let answer):
      """
      Nothing that \(code: request) set off was answered by \(code: answer): all of it has ended. Look whether an \
      effect handles \(code: request), whether it failed, was cancelled or superseded, and what it dispatches instead.
      """
    }
  }
}

extension StateObserving {
  /// Dispatches an action, and returns the first action of a type that comes of it.
  ///
  /// ```swift
  /// let found = try await store.request(Search("ab"), answeredBy: Found.self)
  /// ```
  ///
  /// What comes of it is every commit that the dispatch, its effects, and what these dispatch have made. So an equal
  /// answer to another request is none. When the answer is returned, its commit has been made, and the rest of
  /// what the request has set off goes on. In a scope, and in the context of an effect, both actions are in its terms.
  ///
  /// Cancelling the task that waits cancels the dispatch, as for `DispatchTask.finish()`. While a request is under way,
  /// each commit is kept for it, as for a reader of `changes()`.
  ///
  /// What the action stands for is applied when it is dispatched, and is no asynchronous sequence.
  ///
  /// - Returns: The answer.
  /// - Throws: `RequestError.unanswered` once all that came of it has ended without an answer, or the store has gone;
  ///   `CancellationError` when the waiting task or the dispatch is cancelled; `DispatchDeadlock` if the caller would
  ///   wait for itself.
  nonisolated(nonsending) public func request<Request: Action, Answer: Action>(
    _ action: Request, answeredBy type: Answer.Type,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) async throws -> Answer {
    view.core.checkEntry("requested \(code: Answer.self)")
    let unanswered = RequestError.unanswered(request: "\(Request.self)", answer: "\(Answer.self)")
    let answer: Answer? = try await withThrowingTaskGroup(of: Answer?.self) { group in
      // Before the dispatch: so no commit of it is missed.
      let changes = asScope.changes().makeAsyncIterator()
      let task = dispatch(action, fileID: fileID, function: function, line: line)
      guard let root = task.revision else {
        try await task.finish()
        return nil
      }
      let buffer = changes.buffer
      group.addTask { await findAnswer(from: root, in: changes) }
      group.addTask {
        try await task.work?.wait(for: .everything, isObserving: true)
        // It has every commit of what has ended.
        buffer.end()
        return nil
      }
      defer {
        group.cancelAll()
        // While the handle lives, the work does not reparent its children.
        withExtendedLifetime(task) {}
      }
      return try await withTaskCancellationHandler {
        while let result = try await group.next() {
          if let result { return result }
        }
        return nil
      } onCancel: {
        task.cancel()
      }
    }
    if let answer { return answer }
    try Task.checkCancellation()
    throw unanswered
  }
}

/// Reads changes until one that a commit has led to has the answer; nil if none has.
nonisolated(nonsending) private func findAnswer<Answer: Action, State: Sendable>(
  from root: UInt64, in changes: StateChanges<State>.Iterator
) async -> Answer? {
  var changes = changes
  // The commits of the tree; what is dispatched in one commit has led to it.
  var tree: Set<UInt64> = [root]
  while let change = await changes.next() {
    guard change.revision == root || change.parent.map(tree.contains) ?? false else { continue }
    tree.insert(change.revision)
    for action in change.actions {
      if let answer = action as? Answer { return answer }
    }
  }
  return nil
}
