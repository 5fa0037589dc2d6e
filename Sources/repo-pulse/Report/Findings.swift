import Lensed
import Synchronization

/// What a report finds in the state: values that are derived of it, and kept by the store.
///
/// A ranking looks at all there is, whenever a commit has touched that. The table of a ranking is made when the
/// ranking differs, and the report when a table does. One of these is made for each run, so that what is computed
/// is counted for the run alone.
struct Findings: Sendable {
  /// All that a report shows beside the totals.
  struct Shown: Equatable, Sendable {
    let authors: AuthorBars
    /// Nil where no commit has a date.
    let map: HeatMap?
    let rhythm: Rhythm
    let files: FileTable
    let words: WordCloud
  }

  /// A finding, by its name in JSON.
  enum Finding: String, CaseIterable {
    case topAuthors, authorTable, topFiles, fileTable, topWords, wordCloud, heatMap, years, rhythm
  }

  let shown: Derived<PulseState, Shown>
  private let tally = ComputedTally()

  init() {
    let tally = tally
    @Sendable func count<Value>(_ finding: Finding, _ value: Value) -> Value {
      tally.count(finding, value)
    }
    let topAuthors = Derived(\PulseState.authors) { count(.topAuthors, AuthorBars.Top($0)) }
    let authorTable = Derived(topAuthors) { count(.authorTable, AuthorBars($0)) }
    let topFiles = Derived(\PulseState.files) { files in
      let changed = files.lazy.filter { $0.changes > 0 }
      return count(.topFiles, Ranking(changed, top: 10, by: \.changes, named: \.name))
    }
    let fileTable = Derived(topFiles) { count(.fileTable, FileTable($0)) }
    let topWords = Derived(\PulseState.words) {
      count(.topWords, Ranking($0, top: 40, by: \.count, named: \.id))
    }
    let wordCloud = Derived(topWords) { count(.wordCloud, WordCloud($0)) }
    let heatMap = Derived(\PulseState.days) { count(.heatMap, HeatMap($0)) }
    let years = Derived(\PulseState.days) { count(.years, Rhythm.years(of: $0)) }
    let rhythm = Derived(\PulseState.hours, years) { count(.rhythm, Rhythm(hours: $0, years: $1)) }
    shown = Derived(authorTable, heatMap, rhythm, fileTable, wordCloud) {
      Shown(authors: $0, map: $1, rhythm: $2, files: $3, words: $4)
    }
  }

  /// Brings the findings up to the newest commit.
  ///
  /// - Returns: How often each was computed, since this was last asked for; zero for one that stood.
  func update(in store: some StateObserving<PulseState>) -> [String: Int] {
    _ = store[shown]
    return tally.take()
  }
}

/// How often each finding was computed.
private final class ComputedTally: Sendable {
  private static let none = Dictionary(
    uniqueKeysWithValues: Findings.Finding.allCases.map { ($0.rawValue, 0) })

  private let counts = Mutex(none)

  func count<Value>(_ finding: Findings.Finding, _ value: Value) -> Value {
    counts.withLock { $0[finding.rawValue, default: 0] += 1 }
    return value
  }

  func take() -> [String: Int] { counts.withLock { exchange(&$0, with: Self.none) } }
}
