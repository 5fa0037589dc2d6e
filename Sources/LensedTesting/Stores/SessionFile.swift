#if canImport(Testing)
  internal import Foundation
  internal import Lensed
  internal import Testing

  /// The file that a failed test leaves: its session, for `replay`.
  struct SessionFile<State: Sendable>: Sendable {
    private let write: @Sendable (RecordedSession<State>) throws -> Data

    init(_ registry: ActionRegistry) where State: Encodable {
      write = { try JSONEncoder().encode(registry.journal(of: $0)) }
    }

    /// The file: the commits, for a replay from the state at first.
    func data(
      of commits: [LoggedCommit<State>], from initial: State
    ) throws -> Data {
      try write(
        RecordedSession(
          initial: initial,
          steps: commits.map { commit in
            commit.cause == .action
              ? .actions(commit.members, from: commit.site) : .state(commit.state)
          }))
    }

    func attach(
      _ commits: [LoggedCommit<State>], from initial: State, _ reporter: Reporter,
      at location: SourceLocation
    ) {
      do {
        Attachment.record(
          Array(try data(of: commits, from: initial)), named: "session.json",
          sourceLocation: location)
      } catch {
        reporter.issue("The session could not be attached: \(error)", at: location)
      }
    }
  }
#endif
