/// What the command line asks for.
struct Options: Equatable, Sendable {
  var folder: ByteString?
  var watchedAuthor: ByteString?
  /// The file that the run is written to.
  var recordedFile: ByteString?
  /// The file that is read in place of a repository.
  var replayedFile: ByteString?
  var isJSON = false
  var isFollowing = false
  var wantsHelp = false

  init(_ arguments: [ByteString]) throws(Failure) {
    var rest = arguments[...]
    var takesOptions = true
    while let argument = rest.popFirst() {
      switch argument.text {
      case "--" where takesOptions: takesOptions = false
      case "--help" where takesOptions, "-h" where takesOptions: wantsHelp = true
      case "--json" where takesOptions: isJSON = true
      case "--follow" where takesOptions: isFollowing = true
      case _ where takesOptions && argument.hasPrefix("-"): try readValue(of: argument, &rest)
      case "": throw .usage("the path of the repository is empty")
      default:
        guard folder == nil else { throw .usage("one repository at a time, please: \(argument)") }
        folder = argument
      }
    }
    // A replay reads a recording, and nothing else.
    if replayedFile == nil { return }
    if recordedFile != nil { throw .usage("a run is recorded or replayed, not both") }
    if isFollowing { throw .usage("--replay reads no repository that it could follow") }
    if let folder { throw .usage("--replay reads no repository: \(folder)") }
  }

  /// Reads an option with a value: what follows `=`, or the next argument, unless it is an option too.
  private mutating func readValue(
    of argument: ByteString, _ rest: inout ArraySlice<ByteString>
  ) throws(Failure) {
    let parts = argument.bytes.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    var value = parts.count == 2 ? ByteString(parts[1]) : nil
    if value == nil, rest.first?.hasPrefix("-") == false { value = rest.popFirst() }
    func named(_ noun: String) throws(Failure) -> ByteString {
      guard let value, !value.isEmpty else {
        throw .usage("\(ByteString(parts[0])) needs the name of \(noun)")
      }
      return value
    }
    switch ByteString(parts[0]) {
    case "--watch": watchedAuthor = try named("an author")
    case "--record": recordedFile = try named("a file")
    case "--replay": replayedFile = try named("a file")
    default: throw .usage("unknown option: \(argument)")
    }
  }

  static let help = """
    usage: repo-pulse [options] [path-to-a-git-repository]

    Reads the history of a git repository, by default the one of the current directory, and
    shows who changed what, and when.

    options:
      --watch AUTHOR   print what changes for one author while the history is read
                       (on standard error together with --json)
      --follow         go on after the report: fold in new commits as they come, until Ctrl-C
                       (with --json, print the state anew each time, and as "computed" how often
                       each part of the report had to be computed for it)
      --record FILE    write the run to a new file as it happens, for --replay and
                       lensed-inspect; a reading that fails takes FILE away again
      --replay FILE    show what was recorded, in place of a repository
      --json           print the final state as JSON, with sorted keys
      -h, --help       print this text

    Progress is shown on standard error when that is a terminal. NO_COLOR=1 turns colours off.

    Whatever a repository, its configuration or the environment say, no program is run but git,
    nothing is fetched, and nothing is written but the output and FILE. A path is taken byte by
    byte, a ~ as a ~. In JSON a name that is no UTF-8 is the list of its bytes.

    exit status:
      0    all was read           65   no commits, or a log or recording that makes no sense
      64   unknown option         66   no such folder or file, no git repository in it, or a
      67   no such author              partial clone that lacks objects
      69   git is not installed   74   the log cannot be read, or something not written
      70   git failed             141  nobody reads the output any more
      130  interrupted

    """
}
