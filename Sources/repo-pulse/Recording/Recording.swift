import Foundation
import Lensed
import LensedPersistence
import Synchronization

/// A run in a file: a session, written as it happens, to be replayed without a repository.
///
/// `lensed-inspect` shows what is in it.
final class Recording: Sendable {
  /// The actions of this program, by the names that they have in a recording for ever.
  static let registry = ActionRegistry(.json)
    .adding(Opened.self, named: "opened").adding(CommitAction.self, named: "commit")
    .adding(FileAction.self, named: "file").adding(Follow.self, named: "follow")
    .adding(ElementAction<ByteString, AuthorAction>.self, named: "share")
    .adding(StartOver.self, named: "start over")

  let recorder: SessionRecorder<PulseState>
  private let path: ByteString
  private let file: URL
  private let fault: FirstFault

  /// Begins a new file; what is there already stays as it is, and is told before anything is read in vain.
  init(_ path: ByteString) throws(Failure) {
    let fault = FirstFault()
    do throws(SessionError) {
      file = try Recording.file(path)
      recorder = try SessionRecorder(to: file, Recording.registry) { fault.note($0) }
    } catch {
      throw .unwritableRecording(path, error.fault)
    }
    (self.path, self.fault) = (path, fault)
  }

  /// Fails where not all was written.
  func finish() throws(Failure) {
    if let error = fault.first { throw .unwritableRecording(path, error.fault) }
  }

  /// Takes the file away: it does not hold what it was to hold.
  func discard() {
    try? FileManager.default.removeItem(at: file)
  }

  /// What a file holds, once all of it was checked.
  static func session(_ path: ByteString) throws(Failure) -> RecordedSession<PulseState> {
    do throws(SessionError) {
      let file = try file(path).resolvingSymlinksInPath()
      return try RecordedSession(reading: file, registry, .strict)
    } catch {
      if case .unreadable(_, let reason) = error {
        throw Failure(66, "the recording \(path) cannot be read: \(reason)")
      }
      throw Failure(65, "the recording \(path) makes no sense: \(error.fault)")
    }
  }

  /// No part of a name stands for anything but itself.
  private static func file(_ path: ByteString) throws(SessionError) -> URL {
    guard let text = String(validating: path.bytes, as: UTF8.self), !text.hasSuffix("/") else {
      throw .unreadable(file: path.text, reason: "this is no name of a file that is UTF-8")
    }
    return URL(filePath: text.hasPrefix("/") ? text : "./" + text, directoryHint: .notDirectory)
  }
}

/// What ended the writing, if anything did.
private final class FirstFault: Sendable {
  private let noted = Mutex<SessionError?>(nil)

  var first: SessionError? { noted.withLock { $0 } }

  func note(_ error: SessionError) { noted.withLock { $0 = $0 ?? error } }
}

extension SessionError {
  /// What is wrong, for a user who knows the file.
  fileprivate var fault: String {
    switch self {
    case .unwritable(_, let reason), .unreadable(_, let reason): reason
    case .cutOff, .damaged: "it was cut off or altered"
    case .unknownAction(_, let name, let revision):
      "commit \(revision) holds an action named \(name), which this repo-pulse does not know"
    case .unreadableValue(_, _, let revision, _), .unreplayable(_, let revision, _):
      "commit \(revision) holds what this repo-pulse cannot read"
    case .noSession, .unknownFormat, .unregistered: "it is no recording of repo-pulse"
    }
  }
}
