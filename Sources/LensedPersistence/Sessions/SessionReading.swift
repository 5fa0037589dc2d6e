public import Foundation
public import Lensed

// A session comes back from a file in two passes: `init(reading:)` checks all of it, strictly or leniently
// (`SessionSteps.read`, over the records of `SessionFile`), and each replay reads it again, commit by commit.

/// How strictly a session's file is read.
public enum SessionReading: Sendable {
  /// What cannot be replayed is an error: a file that was cut off, an unknown action, a type that differs.
  case strict
  /// A session ends where its file was cut off or damaged, and where a commit can be replayed neither by its actions nor
  /// by a state. What a commit says that it changed, and does not fit the state before, is passed over.
  case lenient
}

/// Whether a session fits the types of an app.
public enum SessionFit: Sendable, Hashable {
  /// All types are as they were.
  case fitting
  /// These parts have other properties or types than they had; their values may still be readable.
  case doubtful([String])
  /// These parts are not there, or these actions are not registered.
  case unfitting([String])
}

extension RecordedSession where State: Codable {
  /// Reads a session from the file of a `SessionRecorder(to:)`, or of `write(to:_:)`.
  ///
  /// ```swift
  /// let session = try RecordedSession<App>(reading: file, registry, .strict)
  /// store.replay(session)
  /// ```
  ///
  /// The file is read once to check it, and again by each replay, commit by commit: the session holds its first state and
  /// the fingerprints of some others, however long it is. The file has to stay as it is meanwhile; a replay of a file that has changed traps.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - registry: The types of the actions, by the names that they were written with.
  ///   - reading: What becomes of what cannot be replayed.
  /// - Throws: `SessionError`, which names the file, the commit and the type.
  /// - Complexity: O(*n*) in the size of the file; its memory is that of the state and of one record.
  public init(
    reading file: URL, _ registry: ActionRegistry, _ reading: SessionReading = .strict
  ) throws(SessionError) {
    var first: State?
    var (count, marks) = (0, SessionMarks())
    try SessionSteps.read(
      file, registry, reading, .max, onMark: { marks.insert($0) }
    ) { (step: Step) in
      if case .state(let state, _) = step.content, first == nil {
        first = state
      } else {
        count += 1
      }
    }
    guard let first else { throw .noSession(file: file.lastPathComponent) }
    let total = count
    self.init(initial: first, count: total, marks: marks) { body in
      do {
        var isFirst = true
        try SessionSteps.read(file, registry, reading, total) { (step: Step) in
          if isFirst {
            isFirst = false
          } else {
            body(step)
          }
        }
      } catch {
        fatalError(
          """
          Lensed: the file \(file.lastPathComponent) was changed while its session was replayed. Keep it as it is for \
          as long as the session is used. (\(error))
          """)
      }
    }
  }

  /// Says whether the session in a file fits this type of state and a registry.
  ///
  /// It compares what the file's head says of the parts and the actions with what they are now.
  ///
  /// - Throws: `SessionError` where the file cannot be read, or is no session.
  public static func fit(
    of file: URL, _ registry: ActionRegistry
  ) throws(SessionError) -> SessionFit {
    var session = try SessionFile(file)
    let head = session.head
    let snapshot = try session.next()
    var unknown = (head["actions"]?.list ?? []).compactMap { $0["name"]?.string }
      .filter { registry.actionType(named: $0) == nil }
    var state = SessionState()
    guard let snapshot, state.apply(snapshot) else { return .unfitting(["\(State.self)"]) }
    let known: [PartForm]
    do {
      known = PartForm.parts(
        of: try ActionCoder.json.value(State.self, of: state.whole.text))
    } catch {
      return .unfitting(unknown + ["\(State.self)"])
    }
    var doubtful: [String] = []
    for part in head["parts"]?.list ?? [] {
      let name = part["name"]?.string ?? ""
      guard let now = known.first(where: { $0.name == name }) else {
        unknown.append(name)
        continue
      }
      if now.fingerprint != part["fingerprint"]?.string { doubtful.append(name) }
    }
    if !unknown.isEmpty { return .unfitting(unknown) }
    return doubtful.isEmpty ? .fitting : .doubtful(doubtful)
  }
}

