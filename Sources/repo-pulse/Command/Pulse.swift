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
    if let path = options.replayedFile {
      let start = ContinuousClock.now
      let session = try RecordingFile(path: path).session()
      let state = try await reading(options).state(replaying: session)
      try tell(PulseState.store(from: state), Findings(), since: start, options)
    } else if let path = options.recordedFile {
      let file = RecordingFile(path: path)
      try await read(options, try RecordingDraft(file, initial: PulseState()))
    } else {
      try await read(options)
    }
  }

  /// A recording is kept however the run ends, once all of the log was read.
  private func read(_ options: Options, _ draft: RecordingDraft? = nil) async throws {
    if let folder = options.folder, !System.isFolder(folder) {
      throw Failure.noSuchFolder(folder.text)
    }
    let repository = Repository(folder: options.folder, environment: environment)
    let title = await repository.title()
    let start = ContinuousClock.now
    var reading = reading(options)
    reading.recorder = draft.map { CommitRecorder($0) }
    let feed = CommitFeed(chunks: try GitLog(repository))
    let state = try await reading.state(after: feed, titled: title)
    let findings = Findings()
    do {
      let recorder = draft.map { CommitRecorder($0, goingOnFrom: state) }
      let store = try PulseState.store(from: state, recordedBy: recorder)
      try tell(store, findings, since: start, options)
      if options.isFollowing {
        try await following(options, of: repository, findings).follow(in: store)
      }
    } catch {
      try draft?.finish()
      throw error
    }
    try draft?.finish()
  }

  private func tell(
    _ store: Store<PulseState>, _ findings: Findings, since start: ContinuousClock.Instant,
    _ options: Options
  ) throws {
    let cost = Report.Cost(duration: ContinuousClock.now - start, peakMemory: PeakMemory.bytes())
    if options.isJSON {
      let computed = options.isFollowing ? findings.update(in: store) : nil
      try output.write(StateDocument(state: store.state, computed: computed).text())
    } else {
      let report = Report(
        title: store.title ?? "", totals: store.totals, shown: store[findings.shown], cost: cost)
      let style = Style(for: output, environment: environment)
      let gap = options.watchedAuthor == nil ? "" : "\n"
      try output.write(gap + report.text(on: Canvas(width: output.width, style: style)))
    }
    if let name = options.watchedAuthor, store[\.authors, id: name] == nil {
      throw Failure.noSuchAuthor(name.text, similar: store.authors.names(like: name))
    }
  }

  private func following(
    _ options: Options, of repository: Repository, _ findings: Findings
  ) -> Following {
    let bulletin = Bulletin(
      output: output, style: Style(for: output, environment: environment), isJSON: options.isJSON,
      findings: findings)
    return Following(
      repository: repository, clock: clock, bulletin: bulletin, watch: watch(options))
  }

  private func watch(_ options: Options) -> AuthorWatch? {
    options.watchedAuthor.map { name in
      let place = options.isJSON ? errors : output
      let style = Style(for: place, environment: environment)
      return AuthorWatch(name: name, output: place, style: style)
    }
  }

  private func reading(_ options: Options) -> Reading {
    var reading = Reading()
    if let watch = watch(options) {
      reading.watch = watch
    } else if errors.isTerminal {
      reading.progress = Progress(output: errors)
    }
    return reading
  }
}

extension Entities<Author> {
  /// A few names that have something of the name in them.
  fileprivate func names(like name: ByteString) -> [String] {
    let wanted = name.text.lowercased()
    let names = map(\.name).filter { $0.text.lowercased().contains(wanted) }.sorted()
    return names.prefix(3).map(\.text)
  }
}
