#if canImport(Testing)
  internal import Foundation
  internal import Lensed
  internal import LensedPersistence
  internal import Testing

  /// The file that a failed test leaves: its session, for `replay`.
  struct SessionFile<State: Sendable>: Sendable {
    private typealias Step = RecordedSession<EncodedState<State>>.Step

    /// What the test names the types of actions by; nil is the names that they have.
    let registry: ActionRegistry?

    /// The file: the commits, for a replay from the state at first.
    ///
    /// - Returns: The file; nil where no registry is given and the state or an action is not `Encodable` or `Codable`.
    /// - Throws: What encoding throws.
    func data(of commits: [LoggedCommit<State>], from initial: State) throws -> Data? {
      guard initial is any Encodable,
        let registry = registry
          ?? Self.registry(of: commits.flatMap { $0.isReplayable ? $0.members : [] })
      else { return nil }
      let steps = commits.map { Step($0) { EncodedState($0) } }
      let session = RecordedSession(initial: EncodedState(initial), steps: steps)
      return try JSONEncoder().encode(registry.journal(of: session))
    }

    func attach(
      _ commits: [LoggedCommit<State>], from initial: State, _ reporter: Reporter,
      at location: SourceLocation
    ) {
      reporter.attach("session.json", at: location) {
        try data(of: commits, from: initial).map { Array($0) }
      }
    }

    /// A registry of the types of actions, by the names that they have; those of namesakes are qualified.
    ///
    /// - Returns: The registry; nil where an action is not `Codable`.
    private static func registry(of actions: [any Action]) -> ActionRegistry? {
      var types: [any (Action & Codable).Type] = []
      var known: Set<ObjectIdentifier> = []
      for action in actions {
        guard let type = type(of: action) as? any (Action & Codable).Type else { return nil }
        if known.insert(ObjectIdentifier(type)).inserted { types.append(type) }
      }
      let names = TypeName.distinct(types)
      var registry = ActionRegistry(.json)
      for type in types {
        registry = registry.adding(type, named: names[ObjectIdentifier(type), default: "\(type)"])
      }
      return registry
    }
  }

  /// A state that is `Encodable`, as is seen when the program runs.
  private struct EncodedState<State: Sendable>: Encodable, Sendable {
    private let state: State

    init(_ state: State) {
      self.state = state
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if let state = state as? any Encodable { try container.encode(state) }
    }
  }
#endif
