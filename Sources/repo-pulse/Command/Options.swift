/// What the command line asks for.
struct Options: Equatable, Sendable {
  var folder: String?
  var watchedAuthor: String?
  var isJSON = false
  var isFollowing = false
  var wantsHelp = false

  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    var takesOptions = true
    while let argument = rest.popFirst() {
      switch argument {
      case "--" where takesOptions:
        takesOptions = false
      case "--help" where takesOptions, "-h" where takesOptions:
        wantsHelp = true
      case "--json" where takesOptions:
        isJSON = true
      case "--follow" where takesOptions:
        isFollowing = true
      case "--watch" where takesOptions:
        watchedAuthor = rest.popFirst() ?? ""
      case _ where takesOptions && argument.hasPrefix("--watch="):
        watchedAuthor = String(argument.dropFirst("--watch=".count))
      case _ where takesOptions && argument.hasPrefix("-"):
        throw .usage("unknown option: \(argument)")
      case "":
        throw .usage("the path of the repository is empty")
      default:
        guard folder == nil else { throw .usage("one repository at a time, please: \(argument)") }
        folder = argument
      }
    }
    if watchedAuthor?.isEmpty == true {
      throw .usage("--watch needs the name of an author")
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
                       (with --json, print the state anew each time)
      --json           print the final state as JSON, with sorted keys
      -h, --help       print this text

    Progress is shown on standard error when that is a terminal. NO_COLOR=1 turns colours off.

    exit status:
      0    all was read           65   no commits, or a log that makes no sense
      64   unknown option         66   no such folder, or no git repository in it
      67   no such author         69   git is not installed
      70   git failed             74   the log cannot be read, or the output not written
      130  interrupted            141  nobody reads the output any more

    """
}
