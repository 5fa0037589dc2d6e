import LensedPrograms

/// Where a repository is, and how git is to be run there: to read, and nothing else.
struct Repository: Sendable {
  /// The folder the user named; nil leaves the choice to git, as in any other command.
  let folder: ByteString?
  let environment: [String: String]

  init(folder: ByteString?, environment: [String: String]) {
    self.folder = folder
    self.environment = Repository.harmless(environment)
  }

  /// The name to use in messages and titles.
  private var name: String { folder?.text ?? "the current directory" }

  /// The bytes of `git log`, in chunks as they come; git waits as soon as a pipe's worth of it is unread.
  ///
  /// It ends when git has ended well, and fails with the reason when it has not.
  func log(of revisions: [ByteString] = ["HEAD"]) throws(Failure) -> AsyncThrowingStream<
    [UInt8], any Error
  > {
    let git = try git(["log"] + LogParser.arguments + revisions + ["--"])
    return AsyncThrowingStream {
      let chunk = try await withTaskCancellationHandler {
        do {
          return try await git.output.next()
        } catch {
          throw Failure.unreadable("\(error)")
        }
      } onCancel: {
        git.terminate()
      }
      try Task.checkCancellation()
      if let chunk { return chunk }
      let ending = await git.ending()
      if ending.status != 0 { throw await diagnosis(of: ending) }
      return nil
    }
  }

  /// The absolute path of the folder that the repository's name is to be taken from.
  func title() async -> String {
    guard let answer = try? await answer(to: ["rev-parse", "--absolute-git-dir"]) else {
      return name
    }
    let path = answer.text.split(separator: "/")
    return (path.last == ".git" ? path.dropLast() : path).last.map(String.init) ?? name
  }

  /// The commit that is checked out; nil on a branch that has none yet.
  func head() async throws(Failure) -> String? {
    let answer = try await answer(to: ["rev-parse", "--verify", "--quiet", "HEAD"])
    switch answer.status {
    case 0: return answer.text
    case 1: return nil
    default: throw await diagnosis(of: answer)
    }
  }

  /// Whether the history of one commit goes on to another; not if git has lost the first.
  func leads(from former: String, to commit: String) async throws(Failure) -> Bool {
    let question = ["merge-base", "--is-ancestor", ByteString(former), ByteString(commit)]
    return try await answer(to: question).status == 0
  }

  /// Why git would not read the log: asked of git itself, whose wording differs between versions.
  private func diagnosis(of ending: Git.Ending) async -> Failure {
    do throws(Failure) {
      let place = try await answer(to: ["rev-parse", "--git-dir"])
      if place.status != 0 { return Failure(66, "no git repository in \(name)", place.complaint) }
      if try await answer(to: ["rev-parse", "--verify", "--quiet", "HEAD"]).status != 0 {
        return Failure(65, "the repository in \(name) has no commits yet")
      }
      // The settings that say that objects may be missing and are to be fetched when they are asked for.
      let promises: ByteString =
        #"^(extensions\.partialclone|remote\..*\.(promisor|partialclonefilter))$"#
      if try await answer(to: ["config", "--get-regexp", promises]).status != 0 {
        return .git(ending.complaint)
      }
      let what = """
        the clone in \(name) is a partial one, and objects of its history are missing
        repo-pulse fetches nothing. Run 'git fetch --refetch --no-filter' there, or clone it whole.
        """
      return Failure(66, what, ending.complaint)
    } catch {
      return error
    }
  }

  private func answer(to question: [ByteString]) async throws(Failure) -> Git.Ending {
    let process = try git(question)
    var text: [UInt8] = []
    while let chunk = try? await process.output.next() { text += chunk }
    var ending = await process.ending()
    while text.last == UInt8(ascii: "\n") { text.removeLast() }
    ending.text = String(decoding: text, as: UTF8.self)
    return ending
  }

  // MARK: A git that only reads

  private func git(_ arguments: [ByteString]) throws(Failure) -> Git {
    // A git in the current folder may be a program of the repository, so only absolute folders count.
    let programs = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
      .map { ByteString("\($0)/git") }
    guard let program = programs.first(where: { System.isProgram($0) }) else {
      throw Failure(69, "git is not installed, or not in the PATH")
    }
    let settings = Repository.settings.flatMap { ["-c", $0] as [ByteString] }
    let place = folder.map { ["-C", $0] as [ByteString] } ?? []
    do throws(Program.Refusal) {
      return try Git(
        program, ["--no-pager"] + settings + place + arguments, environment: environment)
    } catch {
      throw .git("git cannot be started: \(error)")
    }
  }

  /// Settings that stand above those of every file: no program is run, nothing fetched, nothing written.
  ///
  /// What an argument can say is in `LogParser.arguments`.
  private static let settings: [ByteString] = [
    // Programs. An empty `fsmonitor` is none for every git; older ones would run `false`.
    "core.fsmonitor=", "core.hooksPath=/dev/null", "credential.helper=",
    // Writing.
    "gc.auto=0", "maintenance.auto=false",
    // Another reading of the same history.
    "core.attributesFile=/dev/null", "core.bigFileThreshold=512m", "diff.relative=false",
    "log.showRoot=true",
  ]

  /// The variables that say where git finds the user's settings, and how far it looks for a repository.
  private static let kept: Set = [
    "GIT_CEILING_DIRECTORIES", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
  ]

  /// A transport that no configuration can name, because it cannot be guessed.
  ///
  /// An older git knows no `GIT_NO_LAZY_FETCH` and tries to fetch objects that are missing. An empty list
  /// of transports would allow it the one of the empty name: a remote may ask for that, and an alias is
  /// then run as its program.
  private static let transport = (1...2)
    .map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }
    .joined(separator: "-")

  /// The environment without anything by which git is led elsewhere, runs a program or writes a file.
  ///
  /// Only variables for git that are known to be harmless stay, so a variable of a future git does no
  /// harm either.
  private static func harmless(_ environment: [String: String]) -> [String: String] {
    environment.filter { !$0.key.hasPrefix("GIT_") || kept.contains($0.key) }
      .merging([
        "GIT_ALLOW_PROTOCOL": transport, "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0", "GIT_FLUSH": "0", "GIT_TRACE2": "0", "GIT_TRACE2_EVENT": "0",
        "GIT_TRACE2_PERF": "0",
      ]) { $1 }
  }
}
