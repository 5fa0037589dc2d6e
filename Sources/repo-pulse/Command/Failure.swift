/// Why the program cannot do what it was asked: a status for the shell, and words for the user.
struct Failure: Error, Equatable {
  /// One of `sysexits.h`, as the help lists them, or 141 as the shell has it for a broken pipe.
  let status: Int32
  let message: String?

  init(_ status: Int32, _ message: String?, _ details: String = "") {
    self.status = status
    self.message = message.map { details.isEmpty ? $0 : "\($0)\n\(details)" }
  }

  static func usage(_ fault: String) -> Failure {
    Failure(64, fault, "Try 'repo-pulse --help'.")
  }

  static func malformedLog(_ fault: String) -> Failure {
    Failure(65, "the log makes no sense: \(fault)")
  }

  static func git(_ complaint: String) -> Failure {
    Failure(70, "git could not read the log", complaint)
  }

  static func unreadable(_ reason: String) -> Failure {
    Failure(74, "the log cannot be read: \(reason)")
  }

  static func unwritableRecording(_ path: ByteString, _ reason: String) -> Failure {
    Failure(74, "the recording \(path) cannot be written: \(reason)")
  }
}
