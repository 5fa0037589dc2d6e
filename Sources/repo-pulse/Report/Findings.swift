import Lensed

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

  private let tally: FindingsTally
  let shown: Derived<PulseState, Shown>

  init() {
    let tally = FindingsTally()
    let topAuthors = Derived(\PulseState.authors) { authors in
      tally.counting(.topAuthors) { AuthorBars.Top(authors) }
    }
    let authorTable = Derived(topAuthors) { top in
      tally.counting(.authorTable) { AuthorBars(top) }
    }
    let topFiles = Derived(\PulseState.files.records) { files in
      tally.counting(.topFiles) { FileTable.ranking(files) }
    }
    let fileTable = Derived(topFiles) { ranking in
      tally.counting(.fileTable) { FileTable(ranking) }
    }
    let topWords = Derived(\PulseState.words) { words in
      tally.counting(.topWords) { WordCloud.ranking(words) }
    }
    let wordCloud = Derived(topWords) { ranking in
      tally.counting(.wordCloud) { WordCloud(ranking) }
    }
    let heatMap = Derived(\PulseState.activity.calendar) { calendar in
      tally.counting(.heatMap) { HeatMap(calendar) }
    }
    let years = Derived(\PulseState.activity.calendar) { calendar in
      tally.counting(.years) { Rhythm.years(of: calendar) }
    }
    let rhythm = Derived(\PulseState.activity.clock, years) { clock, years in
      tally.counting(.rhythm) { Rhythm(clock: clock, years: years) }
    }
    self.tally = tally
    shown = Derived(authorTable, heatMap, rhythm, fileTable, wordCloud) {
      Shown(authors: $0, map: $1, rhythm: $2, files: $3, words: $4)
    }
  }

  /// Brings the findings up to the newest commit.
  ///
  /// - Returns: How often each was computed, since this was last asked for.
  func update(in store: some StateObserving<PulseState>) -> [String: Int] {
    _ = store[shown]
    return tally.take()
  }
}
