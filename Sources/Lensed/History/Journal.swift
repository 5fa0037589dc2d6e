/// A session as text, to attach to a bug report and to replay in a test.
///
/// It is `Codable`, so any encoder can write it. Its values are text already, made by the
/// `JournalCoder` of an `ActionRegistry`. A checksum detects a file that was cut off or altered.
///
/// ```swift
/// let registry = ActionRegistry(coder).adding(CounterAction.self).adding(UserAction.self)
/// let data = try JSONEncoder().encode(registry.journal(of: history))
/// …
/// let journal = try JSONDecoder().decode(Journal.self, from: data)
/// store.replay(try registry.session(journal, of: AppState.self))
/// ```
public struct Journal: Sendable, Hashable, Codable {
  /// One action, by its registered name.
  package struct Item: Sendable, Hashable, Codable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  /// One commit: its actions, or the state after it if no action reproduces it.
  package struct Step: Sendable, Hashable, Codable {
    package var actions: [Item] = []
    package var state: String?
    /// The place in the source code that dispatched the actions.
    package var origin: String?
    /// Why the commit was made; nil in journals that were written without.
    package var why: Causes?

    package init(actions: [Item] = [], state: String? = nil, origin: String? = nil) {
      (self.actions, self.state, self.origin) = (actions, state, origin)
    }
  }

  /// Why a commit was made.
  package struct Causes: Sendable, Hashable, Codable {
    /// The number of the commit, and those of the commits that a step of a history has beside it.
    let revision: UInt64
    let earlier: [UInt64]?
    let cause: CommitCause
    let origin: String?
    let effect: String?
    let parent: UInt64?
    let function: String?
    let microseconds: Int64?
    let unhandled: Bool?

    init(_ causes: CommitCauses, _ revision: UInt64, _ earlier: [UInt64]) {
      (self.revision, self.earlier) = (revision, earlier.isEmpty ? nil : earlier)
      (cause, parent) = (causes.cause, causes.parent)
      (origin, effect) = causes.origin.written
      function = causes.site?.function
      microseconds = causes.time.map { time in
        let (seconds, rest) = time.components
        return seconds * 1_000_000 + rest / 1_000_000_000_000
      }
      unhandled = causes.isHandled ? nil : true
    }

    /// The causes, with the place that is written beside them.
    func causes(at place: String?) -> CommitCauses {
      CommitCauses(
        cause, CommitOrigin(cause, written: origin, effect), parent: parent,
        site: place.flatMap { CallSite(reading: $0, function: function) },
        time: microseconds.map { .microseconds($0) }, isHandled: unhandled != true)
    }

    fileprivate func add(to sum: inout Checksum) {
      for number in [revision] + (earlier ?? []) + [parent ?? 0] {
        sum.add(Int(truncatingIfNeeded: number))
      }
      for text in [cause.rawValue, origin, effect, function] { sum.add(text) }
      sum.add(Int(truncatingIfNeeded: microseconds ?? -1))
      sum.add(unhandled == true ? 1 : 0)
    }
  }

  /// The number of the format; the first is 1.
  let format: Int
  let initial: String
  let steps: [Step]
  /// The fingerprints of some states; nil in journals that were written without.
  let marks: [SessionMarks.Mark]?
  let checksum: String

  package init(initial: String, steps: [Step]) {
    self.init(initial: initial, steps: steps, marks: nil)
  }

  init(initial: String, steps: [Step], marks: [SessionMarks.Mark]?) {
    format = 1
    self.initial = initial
    self.steps = steps
    self.marks = marks
    checksum = Self.checksum(initial, steps, marks)
  }

  /// The number of commits.
  public var count: Int { steps.count }

  func check() throws(JournalError) {
    if format != 1 { throw .unknownFormat(format) }
    if checksum != Self.checksum(initial, steps, marks) { throw .altered }
  }

  private static func checksum(
    _ initial: String, _ steps: [Step], _ marks: [SessionMarks.Mark]?
  ) -> String {
    var sum = Checksum()
    sum.add(initial)
    for step in steps {
      sum.add(step.actions.count)
      for item in step.actions {
        sum.add(item.name)
        sum.add(item.value)
      }
      sum.add(step.state)
      sum.add(step.origin)
      step.why?.add(to: &sum)
    }
    for mark in marks ?? [] {
      sum.add(mark.commits)
      sum.add(mark.state.limit)
      for part in mark.state.parts {
        sum.add(part.name)
        sum.add(part.sum)
      }
    }
    return sum.text
  }
}

/// A checksum of bytes: FNV-1a, 64 bits.
///
/// It shows accidents, not attacks.
struct Checksum {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  var text: String { String(value, radix: 16) }

  mutating func add(_ text: String?) {
    guard let text else { return add(-1) }
    add(text.utf8.count)
    for byte in text.utf8 { mix(byte) }
  }

  mutating func add(_ number: Int) {
    var rest = UInt64(bitPattern: Int64(number))
    for _ in 0..<8 {
      mix(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  private mutating func mix(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
  }
}

/// The reason why a journal cannot be written or read.
///
/// None of the journal has been applied when this is thrown.
public enum JournalError: Error, Sendable, CustomStringConvertible {
  /// The journal has a newer format.
  case unknownFormat(Int)
  /// The journal was cut off or altered.
  case altered
  /// An action in the journal has a name that is not registered.
  case unknownAction(name: String, step: Int)
  /// An action of the history has a type that is not registered.
  case unregistered(type: String, step: Int)
  /// A value in the journal cannot be read as the type it was written as.
  ///
  /// A step of nil is the initial state.
  case unreadable(type: String, step: Int?, any Error)
  /// A value of the history cannot be written.
  ///
  /// A step of nil is the initial state.
  case unwritable(type: String, step: Int?, any Error)
  /// The history was never attached to a store, so it has no first state.
  case noStore

  /// The error, its place, and the remedy.
  public var description: String {
    switch self {
    case .unknownFormat(let format):
      "Lensed: the journal has format \(format), and this version reads format 1. Update Lensed."
    case .altered:
      "Lensed: the journal was cut off or altered, so none of it is replayed. Export it again."
    case .unknownAction(let name, let step):
      """
      Lensed: commit \(step) of the journal holds an action named `\(name)`, which is not registered. \
      Add its type to the ActionRegistry, under that name.
      """
    case .unregistered(let type, let step):
      """
      Lensed: commit \(step) of the history holds an action of type `\(type)`, which is not \
      registered. Make it Codable and add it to the ActionRegistry.
      """
    case .unreadable(let type, let step, let error):
      "Lensed: the `\(type)` in \(Self.place(step)) of the journal cannot be read: \(error)."
    case .unwritable(let type, let step, let error):
      "Lensed: the `\(type)` in \(Self.place(step)) of the history cannot be written: \(error)."
    case .noStore:
      """
      Lensed: the history was never attached to a store, so there is nothing to write. Pass it to the store \
      with middleware:, and export it afterwards.
      """
    }
  }

  private static func place(_ step: Int?) -> String {
    step.map { "commit \($0)" } ?? "the initial state"
  }
}
