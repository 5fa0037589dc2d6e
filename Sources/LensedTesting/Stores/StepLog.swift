#if canImport(Testing)
  internal import Lensed
  internal import Testing

  /// What a store under test has reported beside its commits, and the step after which it came.
  struct Finding<Value: Sendable>: Sendable {
    let value: Value
    var step: SourceLocation
    /// Whether a step has looked at it where nothing need be said.
    var isPassed = false
    /// Whether a step has looked at the commit that it is about.
    var isSeen = false
  }

  /// Actions without a handler, of one commit that a step has received.
  struct UnhandledAction: Sendable {
    let action: any Action
    let place: [String]
  }

  /// The commits of a store under test that no step has received yet, and what went wrong besides.
  ///
  /// Its state changes under one lock. A commit is taken in under the lock of the store, by the thread that commits; the
  /// steps, one at a time, take them out (`StepTurns`). Each commit has the state before it and the one after it, for `Exhaustivity` to compare.
  final class StepLog<State: Sendable>: Sendable {
    private struct Contents: Sendable {
      /// By their numbers, the oldest first.
      var pending = noCommits
      /// How many of them were looked at so far.
      var lookCount = 0
      var session: [LoggedCommit<State>] = []
      var last: State?
      var step: SourceLocation
      /// The thread whose commits are those of a step, while the step is made.
      var ownThread: UInt?
      /// The commits that the last step made on its thread.
      var own: [TestedCommit<State>] = []
      var errors: [Finding<EffectError>] = []
      var warnings: [Finding<StoreWarning>] = []
      /// The actions of received commits that have no handler, and that no step has expected as sent.
      var unhandled: [Finding<UnhandledAction>] = []
      /// The types of actions that the store warned of as unhandled, each once.
      var unhandledTypes: Set<ObjectIdentifier> = []
      /// How often something came that a step may wait for.
      var newsCount = 0

      static var noCommits: SortedEntities<TestedCommit<State>> {
        SortedEntities(by: { $0.id < $1.id })
      }
    }

    private let contents: Watched<Contents>

    init(at step: SourceLocation) {
      contents = Watched(Contents(step: step))
    }

    // MARK: What comes

    /// Notes the state before the first commit.
    func begin(with state: State) {
      contents.change { $0.last = state }
    }

    /// Takes in a commit; called under the lock of the store.
    func append(_ commit: LoggedCommit<State>) {
      contents.change { contents in
        let tested = TestedCommit(
          commit: commit, before: contents.last ?? commit.state, step: contents.step)
        contents.session.append(commit)
        contents.last = commit.state
        if contents.ownThread == commit.thread {
          contents.own.append(tested)
        } else {
          contents.pending.insert(tested)
          contents.newsCount += 1
        }
      }
    }

    func append(_ error: EffectError) {
      contents.change { contents in
        contents.errors.append(Finding(value: error, step: contents.step))
        contents.newsCount += 1
      }
    }

    /// Takes in a warning; that an action is unhandled is an issue of the step that receives its commit.
    func append(_ warning: StoreWarning) {
      contents.change { contents in
        if warning.kind != .unhandledAction {
          contents.warnings.append(Finding(value: warning, step: contents.step))
          contents.newsCount += 1
        } else if let action = warning.action {
          contents.unhandledTypes.insert(ObjectIdentifier(type(of: action)))
        }
      }
    }

    /// Lets a step that waits for news look again.
    func tellNews() {
      contents.change { $0.newsCount += 1 }
    }

    var newsCount: Int { contents.read { $0.newsCount } }

    /// Returns when something has come since the count was read, or when the task is cancelled.
    nonisolated(nonsending) func waitForNews(after count: Int) async {
      await contents.wait { $0.newsCount != count }
    }

    // MARK: Steps

    /// Makes a step, and returns what it committed on this thread.
    func step<Result>(
      at location: SourceLocation, _ body: () throws -> Result
    ) rethrows -> (result: Result, own: [TestedCommit<State>]) {
      let thread = currentThreadIdentity
      contents.change { ($0.step, $0.ownThread, $0.own) = (location, thread, []) }
      defer { contents.change { $0.ownThread = nil } }
      let result = try body()
      return (result, own)
    }

    /// The commits that the last step made on its thread.
    var own: [TestedCommit<State>] { contents.read { $0.own } }

    /// Notes a step that commits nothing itself.
    func begin(at location: SourceLocation) {
      contents.change { $0.step = location }
    }

    var lastStep: SourceLocation { contents.read { $0.step } }

    var session: [LoggedCommit<State>] { contents.read { $0.session } }

    // MARK: Commits

    /// Puts commits back that a step made on its thread, and that others have dispatched.
    func putBack(_ commits: [TestedCommit<State>]) {
      if commits.isEmpty { return }
      contents.change { contents in
        for tested in commits { contents.pending.insert(tested) }
      }
    }

    /// The pending commits, as a list of its own: for those who look at all of them.
    var pending: [TestedCommit<State>] { contents.read { Array($0.pending) } }

    /// How many pending commits were looked at so far.
    var lookCount: Int { contents.read { $0.lookCount } }

    /// The oldest pending commit in which something is found; what is asked runs without a lock.
    func first<Value>(
      where find: (TestedCommit<State>) -> Value?
    ) -> (index: Int, tested: TestedCommit<State>, value: Value)? {
      var index = 0
      while let tested = contents.change({ contents in
        contents.lookCount += 1
        return index < contents.pending.count ? contents.pending[index] : nil
      }) {
        if let value = find(tested) { return (index, tested, value) }
        index += 1
      }
      return nil
    }

    /// The oldest pending commits, so many.
    func prefix(_ count: Int) -> [TestedCommit<State>] {
      contents.read { Array($0.pending.prefix(count)) }
    }

    /// Removes all pending commits.
    func dropPending() {
      let dropped = contents.change { exchange(&$0.pending, with: Contents.noCommits) }
      withExtendedLifetime(dropped) {}
    }

    /// Notes that an issue names these commits as not received.
    func noteReported(_ commits: [TestedCommit<State>]) {
      contents.change { contents in
        for tested in commits { contents.pending[id: tested.id]?.wasReported = true }
      }
    }

    /// Notes that a step has expected an action of a commit as sent to a parent.
    func noteSent(_ member: Int, of tested: TestedCommit<State>) {
      contents.change { _ = $0.pending[id: tested.id]?.sent.insert(member) }
    }

    /// Removes one commit.
    func take(_ tested: TestedCommit<State>) {
      let former = contents.change { $0.pending.remove(id: tested.id) }
      withExtendedLifetime(former) {}
    }

    // MARK: Actions without a handler

    /// Whether the store warned that actions of a type are unhandled.
    func wasUnhandled(_ type: any Action.Type) -> Bool {
      contents.read { $0.unhandledTypes.contains(ObjectIdentifier(type)) }
    }

    /// Notes actions of a received commit that have no handler.
    func note(_ actions: [UnhandledAction], at step: SourceLocation) {
      contents.change { contents in
        contents.unhandled += actions.map { Finding(value: $0, step: step) }
      }
    }

    /// Takes the oldest action without a handler that is meant.
    func takeUnhandled<Value>(where find: (any Action) -> Value?) -> Value? {
      let all = contents.read { $0.unhandled }
      guard let index = all.firstIndex(where: { find($0.value.action) != nil }) else { return nil }
      contents.change { _ = $0.unhandled.remove(at: index) }
      return find(all[index].value.action)
    }

    func takeUnhandled() -> [Finding<UnhandledAction>] {
      contents.change { exchange(&$0.unhandled, with: []) }
    }

    // MARK: Warnings

    func hasWarning(_ kind: StoreWarning.Kind) -> Bool {
      contents.read { $0.warnings }.contains { $0.value.kind == kind }
    }

    func takeWarnings() -> [Finding<StoreWarning>] {
      contents.change { exchange(&$0.warnings, with: []) }
    }

    /// Takes the oldest warning of a kind.
    func takeWarning(of kind: StoreWarning.Kind) -> StoreWarning? {
      contents.change { contents in
        let index = contents.warnings.firstIndex { $0.value.kind == kind }
        return index.map { contents.warnings.remove(at: $0).value }
      }
    }

    /// Notes that a step has looked at the commit of a warning that its action reached no handler.
    ///
    /// - Parameters:
    ///   - site: Where the commit was dispatched.
    ///   - location: The step.
    ///   - isPassed: Whether the step need say nothing of it.
    /// - Returns: The warning; nil where the store gave none.
    func seeWarning(
      at site: CallSite?, by location: SourceLocation, isPassed: Bool
    ) -> StoreWarning? {
      contents.change { contents in
        let index = contents.warnings.firstIndex { finding in
          !finding.isSeen && [.missingElement, .foreignElement].contains(finding.value.kind)
            && finding.value.site?.description == site?.description
        }
        guard let index else { return nil }
        contents.warnings[index].step = location
        (contents.warnings[index].isSeen, contents.warnings[index].isPassed) = (true, isPassed)
        return contents.warnings[index].value
      }
    }

    // MARK: Errors

    func hasError(where isMeant: (EffectError) -> Bool) -> Bool {
      contents.read { $0.errors }.contains { isMeant($0.value) }
    }

    func takeErrors() -> [Finding<EffectError>] {
      contents.change { exchange(&$0.errors, with: []) }
    }

    /// Takes the oldest error that is meant.
    func takeError(where isMeant: (EffectError) -> Bool) -> EffectError? {
      let index = contents.read { $0.errors }.firstIndex { isMeant($0.value) }
      return index.map { index in contents.change { $0.errors.remove(at: index).value } }
    }
  }
#endif
