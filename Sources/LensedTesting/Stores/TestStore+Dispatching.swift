#if canImport(Testing)
  public import Lensed
  public import Testing

  // The steps that commit:
  //
  // 1. What was set off before comes to rest; its commits belong to the step before.
  // 2. The step dispatches. The commits of its own are told from others by its call site.
  // 3. What that set off comes to rest. Then each own commit is checked (`TestStore+Checking`).

  extension TestStore {
    /// Dispatches an action, and expects its own commit to change what is said.
    ///
    /// ```swift
    /// await test.dispatch(QueryChanged("ab")) { $0.query = "ab" }
    /// await test.dispatch(Reload())                                   // changes nothing
    /// await test.dispatch([CounterAction.increase(1), .increase(2)]) { $0.counter = 3 }
    /// ```
    ///
    /// What effects, observers and asynchronous mutators commit because of it is not its own: `receive` takes that.
    /// It returns when what it has set off rests. Answers that come before a step may be received after it.
    ///
    /// - Parameters:
    ///   - action: The action; an array is one commit.
    ///   - fileID: Where it is dispatched, for the store.
    ///   - function: Where it is dispatched, for the store.
    ///   - line: Where it is dispatched, for the store.
    ///   - sourceLocation: Where issues are reported.
    ///   - changes: Turns the state before the commit into the one after it.
    /// - Returns: What the action has under way.
    @discardableResult
    public nonisolated(nonsending) func dispatch<A: Action>(
      _ action: A,
      fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
      sourceLocation: SourceLocation = #_sourceLocation,
      _ changes: ((inout State) throws -> Void)? = nil
    ) async -> DispatchTask {
      await step(
        "\(code: ShortText.action(action))", at: sourceLocation, changes,
        from: CallSite(fileID: fileID, line: line)
      ) {
        store.dispatch(action, fileID: fileID, function: function, line: line)
      }
    }

    /// Dispatches a list of actions of several types, and expects its own commit to change what is said.
    ///
    /// - Parameters:
    ///   - actions: The actions.
    ///   - fileID: Where they are dispatched, for the store.
    ///   - function: Where they are dispatched, for the store.
    ///   - line: Where they are dispatched, for the store.
    ///   - sourceLocation: Where issues are reported.
    ///   - changes: Turns the state before the commit into the one after it.
    /// - Returns: What the actions have under way.
    @_disfavoredOverload
    @discardableResult
    public nonisolated(nonsending) func dispatch(
      _ actions: [any Action],
      fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
      sourceLocation: SourceLocation = #_sourceLocation,
      _ changes: ((inout State) throws -> Void)? = nil
    ) async -> DispatchTask {
      let names = actions.map { ShortText.action($0) }.joined(separator: ", ")
      return await step(
        "\(code: "[\(names)]")", at: sourceLocation, changes,
        from: CallSite(fileID: fileID, line: line)
      ) {
        store.dispatch(actions, fileID: fileID, function: function, line: line)
      }
    }

    /// Dispatches each element of an asynchronous sequence as it comes; `receive` takes the commits.
    ///
    /// - Parameters:
    ///   - actions: The sequence.
    ///   - fileID: Where it is dispatched, for the store.
    ///   - function: Where it is dispatched, for the store.
    ///   - line: Where it is dispatched, for the store.
    ///   - sourceLocation: Where issues are reported.
    /// - Returns: The task of the sequence.
    @_disfavoredOverload
    @discardableResult
    public nonisolated(nonsending) func dispatch<S: AsyncSequence & Sendable>(
      _ actions: S,
      fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
      sourceLocation: SourceLocation = #_sourceLocation
    ) async -> DispatchTask where S.Element: Action {
      await step(
        "The step", at: sourceLocation, nil, from: CallSite(fileID: fileID, line: line)
      ) {
        store.dispatch(actions, fileID: fileID, function: function, line: line)
      }
    }

    /// Dispatches each element of a sequence of actions of several types; `receive` takes the commits.
    ///
    /// - Parameters:
    ///   - actions: The sequence.
    ///   - fileID: Where it is dispatched, for the store.
    ///   - function: Where it is dispatched, for the store.
    ///   - line: Where it is dispatched, for the store.
    ///   - sourceLocation: Where issues are reported.
    /// - Returns: The task of the sequence.
    @_disfavoredOverload
    @discardableResult
    public nonisolated(nonsending) func dispatch<S: AsyncSequence & Sendable>(
      _ actions: S,
      fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
      sourceLocation: SourceLocation = #_sourceLocation
    ) async -> DispatchTask where S.Element == any Action {
      await step(
        "The step", at: sourceLocation, nil, from: CallSite(fileID: fileID, line: line)
      ) {
        store.dispatch(actions, fileID: fileID, function: function, line: line)
      }
    }

    /// Does something else than dispatching, and expects its commits to change what is said.
    ///
    /// ```swift
    /// await test.perform { history.undo() } changes: { $0.title = "draft" }
    /// ```
    ///
    /// All that it commits on this thread is taken as one: an undo, a replacement of the state, a setter of a view.
    /// Effects of that begin when `body` has returned. If it throws, what it committed before is left for `receive`.
    ///
    /// - Parameters:
    ///   - body: What to do.
    ///   - sourceLocation: Where issues are reported.
    ///   - changes: Turns the state before into the one after.
    public nonisolated(nonsending) func perform(
      _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation,
      changes: ((inout State) throws -> Void)? = nil
    ) async rethrows {
      try await step {
        await settleBefore(sourceLocation)
        let own: [TestedCommit<State>]
        do {
          own = try LiveSchedulers.holding([scheduler]) {
            try log.step(at: sourceLocation, body).own
          }
        } catch {
          // The step says nothing of what it committed before it threw, so that is left to be received.
          log.putBack(log.own)
          await comeToRest(at: sourceLocation)
          throw error
        }
        await comeToRest(at: sourceLocation)
        guard let first = own.first, let last = own.last else {
          return verifyNothing("The step", at: sourceLocation, changes)
        }
        verify(
          from: first.before, to: last.commit.state, as: "The step", at: sourceLocation, changes)
      }
    }

    private nonisolated(nonsending) func step(
      _ name: String, at location: SourceLocation, _ changes: ((inout State) throws -> Void)?,
      from site: CallSite, _ dispatch: () -> DispatchTask
    ) async -> DispatchTask {
      await step {
        await settleBefore(location)
        let (task, commits) = LiveSchedulers.holding([scheduler]) {
          scheduler.lettingRunInBetween { log.step(at: location, dispatch) }
        }
        let index = commits.firstIndex { $0.commit.isDispatched(from: site) }
        var others = commits
        let own = index.map { others.remove(at: $0) }
        log.putBack(others)
        await comeToRest(at: location)
        if let own {
          verify(own, as: name, isOwn: true, at: location, changes)
        } else {
          verifyNothing(name, at: location, changes)
        }
        return task
      }
    }

    /// What came before a step belongs to the step before.
    private nonisolated(nonsending) func settleBefore(_ location: SourceLocation) async {
      if !scheduler.isResting { await comeToRest(at: location) }
    }

    /// Checks a step that committed nothing.
    private func verifyNothing(
      _ name: String, at location: SourceLocation, _ changes: ((inout State) throws -> Void)?
    ) {
      if changes == nil { return }
      let state = store.state
      var expected = state
      do { try changes?(&expected) } catch {
        return report("The step threw: \(error)", at: location)
      }
      let difference = Sameness(expected: expected, actual: state)
      if difference.isSame { return }
      report(
        "\(name) made no commit, and the step says that it changes the state. Middleware may have dropped it.",
        difference.lines(), at: location)
    }
  }

  extension LoggedCommit {
    /// Whether the commit is that of a step.
    fileprivate func isDispatched(from step: CallSite) -> Bool {
      guard let site else { return false }
      return site.line == step.line && site.fileID == step.fileID
    }
  }
#endif
