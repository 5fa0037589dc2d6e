public import Foundation
public import Lensed

extension RecordedSession {
  /// Writes the session to a file, for `RecordedSession(reading:_:_:)` and `lensed-inspect`.
  ///
  /// ```swift
  /// if let session = recorder.session { try session.write(to: file, registry) }
  /// ```
  ///
  /// The file is that of a `SessionRecorder(to:)`, and of its end it is known that it is the end. What a commit changed is
  /// in it where the session has the state after the commit: the session of a `History` has them all, and that of a
  /// recorder in memory those that no action reproduces. What is `NotLogged` is written as the name of its type.
  ///
  /// - Parameters:
  ///   - file: Where to; a new file. Others than this user cannot read it.
  ///   - registry: The names of the types of actions.
  /// - Throws: `SessionError.unwritable` where there is such a file already, or none can be made;
  ///   `SessionError.unreplayable` for the first commit with an action that is not registered, is `NotLogged` or cannot be
  ///   encoded, where the session does not have the state after it. No file is left then.
  /// - Complexity: O(*n*) in the actions and in the states that the session has.
  public func write(to file: URL, _ registry: ActionRegistry) throws(SessionError) {
    let name = file.lastPathComponent
    let lines: RecordFile
    do throws(DiskFault) {
      lines = try RecordFile(creating: file)
    } catch {
      throw SessionError(creating: file, error)
    }
    do {
      try write(to: lines, named: name, registry)
    } catch {
      try? FileManager.default.removeItem(at: file)
      throw error as? SessionError
        ?? .unwritable(file: name, reason: (error as? DiskFault)?.text ?? "\(error)")
    }
  }

  private func write(
    to lines: RecordFile, named name: String, _ registry: ActionRegistry
  ) throws {
    var pen = SessionPen<State>(lines, registry)
    var (commits, marks, fault) = (0, marks.all[...], (any Error)?.none)
    func writeMarks() throws {
      while let mark = marks.first, mark.commits <= commits { try pen.write(marks.removeFirst()) }
    }
    try pen.begin(SessionStart(initial, at: start), at: nil, count: count)
    try writeMarks()
    forEachStep { step in
      if fault != nil { return }
      do {
        if case .state(let state, _) = step.content, step.causes == nil {
          // The session goes on in another store.
          try pen.begin(SessionStart(state, at: nil), at: nil)
        } else if let fault = try pen.write(RecordedCommit(step)) {
          let place = step.causes?.site.map { ", dispatched at \($0)," } ?? ""
          throw SessionError.unreplayable(
            file: name, revision: step.revision,
            reason: """
              its action\(place) cannot be read back: \(fault). A session in memory has no state after such an action, \
              so nothing was written; in memory it replays. Make the action one that can be written, and register it, or \
              record with `SessionRecorder(to:)`, which keeps that state
              """
          )
        }
        commits += 1
        try writeMarks()
      } catch {
        fault = error
      }
    }
    if let fault { throw fault }
    try lines.mark()
  }
}
