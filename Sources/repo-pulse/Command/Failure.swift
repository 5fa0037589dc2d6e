import Synchronization

/// Why the program cannot do what it was asked: a status for the shell, and words for the user.
struct Failure: Error, Equatable {
  /// One of `sysexits.h`, or 141 as the shell has it for a broken pipe.
  let status: Int32
  let message: String?

  private init(_ status: Int32, _ message: String?, _ details: String = "") {
    self.status = status
    self.message = message.map { details.isEmpty ? $0 : "\($0)\n\(details)" }
  }

  static func usage(_ fault: String) -> Failure {
    Failure(64, fault, "Try 'repo-pulse --help'.")
  }

  static func noCommits(_ place: String) -> Failure {
    Failure(65, "the repository in \(place) has no commits yet")
  }

  static func malformedLog(_ fault: String) -> Failure {
    Failure(65, "the log makes no sense: \(fault)")
  }

  static func malformedRecording(_ path: ByteString, _ fault: String) -> Failure {
    Failure(65, "the recording \(path) makes no sense: \(fault)")
  }

  static func noSuchFolder(_ path: ByteString) -> Failure {
    Failure(66, "no such folder: \(path)")
  }

  static func notARepository(_ place: String, _ complaint: String) -> Failure {
    Failure(66, "no git repository in \(place)", complaint)
  }

  static func missingObjects(_ place: String, _ complaint: String) -> Failure {
    Failure(
      66,
      """
      the clone in \(place) is a partial one, and objects of its history are missing
      repo-pulse fetches nothing. Run 'git fetch --refetch --no-filter' there, or clone it whole.
      """, complaint)
  }

  static func noRecording(_ path: ByteString, _ reason: String) -> Failure {
    Failure(66, "the recording \(path) cannot be read: \(reason)")
  }

  static func noSuchAuthor(_ name: ByteString, similar: [String]) -> Failure {
    Failure(
      67, "no commit by \(name)",
      similar.isEmpty ? "" : "Did you mean \(similar.joined(separator: ", "))?")
  }

  static let noGit = Failure(69, "git is not installed, or not in the PATH")

  static func git(_ complaint: String) -> Failure {
    Failure(70, "git could not read the log", complaint)
  }

  static func unreadable(_ reason: String) -> Failure {
    Failure(74, "the log cannot be read: \(reason)")
  }

  static func unwritable(_ reason: String) -> Failure {
    Failure(74, "the output cannot be written: \(reason)")
  }

  static func unwritableRecording(_ path: ByteString, _ reason: String) -> Failure {
    Failure(74, "the recording \(path) cannot be written: \(reason)")
  }

  /// The output has no reader any more, and a message would have none either.
  static let brokenPipe = Failure(141, nil)
}

/// The first of the errors that ended something.
final class FirstError: Sendable {
  private let noted = Mutex<(any Error)?>(nil)

  var first: (any Error)? { noted.withLock { $0 } }

  func note(_ error: any Error) {
    noted.withLock { $0 = $0 ?? error }
  }
}
