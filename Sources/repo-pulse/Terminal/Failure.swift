/// Why the program cannot do what it was asked, in words for the user and a status for the shell.
enum Failure: Error, Equatable {
  case usage(String)
  case noGit
  case noSuchFolder(String)
  case notARepository(String, String)
  case noCommits(String)
  case missingObjects(String, String)
  case git(String)
  case malformedLog(String)
  case unreadable(String)
  case unwritable(String)
  case noRecording(String, String)
  case malformedRecording(String, String)
  case unwritableRecording(String, String)
  /// The output has no reader any more, and a message would have none either.
  case brokenPipe
  case noSuchAuthor(String, similar: [String])

  /// The statuses of `sysexits.h`, and 141 as the shell has it for a broken pipe.
  var status: Int32 {
    switch self {
    case .usage: 64
    case .noCommits, .malformedLog, .malformedRecording: 65
    case .noSuchFolder, .notARepository, .missingObjects, .noRecording: 66
    case .noSuchAuthor: 67
    case .noGit: 69
    case .git: 70
    case .unreadable, .unwritable, .unwritableRecording: 74
    case .brokenPipe: 141
    }
  }

  var message: String? {
    switch self {
    case .usage(let fault):
      "\(fault)\nTry 'repo-pulse --help'."
    case .noGit:
      "git is not installed, or not in the PATH"
    case .noSuchFolder(let path):
      "no such folder: \(path)"
    case .notARepository(let place, let complaint):
      "no git repository in \(place)" + (complaint.isEmpty ? "" : "\n\(complaint)")
    case .noCommits(let place):
      "the repository in \(place) has no commits yet"
    case .missingObjects(let place, let complaint):
      "the clone in \(place) is a partial one, and objects of its history are missing\n"
        + "repo-pulse fetches nothing. Run 'git fetch --refetch --no-filter' there, or clone it whole."
        + (complaint.isEmpty ? "" : "\n\(complaint)")
    case .git(let complaint):
      "git could not read the log" + (complaint.isEmpty ? "" : "\n\(complaint)")
    case .malformedLog(let fault):
      "the log makes no sense: \(fault)"
    case .unreadable(let reason):
      "the log cannot be read: \(reason)"
    case .unwritable(let reason):
      "the output cannot be written: \(reason)"
    case .noRecording(let path, let reason):
      "the recording \(path) cannot be read: \(reason)"
    case .malformedRecording(let path, let fault):
      "the recording \(path) makes no sense: \(fault)"
    case .unwritableRecording(let path, let reason):
      "the recording \(path) cannot be written: \(reason)"
    case .brokenPipe:
      nil
    case .noSuchAuthor(let name, let similar):
      "no commit by \(name)"
        + (similar.isEmpty ? "" : "\nDid you mean \(similar.joined(separator: ", "))?")
    }
  }
}
