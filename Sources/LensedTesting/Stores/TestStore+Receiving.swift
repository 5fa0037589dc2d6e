#if canImport(Testing)
  public import Lensed
  public import Testing

  extension TestStore {
    /// Receives the next commit of an action of a type, and expects it to change what is said.
    ///
    /// ```swift
    /// await test.receive(Found.self) { $0.results = ["abc"] }
    /// ```
    ///
    /// It waits until one comes, or until nothing more can come: see `TestStore`. Commits are received in commit
    /// order. A list that was dispatched as one is received once, by any of its members.
    ///
    /// - Parameters:
    ///   - type: The type of the action.
    ///   - sourceLocation: Where issues are reported.
    ///   - changes: Turns the state before the commit into the one after it.
    /// - Returns: The action; nil where none came, which is an issue.
    @discardableResult
    public nonisolated(nonsending) func receive<A: Action>(
      _ type: A.Type, sourceLocation: SourceLocation = #_sourceLocation,
      _ changes: ((inout State) throws -> Void)? = nil
    ) async -> A? {
      await receive(type, where: { _ in true }, sourceLocation: sourceLocation, changes)
    }

    /// Receives the next commit of an action that meets a condition, and expects it to change what is said.
    ///
    /// ```swift
    /// await test.receive(Found.self, where: { $0.results.count == 1 }) { $0.results = ["abc"] }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the action.
    ///   - isMeant: Whether an action of that type is the one that is expected.
    ///   - sourceLocation: Where issues are reported.
    ///   - changes: Turns the state before the commit into the one after it.
    /// - Returns: The action; nil where none came, which is an issue.
    @discardableResult
    public nonisolated(nonsending) func receive<A: Action>(
      _ type: A.Type, where isMeant: @escaping @Sendable (A) -> Bool,
      sourceLocation: SourceLocation = #_sourceLocation,
      _ changes: ((inout State) throws -> Void)? = nil
    ) async -> A? {
      let awaited = Awaited<State, A>(
        name: "`\(type)`", find: { commit in commit.actions(of: type).first(where: isMeant) },
        difference: { commit in
          commit.actions(of: type).isEmpty
            ? nil : ["the condition of the step does not hold for it"]
        })
      return await receive(awaited, at: sourceLocation, changes)
    }

    /// Receives the next commit of an action, and expects it to change what is said.
    ///
    /// ```swift
    /// await test.receive(Found(["abc"])) { $0.results = ["abc"] }
    /// ```
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - sourceLocation: Where issues are reported.
    ///   - changes: Turns the state before the commit into the one after it.
    /// - Returns: The action; nil where none came, which is an issue.
    @discardableResult
    public nonisolated(nonsending) func receive<A: Action & Equatable>(
      _ action: A, sourceLocation: SourceLocation = #_sourceLocation,
      _ changes: ((inout State) throws -> Void)? = nil
    ) async -> A? {
      let awaited = Awaited<State, A>(
        name: "`\(ShortText.action(action))`",
        find: { commit in commit.actions(of: A.self).first { $0 == action } },
        difference: { commit in
          commit.actions(of: A.self).first.map {
            Sameness(expected: action, actual: $0).lines(root: "action")
          }
        })
      return await receive(awaited, at: sourceLocation, changes)
    }

    /// Receives the next commit of one case of an action, and expects it to change what is said.
    ///
    /// ```swift
    /// let rows = await test.receive(case: SearchAction.foundCase) { $0.isLoading = false }
    /// ```
    ///
    /// - Parameters:
    ///   - prism: The case.
    ///   - sourceLocation: Where issues are reported.
    ///   - changes: Turns the state before the commit into the one after it.
    /// - Returns: The payload; nil where none came, which is an issue.
    @discardableResult
    public nonisolated(nonsending) func receive<A: Action, Value: Sendable>(
      case prism: Prism<A, Value>, sourceLocation: SourceLocation = #_sourceLocation,
      _ changes: ((inout State) throws -> Void)? = nil
    ) async -> Value? {
      let awaited = Awaited<State, Value>(
        name: "A case of `\(A.self)` with a `\(Value.self)`",
        find: { commit in
          commit.actions(of: A.self).lazy.compactMap { prism.extract($0) }.first
        })
      return await receive(awaited, at: sourceLocation, changes)
    }

    /// Receives the next outcome that an asynchronous mutator commits, and expects it to change what is said.
    ///
    /// ```swift
    /// await test.dispatch(PageEvent.load)                                  // queues the event
    /// await test.receive(outcomeOf: \.page) { $0.page = .loading }         // what `whileLoading` shows
    /// await test.receive(outcomeOf: \.page) { $0.page = .loaded(product) }
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: The part that the mutator owns.
    ///   - sourceLocation: Where issues are reported.
    ///   - changes: Turns the state before the commit into the one after it.
    public nonisolated(nonsending) func receive<Value>(
      outcomeOf keyPath: any WritableKeyPath<State, Value> & Sendable,
      sourceLocation: SourceLocation = #_sourceLocation,
      _ changes: ((inout State) throws -> Void)? = nil
    ) async {
      let lens = Lens(keyPath)
      let awaited = Awaited<State, Bool>(
        name: "An outcome of `\(lens)`",
        find: { commit in
          let isOutcome = commit.cause == .asyncResult || commit.cause == .placeholder
          return isOutcome && commit.touches(lens) ? true : nil
        })
      _ = await receive(awaited, at: sourceLocation, changes)
    }

    /// Receives the next replacement of the state, which something else than a step made.
    ///
    /// - Parameters:
    ///   - sourceLocation: Where issues are reported.
    ///   - changes: Turns the state before the commit into the one after it.
    public nonisolated(nonsending) func receiveReplacement(
      sourceLocation: SourceLocation = #_sourceLocation,
      _ changes: ((inout State) throws -> Void)? = nil
    ) async {
      let awaited = Awaited<State, Bool>(
        name: "A replacement of the state", find: { $0.cause == .replacement ? true : nil })
      _ = await receive(awaited, at: sourceLocation, changes)
    }

    /// Receives the next uncaught error of a type that an effect, a sequence or an asynchronous reducer threw.
    ///
    /// ```swift
    /// let error = await test.receiveError(Offline.self)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the error.
    ///   - sourceLocation: Where issues are reported.
    /// - Returns: The error; nil where none came, which is an issue.
    @discardableResult
    public nonisolated(nonsending) func receiveError<Failure: Error>(
      _ type: Failure.Type, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> Failure? {
      log.begin(at: sourceLocation)
      let prospect = await wait { [log] in log.hasError { $0.underlying is Failure } }
      if let found = log.takeError(where: { $0.underlying is Failure }) {
        return found.underlying as? Failure
      }
      report(
        "An error `\(type)` was expected, and does not come:", prospect.reasons, at: sourceLocation)
      return nil
    }
  }

  extension TestStore {
    /// Receives the next warning of a kind.
    ///
    /// An unhandled action is an issue of the step that dispatches or receives it, and no warning.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - sourceLocation: Where issues are reported.
    /// - Returns: The warning; nil where none came, which is an issue.
    @discardableResult
    public nonisolated(nonsending) func receiveWarning(
      _ kind: StoreWarning.Kind, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> StoreWarning? {
      log.begin(at: sourceLocation)
      let prospect = await wait { [log] in log.hasWarning(kind) }
      if let found = log.takeWarning(of: kind) { return found }
      report(
        "A warning `\(kind)` was expected, and does not come:", prospect.reasons,
        at: sourceLocation)
      return nil
    }
  }

  extension LoggedCommit {
    /// The actions of one type that were committed, the list as a whole too.
    fileprivate func actions<A: Action>(of type: A.Type) -> [A] {
      if let whole = action as? A { return [whole] }
      return members.compactMap { $0 as? A }
    }
  }
#endif
