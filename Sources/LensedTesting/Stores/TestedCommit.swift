#if canImport(Testing)
  internal import Lensed
  internal import Testing

  /// A commit, the state before it, and the step of the test after which it came.
  struct TestedCommit<State: Sendable>: Sendable, Identifiable {
    let commit: LoggedCommit<State>
    let before: State
    let step: SourceLocation
    /// Whether an issue says already that no step has received it.
    var wasReported = false
    /// Which of its actions a step has expected as sent to a parent, by their positions.
    var sent: Set<Int> = []

    /// Its number.
    var id: UInt64 { commit.revision }

    /// What it changed, as lines.
    fileprivate var changes: [String] {
      let most = 12
      let changes = StateDifference.entries(from: before, to: commit.state, limit: most)
      let rest = changes.count > most ? ["… and more"] : []
      return changes.prefix(most).map(\.line) + rest
    }
  }

  extension StepLog {
    /// What a commit changed, as lines, where it was dispatched, and what set that off.
    func lines(of tested: TestedCommit<State>) -> [String] {
      tested.changes + placeLines(of: tested.commit)
    }

    /// Where a commit was dispatched, and what set that off, after its name.
    func place(of commit: LoggedCommit<State>) -> String {
      placeLines(of: commit).map { ", \($0)" }.joined()
    }

    /// Where a commit was dispatched, by which effect, and what set that off, in a line of its own.
    func placeLines(of commit: LoggedCommit<State>) -> [String] {
      let chain = CauseLink.clause(causes(from: commit.parent))
      if let site = commit.site { return ["dispatched at \(site)\(commit.maker)\(chain)"] }
      return chain.isEmpty ? [] : [String(chain.dropFirst(2))]
    }

    /// An error of an effect, with all of what set it off.
    func whole(_ error: EffectError) -> EffectError {
      error.setOff(by: causes(from: error.revision))
    }

    /// A warning, with all of what set off what it is about.
    func whole(_ warning: StoreWarning) -> StoreWarning {
      warning.setOff(by: causes(from: warning.parent))
    }

    /// The commits that set something off, from the one of a number back to what came from outside.
    private func causes(from revision: UInt64?) -> [CauseLink] {
      if revision == nil { return [] }
      let session = session
      var (links, next) = ([CauseLink](), revision)
      while let revision = next, links.count < CauseLink.limit {
        // All commits are in the session, in their order.
        guard let first = session.first?.revision, revision >= first,
          revision - first < UInt64(session.count)
        else { return links + [CauseLink(revision)] }
        let commit = session[Int(revision - first)]
        links.append(CauseLink(revision, commit.members, commit.causes))
        next = commit.parent
      }
      return links
    }
  }

  extension LoggedCommit {
    /// The effect that dispatched it, where it has a name: one without is called by its place.
    fileprivate var maker: String {
      guard case .effect(let name) = origin, !name.contains(".swift:") else { return "" }
      return " by the effect \(name)"
    }
  }
#endif
