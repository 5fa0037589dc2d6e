#if canImport(Testing)
  internal import Lensed
  internal import Testing

  /// A commit, the state before it, and the step of the test after which it came.
  struct TestedCommit<State: Sendable>: Sendable {
    let commit: LoggedCommit<State>
    let before: State
    let step: SourceLocation
    /// Whether an issue says already that no step has received it.
    var wasReported = false

    /// What it changed, as lines, and where it was dispatched.
    var lines: [String] {
      let most = 12
      let changes = StateDifference.entries(from: before, to: commit.state, limit: most)
      let rest = changes.count > most ? ["… and more"] : []
      return changes.prefix(most).map(\.line) + rest + commit.placeLines
    }
  }

  extension LoggedCommit {
    /// Where it was dispatched, after its name.
    var place: String { site.map { ", dispatched at \($0)" } ?? "" }
    /// Where it was dispatched, in a line of its own.
    var placeLines: [String] { site.map { ["dispatched at \($0)"] } ?? [] }
  }

  /// The commits of a store under test that no step has received yet, and what went wrong besides.
  final class StepLog<State: Sendable>: Sendable {
    private struct Contents: Sendable {
      var pending: [TestedCommit<State>] = []
      var session: [LoggedCommit<State>] = []
      var last: State?
      var step: SourceLocation
      /// The thread whose commits are those of a step, while the step is made.
      var ownThread: UInt?
      /// The commits that the last step made on its thread.
      var own: [TestedCommit<State>] = []
      var errors: [(error: EffectError, step: SourceLocation)] = []
      var warnings: [(warning: StoreWarning, step: SourceLocation)] = []
      /// The types of actions that the store warned of as unhandled, each once.
      var unhandled: Set<ObjectIdentifier> = []
      var watcher: CheckedContinuation<Void, Never>?
      /// Whether something came since the watcher was last told.
      var hasNews = false

      mutating func takeWatcher() -> CheckedContinuation<Void, Never>? {
        hasNews = watcher == nil
        defer { watcher = nil }
        return watcher
      }
    }

    private let contents: Locked<Contents>

    init(at step: SourceLocation) {
      contents = Locked(Contents(step: step))
    }

    /// Notes the state before the first commit.
    func begin(with state: State) {
      contents.withLock { $0.last = state }
    }

    /// Takes in a commit; called under the lock of the store.
    func append(_ commit: LoggedCommit<State>) {
      let watcher = contents.withLock { contents in
        let tested = TestedCommit(
          commit: commit, before: contents.last ?? commit.state, step: contents.step)
        contents.session.append(commit)
        contents.last = commit.state
        if contents.ownThread == commit.thread {
          contents.own.append(tested)
          return nil as CheckedContinuation<Void, Never>?
        }
        contents.pending.append(tested)
        return contents.takeWatcher()
      }
      watcher?.resume()
    }

    func append(_ error: EffectError) {
      note { $0.errors.append((error, $0.step)) }
    }

    /// Takes in a warning; that an action is unhandled is an issue of the step that receives its commit.
    func append(_ warning: StoreWarning) {
      if warning.kind != .unhandledAction {
        return note { $0.warnings.append((warning, $0.step)) }
      }
      guard let action = warning.action else { return }
      contents.withLock { _ = $0.unhandled.insert(ObjectIdentifier(type(of: action))) }
    }

    /// Whether the store warned that actions of a type are unhandled.
    func wasUnhandled(_ type: any Action.Type) -> Bool {
      contents.withLock { $0.unhandled.contains(ObjectIdentifier(type)) }
    }

    /// Notes what came beside the commits, and tells the watcher.
    private func note(_ change: (inout Contents) -> Void) {
      let watcher = contents.withLock { contents in
        change(&contents)
        return contents.takeWatcher()
      }
      watcher?.resume()
    }

    /// Lets who waits for news look again.
    func tellNews() {
      note { _ in }
    }

    func hasWarning(_ kind: StoreWarning.Kind) -> Bool {
      contents.withLock { $0.warnings }.contains { $0.warning.kind == kind }
    }

    func takeWarnings() -> [(warning: StoreWarning, step: SourceLocation)] {
      contents.withLock { exchange(&$0.warnings, with: []) }
    }

    /// Takes the oldest warning of a kind, among those at one place in the source if a place is given.
    func takeWarning(of kind: StoreWarning.Kind, at site: CallSite? = nil) -> StoreWarning? {
      contents.withLock { contents in
        let index = contents.warnings.firstIndex { entry in
          entry.warning.kind == kind
            && (site == nil || entry.warning.site?.description == site?.description)
        }
        return index.map { contents.warnings.remove(at: $0).warning }
      }
    }

    /// Makes a step, and returns what it committed on this thread.
    func step<Result>(
      at location: SourceLocation, _ body: () throws -> Result
    ) rethrows -> (result: Result, own: [TestedCommit<State>]) {
      let thread = currentThreadIdentity
      contents.withLock { ($0.step, $0.ownThread, $0.own) = (location, thread, []) }
      defer { contents.withLock { $0.ownThread = nil } }
      let result = try body()
      return (result, own)
    }

    /// The commits that the last step made on its thread.
    var own: [TestedCommit<State>] { contents.withLock { $0.own } }

    /// Notes a step that commits nothing itself.
    func begin(at location: SourceLocation) {
      contents.withLock { $0.step = location }
    }

    /// Puts commits back that a step made on its thread, and that others have dispatched.
    func putBack(_ commits: [TestedCommit<State>]) {
      if commits.isEmpty { return }
      contents.withLock { contents in
        contents.pending = (contents.pending + commits)
          .sorted { $0.commit.revision < $1.commit.revision }
      }
    }

    var pending: [TestedCommit<State>] { contents.withLock { $0.pending } }
    var session: [LoggedCommit<State>] { contents.withLock { $0.session } }

    /// Removes the first commits.
    func drop(_ count: Int) {
      let dropped = contents.withLock { contents in
        defer { contents.pending.removeFirst(count) }
        return Array(contents.pending.prefix(count))
      }
      withExtendedLifetime(dropped) {}
    }

    /// Notes that an issue names these commits as not received.
    func noteReported(_ commits: [TestedCommit<State>]) {
      let revisions = Set(commits.map(\.commit.revision))
      contents.withLock { contents in
        for index in contents.pending.indices
        where revisions.contains(contents.pending[index].commit.revision) {
          contents.pending[index].wasReported = true
        }
      }
    }

    /// Removes one commit.
    func take(_ tested: TestedCommit<State>) {
      contents.withLock { contents in
        contents.pending.removeAll { $0.commit.revision == tested.commit.revision }
      }
    }

    func hasError(where isMeant: (EffectError) -> Bool) -> Bool {
      contents.withLock { $0.errors }.contains { isMeant($0.error) }
    }

    func takeErrors() -> [(error: EffectError, step: SourceLocation)] {
      contents.withLock { exchange(&$0.errors, with: []) }
    }

    /// Takes the oldest error that is meant.
    func takeError(where isMeant: (EffectError) -> Bool) -> EffectError? {
      let index = contents.withLock { $0.errors }.firstIndex { isMeant($0.error) }
      return index.map { index in contents.withLock { $0.errors.remove(at: index).error } }
    }

    /// Returns when a commit or an error has come since the last call; at once when the task is cancelled.
    nonisolated(nonsending) func waitForNews() async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isOver = contents.withLock { contents in
            if contents.hasNews || Task.isCancelled {
              contents.hasNews = false
              return true
            }
            contents.watcher = continuation
            return false
          }
          if isOver { continuation.resume() }
        }
      } onCancel: {
        contents.withLock { contents in
          defer { contents.watcher = nil }
          return contents.watcher
        }?.resume()
      }
    }
  }
#endif
