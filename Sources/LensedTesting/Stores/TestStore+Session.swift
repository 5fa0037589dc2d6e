#if canImport(Testing)
  public import Lensed

  extension TestStore {
    /// Has the session that a failed test leaves written by a registry, under its names.
    ///
    /// ```swift
    /// let test = try TestStore(initialState: AppState()) { … }
    /// test.attachSession(by: registry)
    /// // session.json, attached to the failed test:
    /// let journal = try JSONDecoder().decode(Journal.self, from: data)
    /// store.replay(try registry.session(journal, of: AppState.self))
    /// ```
    ///
    /// A test store that reports an issue attaches its session by itself where the state and each action are `Codable`:
    /// as JSON, the types of actions under the names that they have; where two print alike, as `One.Act` and
    /// `Other.Act` do, under these names. This is for names and coders of your own. What cannot be written is an issue.
    ///
    /// `swift test --attachments-path` says where attachments go.
    ///
    /// - Parameter registry: Writes the actions.
    public func attachSession(by registry: ActionRegistry) where State: Encodable {
      leave(SessionFile(registry: registry))
    }
  }
#endif
