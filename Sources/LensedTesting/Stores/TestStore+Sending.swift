#if canImport(Testing)
  public import Lensed
  public import Testing

  // What a feature sends to its parent, where it is tested alone: actions that no reducer and no effect of it handles.

  extension TestStore {
    /// Expects an action without a handler: what a child sends to its parent, where the child is tested alone.
    ///
    /// ```swift
    /// let test = try TestStore(initialState: Editor(), editor(api: .stub))
    /// await test.dispatch(EditorAction.save)
    /// await test.receive(Saved.self) { $0.isSaved = true }
    /// await test.expectSent(EditorDelegate.self)          // the app closes the editor
    /// ```
    ///
    /// It waits as `receive` does. An action in a list that the child handles in part is expected before or after the
    /// list is received. A condition says which action is meant:
    ///
    /// ```swift
    /// await test.expectSent(EditorDelegate.self, where: { $0.isSaved })
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the action.
    ///   - isMeant: Whether an action of that type is the one that is expected; any, unless it is given.
    ///   - sourceLocation: Where issues are reported.
    /// - Returns: The action; nil where none came, or where the feature handles it itself: both are issues.
    @discardableResult
    public nonisolated(nonsending) func expectSent<A: Action>(
      _ type: A.Type, where isMeant: @escaping @Sendable (A) -> Bool = { _ in true },
      sourceLocation: SourceLocation = #_sourceLocation
    ) async -> A? {
      await expectSent("\(code: type)", at: sourceLocation, isMeant)
    }

    /// Expects an action without a handler: what a child sends to its parent, where the child is tested alone.
    ///
    /// ```swift
    /// await test.expectSent(EditorDelegate.close)
    /// ```
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - sourceLocation: Where issues are reported.
    /// - Returns: The action; nil where it did not come, or where the feature handles it itself: both are issues.
    @discardableResult
    public nonisolated(nonsending) func expectSent<A: Action & Equatable>(
      _ action: A, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> A? {
      await expectSent("\(code: ShortText.action(action))", at: sourceLocation) { $0 == action }
    }

    private nonisolated(nonsending) func expectSent<A: Action>(
      _ name: String, at location: SourceLocation, _ isMeant: @escaping @Sendable (A) -> Bool
    ) async -> A? {
      await step {
        log.begin(at: location)
        if store.hasListeners(of: A.self) || store.handles(A.self) {
          report(
            "\(name) is handled here, so it is for no parent. A step receives it, by `receive`.",
            at: location)
          return nil
        }
        let meant = { @Sendable (action: any Action) in
          (action as? A).flatMap { isMeant($0) ? $0 : nil }
        }
        // A step may have received the list that it came in.
        if let action = log.takeUnhandled(where: meant) { return action }
        let prospect = await wait { [log] in
          log.first { $0.firstUnsent(where: meant) } != nil
        }
        guard case .there = prospect,
          let (index, tested, sent) = log.first(where: { $0.firstUnsent(where: meant) })
        else {
          report(
            "\(name) was expected to be sent, and does not come:", prospect.reasons, at: location)
          return nil
        }
        passOver(index, before: tested.commit, at: location)
        if tested.sent.count + 1 == tested.commit.members.count {
          log.take(tested)
        } else {
          log.noteSent(sent.member, of: tested)
        }
        return sent.action
      }
    }
  }

  extension TestedCommit {
    /// The first of its actions that is meant, and that no step has expected as sent.
    fileprivate func firstUnsent<A: Action>(
      where find: (any Action) -> A?
    ) -> (member: Int, action: A)? {
      if commit.cause != .action { return nil }
      for (member, action) in commit.members.enumerated() where !sent.contains(member) {
        if let action = find(action) { return (member, action) }
      }
      return nil
    }
  }

  extension Store {
    /// Whether a reducer handles a type of action.
    func handles(_ type: any Action.Type) -> Bool {
      handledActionTypes.contains { $0 == type || $0 == (any Action).self }
    }
  }
#endif
