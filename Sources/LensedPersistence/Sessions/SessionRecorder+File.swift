public import Foundation
public import Lensed

extension SessionRecorder {
  /// Creates a recorder that writes the session to a file as it happens.
  ///
  /// ```swift
  /// let registry = ActionRegistry(.json).adding(CartAction.self).adding(SearchAction.self)
  /// let file = folder.appending(path: "\(Date.now.ISO8601Format()).lensed")
  /// let recorder = try SessionRecorder<App>(to: file, registry)
  /// let store = try Store(initialState: App(), middleware: [recorder]) { … }
  /// ```
  ///
  /// `RecordedSession(reading:_:_:)` reads the file, and so does the tool `lensed-inspect`.
  ///
  /// **What is in it.** A head that names the types, the state at first, and for each commit its actions, their
  /// cause, and what it changed *as values*: each part whose reducer ran and that differs, rows by their position and
  /// id. So a reader without the app's types rebuilds every state. A part that is not `Encodable` is written as text. What
  /// is `NotLogged` is written as the name of its type, wherever in an action or in the state it stands.
  ///
  /// Each run of an effect is in it, too: the commit that set it off, since when it waited, since when it ran, when it
  /// ended and how. A run without an end was under way when the session ended.
  ///
  /// **When.** A commit is taken in under the lock, and written by the thread that made it, before `dispatch`
  /// returns; if another thread is writing, by that one. What was written outlives the process, also one that is killed.
  /// (A power cut may take the last seconds.) The encoding of values runs without any lock.
  ///
  /// **Memory.** It holds the last state that it has written. Commits that wait while another thread writes hold
  /// theirs; of those that replay by their actions 64 at most: of further ones the actions are written, and what they
  /// changed with the next one.
  ///
  /// **What replays.** A commit replays by its actions if all of their types are registered, and else by the state
  /// after it, if the state is `Codable`. A commit with something `NotLogged` in it does not replay.
  ///
  /// - Parameters:
  ///   - file: Where to; a new file. Others than this user cannot read it.
  ///   - registry: The names of the types of actions.
  ///   - onFault: Is told of each type of action that is not registered, once; and once if the disk fails: the session
  ///     ends there, and the store goes on. By default a line on standard error.
  /// - Throws: `SessionError.unwritable` where there is such a file already, or none can be made.
  public convenience init(
    to file: URL, _ registry: ActionRegistry,
    onFault: (@Sendable (SessionError) -> Void)? = nil
  ) throws(SessionError) {
    let writer: SessionWriter<State>
    do throws(DiskFault) {
      writer = SessionWriter(
        try RecordFile(creating: file), registry, named: file.lastPathComponent,
        onFault ?? { StandardError.write(line: "\($0)") })
    } catch {
      throw SessionError(creating: file, error)
    }
    self.init(writingTo: writer.sink)
  }
}

extension SessionSink {
  /// A sink that writes the records of a session elsewhere.
  ///
  /// - Parameters:
  ///   - lines: Where to.
  ///   - registry: The names of the types of actions.
  ///   - noticing: Is given each commit under the lock of the store, with its state; returns what is to be released.
  package init(
    writingTo lines: any SessionLines, _ registry: ActionRegistry,
    noticing: @escaping @Sendable (_ revision: UInt64, _ state: State) -> (any Sendable)?
  ) {
    self = SessionWriter(lines, registry, named: "", noticing: noticing) { _ in }.sink
  }
}

/// Takes in commits and has one thread at a time write them.
///
/// The cycle:
///
/// 1. A commit is put into the queue, under the lock of the store; a run of an effect, as it waits, begins and has ended.
/// 2. After that, its thread takes the pen, if it is there; if not, the thread that has it will write this commit, too.
/// 3. The thread with the pen writes until the queue is empty, and puts it back in the same turn at the lock.
private final class SessionWriter<State: Sendable>: Sendable {
  private enum Item: Sendable {
    case begin(SessionStart<State>, Date)
    case commit(RecordedCommit<State>)
    case run(RecordedRun)
  }

  private struct Guarded: ~Copyable {
    var queue: [Item] = []
    /// Where the last commit is in the queue; nil where none is, or another store follows.
    var last: Int?
    var pen: SessionPen<State>?
    var isBroken = false
  }

  private let guarded: Locked<Guarded>
  private let registry: ActionRegistry
  private let name: String
  private let noticing: @Sendable (_ revision: UInt64, _ state: State) -> (any Sendable)?
  private let onFault: @Sendable (SessionError) -> Void
  /// How many commits that replay may wait with their state.
  private static var limit: Int { 64 }

  init(
    _ lines: any SessionLines, _ registry: ActionRegistry, named name: String,
    noticing: @escaping @Sendable (UInt64, State) -> (any Sendable)? = { _, _ in nil },
    _ onFault: @escaping @Sendable (SessionError) -> Void
  ) {
    guarded = Locked(Guarded(pen: SessionPen(lines, registry)))
    (self.registry, self.name, self.noticing, self.onFault) = (registry, name, noticing, onFault)
  }

