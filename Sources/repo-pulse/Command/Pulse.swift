import Lensed

/// The whole command, from its arguments to the status it ends with.
struct Pulse: Sendable {
  let environment: [String: String]
  let output: Output
  let errors: Output
  var clock: any Clock<Duration> = ContinuousClock()

  func run(_ arguments: [ByteString]) async -> Int32 {
    do {
      let options = try Options(arguments)
      if options.wantsHelp {
        try output.write(Options.help)
      } else {
        try await show(options)
      }
      return 0
    } catch is CancellationError {
      return 130
    } catch {
      let failure = error as? Failure ?? .unreadable("\(error)")
      if let message = failure.message {
        let lines = message.split(separator: "\n").map { DisplayText(String($0)).text }
        try? errors.write("repo-pulse: \(lines.joined(separator: "\n"))\n")
      }
      return failure.status
    }
  }

  private func show(_ options: Options) async throws {
    let start = ContinuousClock.now
    if let path = options.replayedFile {
      let session = try Recording.session(path)
      let state = try await reading(options).state(replaying: session)
      return try tell(PulseState.store(from: state), Findings(), since: start, options)
    }
    if let folder = options.folder, !System.isFolder(folder) {
      throw Failure(66, "no such folder: \(folder)")
    }
    let recording = try options.recordedFile.map { path throws(Failure) in try Recording(path) }
    let repository = Repository(folder: options.folder, environment: environment)
    let state: PulseState
    do {
      var reading = reading(options)
      reading.recorder = recording?.recorder
      let title = await repository.title()
      state = try await reading.state(after: CommitFeed(chunks: repository.log()), titled: title)
    } catch {
      recording?.discard()
      throw error
    }
    // What was read stays recorded, however the run ends.
    do {
      try await goOn(from: state, of: repository, recording, start, options)
    } catch {
      try recording?.finish()
      throw error
    }
    try recording?.finish()
  }

  /// Tells what was read, and what comes to it.
  private func goOn(
    from state: PulseState, of repository: Repository, _ recording: Recording?,
    _ start: ContinuousClock.Instant, _ options: Options
  ) async throws {
    let findings = Findings()
    let recorder = options.isFollowing ? recording?.recorder : nil
    let store = try PulseState.store(from: state, recordedBy: recorder)
    try tell(store, findings, since: start, options)
    if !options.isFollowing { return }
    let bulletin = Bulletin(
      output: output, canvas: canvas(output), isJSON: options.isJSON, findings: findings)
    let following = Following(
      repository: repository, clock: clock, bulletin: bulletin, watch: watch(options))
    try await following.follow(in: store)
  }

  private func tell(
    _ store: Store<PulseState>, _ findings: Findings, since start: ContinuousClock.Instant,
    _ options: Options
  ) throws {
    if options.isJSON {
      let computed = options.isFollowing ? findings.update(in: store) : nil
      try output.write(StateDocument(state: store.state, computed: computed).text())
    } else {
      let report = Report(
        title: store.title ?? "", totals: store.totals, shown: store[findings.shown],
        cost: Report.Cost(
          duration: ContinuousClock.now - start, peakMemory: System.peakMemory()))
      let gap = options.watchedAuthor == nil ? "" : "\n"
      try output.write(gap + report.text(on: canvas(output)))
    }
    if let name = options.watchedAuthor, store[\.authors, id: name] == nil {
      // A few names that have something of the name in them.
      let names = store.authors.map(\.name).filter {
        $0.text.lowercased().contains(name.text.lowercased())
      }
      let similar = names.sorted().prefix(3).map(\.text).joined(separator: ", ")
      throw Failure(67, "no commit by \(name)", similar.isEmpty ? "" : "Did you mean \(similar)?")
    }
  }

  private func canvas(_ output: Output) -> Canvas { Canvas(for: output, environment: environment) }

  private func watch(_ options: Options) -> AuthorWatch? {
    let place = options.isJSON ? errors : output
    return options.watchedAuthor.map { AuthorWatch(name: $0, output: place, canvas: canvas(place)) }
  }

  private func reading(_ options: Options) -> Reading {
    let watch = watch(options)
    return Reading(
      progress: watch == nil && errors.width != nil ? Progress(output: errors) : nil, watch: watch)
  }
}
