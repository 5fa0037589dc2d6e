import Lensed

/// What is recorded of a run, and the file that it goes to.
struct Recording: Sendable {
  let file: RecordingFile
  /// Records the store that the log is read into.
  let log = SessionRecorder<PulseState>()
  /// Records the one that goes on from there.
  let news = SessionRecorder<PulseState>()

  init(path: String) {
    file = RecordingFile(path: path)
  }

  /// Writes what was recorded up to now.
  func write() throws(Failure) {
    guard let log = log.session else { return }
    guard let news = news.session, news.count > 0 else { return try file.write(log) }
    try file.write(log.followed(by: news))
  }
}
