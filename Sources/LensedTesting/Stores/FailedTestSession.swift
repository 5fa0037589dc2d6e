#if canImport(Testing)
  internal import Foundation
  internal import Lensed
  internal import LensedPersistence
  internal import Testing

  /// The file that a failed test leaves: its session, for `replay` and `lensed-inspect`.
  struct SessionFile<State: Sendable>: Sendable {
    /// What the test names the types of actions by; nil is the names that they have.
    let registry: ActionRegistry?

    /// The file: the commits, for a replay from the state at first.
    ///
    /// - Throws: `SessionError` where the disk fails, and the errors of the file system.
    func data(of commits: [LoggedCommit<State>], from initial: State) throws -> Data {
      let session = RecordedSession(
        initial: initial, steps: commits.map { RecordedSession.Step($0) })
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).lensed")
      defer { try? FileManager.default.removeItem(at: file) }
      try session.write(to: file, registry ?? Self.registry(of: commits.flatMap(\.members)))
      return try Data(contentsOf: file)
    }

    func attach(
      _ commits: [LoggedCommit<State>], from initial: State, _ reporter: Reporter,
      at location: SourceLocation
    ) {
      reporter.attach("session.lensed", at: location) {
        Array(try data(of: commits, from: initial))
      }
    }

    /// A registry of the types of actions that are `Codable`, by the names that they have; those of namesakes are qualified.
    private static func registry(of actions: [any Action]) -> ActionRegistry {
      var types: [any (Action & Codable).Type] = []
      var known: Set<ObjectIdentifier> = []
      for action in actions {
        guard let type = type(of: action) as? any (Action & Codable).Type else { continue }
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
#endif
