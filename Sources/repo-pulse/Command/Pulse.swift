/// The whole command, from its arguments to the status it ends with.
struct Pulse: Sendable {
  let environment: [String: String]
  let output: Output
  let errors: Output
  var clock: any Clock<Duration> = ContinuousClock()

  func run(_ arguments: [String]) async -> Int32 {
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
    if let folder = options.folder, !System.isFolder(folder) {
      throw Failure.noSuchFolder(folder)
    }
    let repository = Repository(folder: options.folder, environment: environment)
    let clock = ContinuousClock()
    let start = clock.now
    let reading = reading(options)
    let state = try await reading.state(after: CommitFeed(chunks: GitLog(repository)))
    let cost = Report.Cost(duration: clock.now - start, peakMemory: PeakMemory.bytes())
    if options.isJSON {
      try output.write(StateDocument(state: state).text())
    } else {
      let report = Report(title: await repository.title(), state: state, cost: cost)
      let style = Style(for: output, environment: environment)
      let gap = options.watchedAuthor == nil ? "" : "\n"
      try output.write(gap + report.text(on: Canvas(width: output.width, style: style)))
    }
    if let name = options.watchedAuthor, state.authors[name] == nil {
      throw Failure.noSuchAuthor(name, similar: state.authors.names(like: name))
    }
    if options.isFollowing {
      try await following(options, of: repository).follow(from: state)
    }
  }

  private func following(_ options: Options, of repository: Repository) -> Following {
    let bulletin = Bulletin(
      output: output, style: Style(for: output, environment: environment), isJSON: options.isJSON)
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

extension [String: Author] {
  /// A few names that have something of the name in them.
  fileprivate func names(like name: String) -> [String] {
    let wanted = name.lowercased()
    return Array(keys.filter { $0.lowercased().contains(wanted) }.sorted().prefix(3))
  }
}