  var sink: SessionSink<State> {
    SessionSink(
      begin: { start in
        _ = self.noticing(start.revision, start.state)
        let now = Date()
        self.guarded.withLock { guarded in
          if guarded.isBroken { return }
          guarded.queue.append(.begin(start, now))
          guarded.last = nil
        }
      },
      record: { commit in
        let noticed = self.noticing(commit.revision, commit.state)
        let dropped = self.take(commit)
        return noticed == nil && dropped == nil ? nil : (noticed, dropped)
      },
      afterwards: { self.write() },
      run: { run in self.guarded.withLock { if !$0.isBroken { $0.queue.append(.run(run)) } } })
  }

  // MARK: Taking in

  private func take(_ commit: LoggedCommit<State>) -> (any Sendable)? {
    var item = RecordedCommit(commit)
    return guarded.withLock { guarded -> (any Sendable)? in
      if guarded.isBroken { return nil }
      var dropped: (any Sendable)?
      if guarded.queue.count >= Self.limit, let index = guarded.last,
        case .commit(var last) = guarded.queue[index],
        last.isReplayable, last.actions.allSatisfy({ registry.name(of: type(of: $0)) != nil })
      {
        // Its actions say what happened; what it changed is written with this one.
        item.touched.formUnion(last.touched)
        item.changesAll = item.changesAll || last.changesAll
        dropped = last.state
        (last.touched, last.state) = ([], nil)
        guarded.queue[index] = .commit(last)
      }
      guarded.last = guarded.queue.count
      guarded.queue.append(.commit(item))
      return dropped
    }
  }

  // MARK: Writing

  private func write() {
    var pen = guarded.withLock { $0.queue.isEmpty ? nil : $0.pen.take() }
    while pen != nil {
      let items = guarded.withLock { Self.taken(&$0) }
      do {
        for item in items {
          switch item {
          case .begin(let start, let moment): try pen?.begin(start, at: moment)
          case .commit(let commit): try pen?.write(commit)
          case .run(let run): try pen?.write(run)
          }
        }
        try pen?.flush()
        for type in pen?.takeUnregistered() ?? [] { onFault(.unregistered(type: type)) }
      } catch {
        let dropped = guarded.withLock { guarded in
          guarded.isBroken = true
          return Self.taken(&guarded)
        }
        withExtendedLifetime(dropped) {}
        let reason = (error as? DiskFault)?.text ?? "\(error)"
        return onFault(.unwritable(file: name, reason: reason))
      }
      guarded.withLock { guarded in
        if guarded.queue.isEmpty { guarded.pen = pen.take() }
      }
    }
  }

  private static func taken(_ guarded: inout Guarded) -> [Item] {
    guarded.last = nil
    return exchange(&guarded.queue, with: [])
  }
}

/// Why a session cannot be written or read.
public enum SessionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file cannot be written.
  case unwritable(file: String, reason: String)
  /// Actions of a type are not registered: their commits replay by the state after them.
  case unregistered(type: String)
  /// The file cannot be read.
  case unreadable(file: String, reason: String)
  /// The file is no session.
  case noSession(file: String)
  /// The file has a format that this version does not know.
  case unknownFormat(file: String, format: Int)
  /// The file was damaged at a byte: what had been written there is no longer what it was.
  case damaged(file: String, byte: UInt64, problem: String)
  /// The file ends too early, at a byte.
  case cutOff(file: String, byte: UInt64)
  /// An action has a name that is not registered.
  case unknownAction(file: String, name: String, revision: UInt64)
  /// A value cannot be read as the type that it was written as.
  case unreadableValue(file: String, type: String, revision: UInt64, reason: String)
  /// A commit can be looked at, and does not replay.
  case unreplayable(file: String, revision: UInt64, reason: String)

  init(creating file: URL, _ fault: DiskFault) {
    self = .unwritable(
      file: file.lastPathComponent,
      reason: fault.isTaken
        ? """
        there is a file of that name, and a session is a new file. Choose another name, such as one with the time \
        in it, or remove that file
        """ : fault.text)
  }

  /// What happened, where, and what to do.
  public var description: String {
    switch self {
    case .unwritable(let file, let reason):
      "Lensed: the session \(file) is not written: \(reason)."
    case .unregistered(let type):
      """
      Lensed: \(code: type) is not registered, so a session has the state after each commit with one. Make it Codable \
      and add it to the ActionRegistry.
      """
    case .unreadable(let file, let reason): "Lensed: \(file) cannot be read: \(reason)."
    case .noSession(let file):
      "Lensed: \(file) is no session. A SessionRecorder(to:) writes one."
    case .unknownFormat(let file, let format):
      "Lensed: the session \(file) has format \(format), and this version reads format 1. Update Lensed."
    case .damaged(let file, let byte, let problem):
      """
      Lensed: the session \(file) is damaged at byte \(byte): \(problem) Read it with .lenient to have what comes \
      before.
      """
    case .cutOff(let file, let byte):
      """
      Lensed: the session \(file) was cut off at byte \(byte), as by a crash. Read it with .lenient to have what comes \
      before.
      """
    case .unknownAction(let file, let name, let revision):
      """
      Lensed: commit \(revision) of the session \(file) has an action named \(code: name), which is not registered. \
      Add its type to the ActionRegistry, under that name.
      """
    case .unreadableValue(let file, let type, let revision, let reason):
      "Lensed: the \(code: type) in commit \(revision) of the session \(file) cannot be read: \(reason)."
    case .unreplayable(let file, let revision, let reason):
      "Lensed: commit \(revision) of the session \(file) does not replay: \(reason)."
    }
  }
}
