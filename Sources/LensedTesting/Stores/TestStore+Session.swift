#if canImport(Testing)
  public import Lensed

  extension TestStore {
    /// Lets the test leave a file if it fails: its session, for `replay`.
    ///
    /// ```swift
    /// let test = try TestStore(initialState: AppState()) { … }
    /// test.attachSession(by: registry)
    /// // session.json, attached to the failed test:
    /// let journal = try JSONDecoder().decode(Journal.self, from: data)
    /// store.replay(try registry.session(journal, of: AppState.self))
    /// ```
    ///
    /// `swift test --attachments-path` says where attachments go.
    ///
    /// - Parameter registry: Writes the actions.
    public func attachSession(by registry: ActionRegistry) where State: Encodable {
      leave(SessionFile(registry))
    }
  }
#endif
