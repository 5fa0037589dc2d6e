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
    /// Which of its actions a step has expected as sent to a parent, by their positions.
    var sent: Set<Int> = []

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
    var place: String { placeLines.map { ", \($0)" }.joined() }
    /// Where it was dispatched, and by which effect, in a line of its own.
    var placeLines: [String] { site.map { ["dispatched at \($0)\(maker)"] } ?? [] }

    /// The effect that dispatched it, where it has a name: one without is called by its place.
    private var maker: String {
      guard case .effect(let name) = origin, !name.contains(".swift:") else { return "" }
      return " by the effect \(name)"
    }
  }

  /// The commits that no step has received yet, the oldest first.
  ///
  /// A test receives the oldest one, as a rule: that takes a constant time, however many are pending.
  struct PendingCommits<State: Sendable>: Sendable {
    /// Those before `first` were taken.
    private var entries: [TestedCommit<State>?] = []
    private var first = 0
    /// How many entries were looked at or moved so far.
    private(set) var lookCount = 0

    var count: Int { entries.count - first }
    var all: [TestedCommit<State>] { entries[first...].compactMap(\.self) }

    /// The commit at a position among those that are pending.
    mutating func look(at index: Int) -> TestedCommit<State>? {
      lookCount += 1
      return first + index < entries.count ? entries[first + index] : nil
    }

    /// Adds a commit in its place, which is at the end as a rule.
    mutating func insert(_ tested: TestedCommit<State>) {
      var index = entries.count
      while index > first, let other = entries[index - 1],
        other.commit.revision > tested.commit.revision
      {
        index -= 1
        lookCount += 1
      }
      entries.insert(tested, at: index)
    }

    /// Changes the commit of a revision; nil removes it.
    ///
    /// - Returns: The commit as it was, to be released without a lock.
    mutating func update(
      _ revision: UInt64, _ change: (inout TestedCommit<State>?) -> Void
    ) -> TestedCommit<State>? {
      var index = first
      while index < entries.count, entries[index]?.commit.revision != revision {
        index += 1
        lookCount += 1
      }
      guard index < entries.count else { return nil }
      let former = entries[index]
      change(&entries[index])
      if entries[index] == nil { close(index) }
      return former
    }

    /// Removes the place of a commit that was taken.
    private mutating func close(_ index: Int) {
      if index > first {
        lookCount += entries.count - index
        entries.remove(at: index)
        return
      }
      first += 1
      if 2 * first > entries.count + 64 {
        lookCount += entries.count - first
        entries.removeFirst(first)
        first = 0
      }
    }

    /// Removes all.
    mutating func takeAll() -> [TestedCommit<State>] {
      defer { (entries, first) = ([], 0) }
      return all
    }
  }
#endif