extension CommitCauses {
  fileprivate init(_ record: JSONText) {
    let cause = record["cause"]?.string.flatMap { CommitCause(rawValue: $0) } ?? .action
    self.init(
      cause,
      CommitOrigin(cause, written: record["origin"]?.string, record["effect"]?.string),
      parent: record["parent"]?.int.flatMap { UInt64(exactly: $0) },
      site: record["site"]?.string.flatMap {
        CallSite(reading: $0, function: record["function"]?.string)
      },
      time: record["time"]?.double.flatMap { Int64(exactly: ($0 * 1_000_000).rounded()) }
        .map { .microseconds($0) },
      isHandled: record["unhandled"]?.bool != true)
  }
}

private enum SessionSteps {
  /// Reads the first state and so many steps.
  static func read<State: Sendable & Codable>(
    _ url: URL, _ registry: ActionRegistry, _ reading: SessionReading, _ count: Int,
    onMark: (SessionMarks.Mark) -> Void = { _ in },
    _ body: (RecordedSession<State>.Step) -> Void
  ) throws(SessionError) {
    var file = try SessionFile(url)
    let name = file.name
    let form = file.head["replay"]?.string ?? "none"
    var state = SessionState()
    var (isFirst, done) = (true, 0)
    // Whether the state is that of the last record: not behind a change that was passed over, until the next snapshot.
    var isKnown = true
    while done < count {
      let record: JSONText
      do throws(SessionError) {
        guard let next = try file.next() else { break }
        record = next
      } catch {
        if reading == .lenient, case .damaged = error { return }
        throw error
      }
      if state.apply(record) {
        if record["record"]?.string == "snapshot" { isKnown = true }
      } else if reading == .lenient && !isFirst {
        isKnown = false
      } else {
        throw .damaged(
          file: name, byte: file.offset, problem: "What a record before it changed is not there.")
      }
      let revision = record["revision"]?.int.flatMap { UInt64(exactly: $0) } ?? 0
      func whole() throws(SessionError) -> State {
        if record["unseen"]?.bool == true {
          throw .unreplayable(
            file: name, revision: revision,
            reason: "not by its actions, and the state after it was not recorded")
        }
        if !isKnown && form != "own" {
          throw .unreplayable(
            file: name, revision: revision,
            reason: "it was recorded as a state, and what a record before it changed is not there")
        }
        let own = form == "own" ? record["state"] : form == "parts" ? state.whole : nil
        guard let json = own ?? (isFirst && form != "none" ? state.whole : nil) else {
          throw .unreplayable(
            file: name, revision: revision,
            reason:
              "it was recorded as a state, and \(code: State.self) was not recorded as a whole")
        }
        do {
          return try ActionCoder.json.value(State.self, of: json.text)
        } catch {
          throw .unreadableValue(
            file: name, type: "\(State.self)", revision: revision,
            reason: Redaction.coding(error, of: State.self))
        }
      }
      do throws(SessionError) {
        switch record["record"]?.string {
        case "snapshot" where isFirst || record["begins"]?.bool == true:
          if !isFirst { done += 1 }
          body(.state(try whole()))
          isFirst = false
        case "commit":
          if isFirst { throw .noSession(file: name) }
          let content: RecordedSession<State>.Step.Content =
            record["step"]?.string == "state"
            ? .state(try whole(), []) : .actions(try actions(of: record, revision, name, registry))
          var step = RecordedSession.Step(content, CommitCauses(record), revision: revision)
          step.earlier = (record["earlier"]?.list ?? []).compactMap { $0.int.flatMap(UInt64.init) }
          body(step)
          done += 1
        case "fingerprint":
          if let mark = SessionMarks.Mark(record) { onMark(mark) }
        default: break
        }
      } catch {
        if reading == .lenient && !isFirst { return }
        throw error
      }
    }
    if reading == .lenient { return }
    if let byte = file.tornAt { throw .cutOff(file: name, byte: byte) }
    if let wanted = file.head["commits"]?.int, done < min(wanted, count) {
      throw .cutOff(file: name, byte: file.offset)
    }
  }

  private static func actions(
    of record: JSONText, _ revision: UInt64, _ file: String, _ registry: ActionRegistry
  ) throws(SessionError) -> [any Action] {
    var actions: [any Action] = []
    for item in record["actions"]?.list ?? [] {
      let name = item["name"]?.string ?? item["type"]?.string ?? "?"
      let text = item["coded"]?.string ?? item["value"]?.text ?? "null"
      do {
        guard let action = try registry.action(named: name, of: text) else {
          throw SessionError.unknownAction(file: file, name: name, revision: revision)
        }
        actions.append(action)
      } catch let error as SessionError {
        throw error
      } catch {
        throw .unreadableValue(
          file: file, type: name, revision: revision, reason: Redaction.coding(error))
      }
    }
    return actions
  }
}
