#if canImport(Testing)
  public import Lensed
  public import Testing

  // The steps that receive: a commit, a replacement, an error, a warning.
  //
  // 1. The step looks for the first one that is not received yet and that it may mean.
  // 2. While there is none, and something could still bring one, it waits (`TestStore+Resting`).
  // 3. What comes before the one that it finds is passed over: an issue, unless the exhaustivity allows it.
  // 4. What it finds is checked, and counts as received.

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
        name: "\(code: type)", find: { commit in commit.actions(of: type).first(where: isMeant) },
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
        name: "\(code: ShortText.action(action))",
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
        name: "A case of \(code: A.self) with a \(code: Value.self)",
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
        name: "An outcome of \(code: lens)",
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
        name: "A replacement of the state", find: { $0.ownCause == .replacement ? true : nil })
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
      await step {
        log.begin(at: sourceLocation)
        let prospect = await wait { [log] in log.hasError { $0.underlying is Failure } }
        if let found = log.takeError(where: { $0.underlying is Failure }) {
          return found.underlying as? Failure
        }
        report(
          "An error \(code: type) was expected, and does not come:", prospect.reasons,
          at: sourceLocation)
        return nil
      }
    }
  }

  extension TestStore {
    /// Receives the next warning of a kind.
    ///
    /// ```swift
    /// await test.dispatch(ElementAction(id: 7, action: RowAction.toggle))   // there is no row 7
    /// await test.receiveWarning(.missingElement)
    /// ```
    ///
    /// A warning that no step receives is an issue at the end, at the line of the step after which it came. An
    /// unhandled action is no warning: see `expectSent(_:where:sourceLocation:)`.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - sourceLocation: Where issues are reported.
    /// - Returns: The warning; nil where none came, which is an issue.
    @discardableResult
    public nonisolated(nonsending) func receiveWarning(
      _ kind: StoreWarning.Kind, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> StoreWarning? {
      await step {
        log.begin(at: sourceLocation)
        let prospect = await wait { [log] in log.hasWarning(kind) }
        if let found = log.takeWarning(of: kind) { return found }
        report(
          "A warning \(code: kind) was expected, and does not come:", prospect.reasons,
          at: sourceLocation)
        return nil
      }
    }
  }

  extension LoggedCommit {
    /// The actions of one type that were committed, the list as a whole too.
    fileprivate func actions<A: Action>(of type: A.Type) -> [A] {
      if let whole = action as? A { return [whole] }
      return members.compactMap { $0 as? A }
    }
  }

  // MARK: How a step receives

  /// What a step waits for.
  struct Awaited<State: Sendable, Value: Sendable>: Sendable {
    /// Its name, as the subject of a sentence.
    let name: String
    /// The value in a commit, if it is meant.
    let find: @Sendable (LoggedCommit<State>) -> Value?
    /// Why a commit that looks alike is not meant; nil where it does not look alike.
    var difference: @Sendable (LoggedCommit<State>) -> [String]? = { _ in nil }
  }

  extension TestStore {
    /// Waits for a commit, takes it, and checks it.
    ///
    /// - Returns: What was found in it; nil where it did not come.
    nonisolated(nonsending) func receive<Value: Sendable>(
      _ awaited: Awaited<State, Value>, at location: SourceLocation,
      _ changes: ((inout State) throws -> Void)?
    ) async -> Value? {
      await step {
        log.begin(at: location)
        let find = { (tested: TestedCommit<State>) in awaited.find(tested.commit) }
        let prospect = await wait { [log] in log.first { awaited.find($0.commit) } != nil }
        guard case .there = prospect, let found = log.first(where: find) else {
          reportMissing(awaited, prospect, log.pending, at: location)
          return nil
        }
        passOver(found.index, before: found.tested.commit, at: location)
        log.take(found.tested)
        verify(found.tested, as: found.tested.commit.sentence, at: location, changes)
        return found.value
      }
    }

    /// Passes over the pending commits before one that a step takes.
    func passOver(_ count: Int, before commit: LoggedCommit<State>, at location: SourceLocation) {
      if count == 0 { return }
      let exhaustivity = exhaustivity
      var earlier: [TestedCommit<State>] = []
      for skipped in log.prefix(count) where !skipped.wasReported {
        if exhaustivity.mustBeReceived(skipped) {
          earlier.append(skipped)
        } else {
          // Received in commit order: what was skipped is not received later.
          log.take(skipped)
          showSkipped(
            "\(skipped.commit.sentence) was skipped:", log.lines(of: skipped), at: location)
        }
      }
      if earlier.isEmpty { return }
      log.noteReported(earlier)
      report(
        "\(commit.sentence) came after commits that no step has received:",
        earlier.map { "\($0.commit.sentence)\(log.place(of: $0.commit))" }, at: location)
    }

    private func reportMissing<Value>(
      _ awaited: Awaited<State, Value>, _ prospect: Prospect,
      _ pending: [TestedCommit<State>], at location: SourceLocation
    ) {
      for tested in pending {
        if let lines = awaited.difference(tested.commit) {
          // The test means this one, so it is no longer there to be received.
          log.take(tested)
          return report(
            "\(tested.commit.sentence) came, and the step expects another one:",
            lines + log.placeLines(of: tested.commit), at: location)
        }
      }
      let waiting = pending.map {
        "not received yet: \($0.commit.sentence)\(log.place(of: $0.commit))"
      }
      report(
        "\(awaited.name) was expected, and does not come:", prospect.reasons + waiting, at: location
      )
    }
  }
#endif
