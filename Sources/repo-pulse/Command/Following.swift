import Lensed

/// What comes after a reading: it watches the repository, and folds in the commits that come to it.
struct Following: Sendable {
  static let pace = Duration.seconds(1)

  let repository: Repository
  /// Where the time between two looks at the repository comes from.
  let clock: any Clock<Duration>
  let bulletin: Bulletin
  var watch: AuthorWatch?

  /// Goes on until it is cancelled, or git fails.
  func follow(in store: Store<PulseState>) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      if let watch {
        let before = store[\.authors, id: watch.name] ?? Author()
        group.addTask { [author = store.states(\.authors, id: watch.name)] in
          try await watch.follow(author, after: before)
        }
      }
      group.addTask { try await foldIn(to: store) }
      // What ends one of them ends both: the cancellation of the group.
      try await group.waitForAll()
    }
  }

  private func foldIn(to store: Store<PulseState>) async throws {
    let effect = store.install(effect)
    defer { effect.cancel() }
    // Cancelling the task that waits here, as Ctrl-C does, cancels the effect.
    try await store.dispatch(Follow()).finish(throwing: .effects)
  }

  /// A second `Follow` takes the place of the first.
  private var effect: Effect<PulseState> {
    Effect(on: Follow.self, .latest) { _, context in
      while true {
        try await clock.sleep(for: Following.pace)
        let known = context.state.totals.head
        guard let head = try await repository.head(), head != known else { continue }
        if let known, try await repository.leads(from: known, to: head) {
          try await foldIn(["--reverse", "\(known)..\(head)"], context)
        } else {
          try await startOver(at: head, context)
        }
        try bulletin.tell(context)
      }
    }
  }

  /// The oldest first, so that each is newer than all before it.
  private func foldIn(_ revisions: [ByteString], _ context: EffectContext<PulseState>) async throws
  {
    let log = CommitFeed(chunks: try repository.log(of: revisions))
    var news = log.makeAsyncIterator()
    while let commit = try await news.nextCommit() {
      context.dispatch(commit.actions(asNews: true))
      try bulletin.tell(commit)
    }
  }

  private func startOver(at head: String, _ context: EffectContext<PulseState>) async throws {
    let log = CommitFeed(chunks: try repository.log(of: [ByteString(head)]))
    try await context.dispatch([StartOver(), AsyncActions(log)] as [any Action]).finish(.applied)
    try bulletin.tellStartOver(context.state)
  }
}

/// Says what has come to the repository: a line for each commit, or the state anew as JSON.
struct Bulletin: Sendable {
  let output: Output
  let canvas: Canvas
  let isJSON: Bool
  let findings: Findings

  /// A commit was folded in.
  func tell(_ commit: LogCommit) throws(Failure) {
    if isJSON { return }
    let lines = commit.files.compactMap(\.lines).reduce(into: Lines(), +=)
    let author = canvas.heading(DisplayText(commit.header.author.text).text)
    let subject = DisplayText(commit.header.subject).text
    try output.write("\(author)  \(subject)  \(canvas.lines(lines)) lines\n")
  }

  /// The history is another one, and was read anew.
  func tellStartOver(_ state: PulseState) throws(Failure) {
    if isJSON { return }
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
