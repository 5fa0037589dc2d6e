/// What keeps a git that only reads from running programs, fetching and writing, whatever the
/// configuration of the repository and the environment say.
extension Repository {
  /// Settings that stand above those of every file.
  ///
  /// What an argument can say is in `LogParser.arguments`.
  static let settings: [ByteString] = [
    // Programs. An empty `fsmonitor` is none for every git; older ones would run `false`.
    "core.fsmonitor=", "core.hooksPath=/dev/null", "credential.helper=",
    // Writing.
    "gc.auto=0", "maintenance.auto=false",
    // Another reading of the same history.
    "core.attributesFile=/dev/null", "core.bigFileThreshold=512m", "diff.relative=false",
    "log.showRoot=true",
  ]

  /// The settings that say that objects may be missing and are to be fetched when they are asked for.
  static let promises: ByteString =
    #"^(extensions\.partialclone|remote\..*\.(promisor|partialclonefilter))$"#

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
  /// Of the variables for git only those that are known to be harmless stay, so that one of a git to
  /// come does no harm either.
  static func harmless(_ environment: [String: String]) -> [String: String] {
    environment.filter { !$0.key.hasPrefix("GIT_") || kept.contains($0.key) }
      .merging([
        "GIT_ALLOW_PROTOCOL": transport, "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0", "GIT_FLUSH": "0", "GIT_TRACE2": "0", "GIT_TRACE2_EVENT": "0",
        "GIT_TRACE2_PERF": "0",
      ]) { $1 }
  }
}
