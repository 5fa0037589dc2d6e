import Foundation
import Lensed

/// A file that holds a run: every action that was applied, to be replayed without a repository.
struct RecordingFile: Sendable {
  /// As the user wrote it.
  let path: String

  /// Where it is written: a link is left in its place, and what it leads to takes the recording.
  private var target: URL { URL(fileURLWithPath: path).resolvingSymlinksInPath() }

  /// What it holds, read and checked whole.
  func session() throws(Failure) -> RecordedSession<PulseState> {
    let data: Data
    do {
      // A handle reads pipes too, which `Data(contentsOf:)` refuses.
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      data = try file.readToEnd() ?? Data()
    } catch {
      throw .noRecording(path, RecordingFile.reason(error))
    }
    do {
      let journal = try JSONDecoder().decode(Journal.self, from: data)
      return try ActionRegistry.pulse.session(journal, of: PulseState.self)
    } catch {
      throw .malformedRecording(
        path, (error as? JournalError)?.fault ?? "it is cut off, or no recording")
    }
  }

  /// Writes it in one piece: whoever reads meanwhile finds the former one.
  func write(_ session: RecordedSession<PulseState>) throws(Failure) {
    try check()
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let data = try encoder.encode(ActionRegistry.pulse.journal(of: session))
      try data.write(to: target, options: .atomic)
    } catch {
      throw .unwritableRecording(path, RecordingFile.reason(error))
    }
  }

  /// Fails where it can be told that the file will not be written, before anything is read in vain.
  ///
  /// A device or a pipe is refused, because a file in one piece takes the place of what was there.
  func check() throws(Failure) {
    let target = target
    let folder = target.deletingLastPathComponent().path
    let files = FileManager.default
    let type = try? files.attributesOfItem(atPath: target.path)[.type] as? FileAttributeType
    if let type, type != .typeRegular {
      throw .unwritableRecording(path, "it is no file")
    }
    if !System.isFolder(folder) {
      throw .unwritableRecording(path, "there is no folder \(folder)")
    }
    if !files.isWritableFile(atPath: folder) {
      throw .unwritableRecording(path, "the folder \(folder) takes no new files")
    }
  }

  private static func reason(_ error: any Error) -> String {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? error
    guard let number = Int32(exactly: (cause as NSError).code),
      (cause as NSError).domain == NSPOSIXErrorDomain
    else { return error.localizedDescription }
    return System.Refusal(number: number).reason
  }
}

extension JournalError {
  /// What is wrong with a recording, for whoever was given one.
  fileprivate var fault: String {
    switch self {
    case .altered: "it was cut off or altered"
    case .unknownFormat(let format): "its format is \(format), which a newer repo-pulse writes"
    case .unknownAction(let name, let step):
      "commit \(step) holds an action named \(name), which this repo-pulse does not know"
    case .unreadable(_, let step?, _): "commit \(step) holds what this repo-pulse cannot read"
    default: "it is no recording of repo-pulse"
    }
  }
}
