import Lensed

/// Says what has come to the repository: a line for each commit, or the state anew as JSON.
struct Bulletin: Sendable {
  let output: Output
  let style: Style
  let isJSON: Bool
  let findings: Findings

  /// A commit was folded in.
  func tell(_ commit: LogCommit) throws(Failure) {
    if isJSON { return }
    let canvas = Canvas(width: output.width, style: style)
    let lines = commit.files.compactMap(\.lines).reduce(Lines(), +)
    let author = canvas.heading(DisplayText(commit.header.author.text).text)
    let subject = DisplayText(commit.header.subject).text
    try output.write("\(author)  \(subject)  \(canvas.lines(lines)) lines\n")
  }

  /// The history is another one, and was read anew.
  func tellStartOver(_ state: PulseState) throws(Failure) {
    if isJSON { return }
    let canvas = Canvas(width: output.width, style: style)
    let commits = Figure.count(state.totals.commits, "commit")
    try output.write(canvas.faint("another history, read anew: \(commits)") + "\n")
  }

  /// All that has come was folded in.
  func tell(_ store: some StateObserving<PulseState>) throws {
    if !isJSON { return }
    let computed = findings.update(in: store)
    try output.write(StateDocument(state: store.state, computed: computed).text())
  }
}
