import Foundation
import Lensed

/// A file that holds a run: every action that was applied, to be replayed without a repository.
struct RecordingFile: Sendable {
  /// As the user wrote it; no part of it stands for anything but itself.
  let path: ByteString

  /// What it holds, read and checked whole.
  func session() throws(Failure) -> RecordedSession<PulseState> {
    let data = Data(try bytes())
    do {
      let tally = RecordingTally()
      let registry = ActionRegistry.pulse { try tally.add($0) }
      let journal = try JSONDecoder().decode(Journal.self, from: data)
      return try registry.session(journal, of: PulseState.self)
    } catch {
      throw .malformedRecording(
        path.text, (error as? JournalError)?.fault ?? "it is cut off, or no recording")
    }
  }

  /// All of a file or a pipe; of what does not begin as a recording no more than the beginning.
  private func bytes() throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(System.Refusal) {
      let descriptor = try System.openToRead(path)
      defer { System.shut(descriptor) }
      while true {
        let chunk = try System.bytes(from: descriptor, upTo: 1 << 20)
        if chunk.isEmpty { return bytes }
        bytes += chunk
        guard bytes.first(where: { !$0.isJSONSpace }) == UInt8(ascii: "{") else { break }
      }
    } catch {
      throw .noRecording(path.text, error.reason)
    }
    throw .malformedRecording(path.text, "it is cut off, or no recording")
  }

  /// Where it is written: a link is left in its place, and what it leads to takes the recording, be it
  /// there already or not.
  ///
  /// A device or a pipe is refused, because a file in one piece takes the place of what was there.
  func target() throws(Failure) -> RecordingTarget {
    var target = path
    // As many links as Linux follows.
    for _ in 0...40 {
      let status = System.status(ofLinkOrFile: target)
      guard status?.isLink == true, let next = System.destination(ofLink: target) else {
        if let status, !status.isFile { throw unwritable("it is no file") }
        return try RecordingTarget(path: target, mode: status?.mode) { unwritable($0) }
      }
      target = next.hasPrefix("/") ? next : ByteString(target.folderPrefix + next.bytes)
    }
    throw unwritable("its links lead in a circle")
  }

  func unwritable(_ reason: String) -> Failure {
    .unwritableRecording(path.text, reason)
  }
}

/// The file that takes a recording, in a folder that takes new files.
struct RecordingTarget: Sendable {
  let path: ByteString
  /// Who may read and write the file that is there already.
  let mode: mode_t?

  fileprivate init(
    path: ByteString, mode: mode_t?, _ failure: (String) -> Failure
  ) throws(Failure) {
    self.path = path
    self.mode = mode
    let prefix = path.folderPrefix
    let folder = prefix.isEmpty ? "." : ByteString(prefix)
    let name = prefix.count > 1 ? ByteString(prefix.dropLast()).text : folder.text
    if prefix.count == path.bytes.count { throw failure("it is no file") }
    if !System.isFolder(folder) { throw failure("there is no folder \(name)") }
    if !System.isWritable(folder) { throw failure("the folder \(name) takes no new files") }
  }

  /// A name beside it, of a length that every file system takes.
  func neighbour() -> ByteString {
    let number = String(UInt64.random(in: .min ... .max), radix: 36)
    return ByteString(path.folderPrefix + Array(".repo-pulse-\(number).part".utf8))
  }
}

extension ByteString {
  /// Everything up to the last slash, and the slash.
  fileprivate var folderPrefix: [UInt8] {
    let bytes = bytes
    return Array(bytes[..<((bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)])
  }
}

extension UInt8 {
  fileprivate var isJSONSpace: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}

extension JournalError {
  /// What is wrong with a recording, for a user who was given one.
  fileprivate var fault: String {
    switch self {
    case .altered: "it was cut off or altered"
    case .unknownFormat(let format): "its format is \(format), which a newer repo-pulse writes"
    case .unknownAction(let name, let step):
      "commit \(step) holds an action named \(name), which this repo-pulse does not know"
    case .unreadable(_, let step, let error) where error is RecordingTally.Absurdity:
      "\(step.map { "commit \($0)" } ?? "its beginning") holds a number of nothing that can be counted"
    case .unreadable(_, let step?, _): "commit \(step) holds what this repo-pulse cannot read"
    default: "it is no recording of repo-pulse"
    }
  }
}
