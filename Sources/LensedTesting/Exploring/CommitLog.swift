internal import Lensed

/// The commits of a store, in order, for a test that takes them one after another.
final class CommitLog<State: Sendable>: Sendable {
  private let commits = Locked<[LoggedCommit<State>]>([])

  /// Logs the store's commits from now on.
  ///
  /// - Returns: The state before the first one.
  func begin(in store: Store<State>) -> State {
    store.logCommits { [self] commit in commits.withLock { $0.append(commit) } }
  }

  /// Takes out all commits that were logged.
  func take() -> [LoggedCommit<State>] {
    commits.withLock { commits in
      defer { commits = [] }
      return commits
    }
  }
}
