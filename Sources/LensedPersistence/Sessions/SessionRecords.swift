internal import Foundation
internal import Lensed

// What a session's file says; docs/format.md describes it for other programs.
//
//   1. The head: versions, the parts of the state and how each is written, the registered actions, who owns what.
//   2. A snapshot of the state: each part, and the ids of its rows.
//   3. A record for each commit: its actions, its cause, and what it changed as values.
//   4. A record for each run of an effect as it waits, begins, and has ended: each says all that the one before says.
//   5. The fingerprint of a state, for a replay to compare with, as often as `SessionMarks` says.
//   6. A snapshot again, whenever what was written since outgrows the last one, and sooner where the lines are to be
//      bounded: so a reader of one state reads a bounded part of the file.

/// Where the records of a session go.
package protocol SessionLines: Sendable {
  func append(_ json: [UInt8], _ kind: SessionLineKind) throws
  /// Hands what has come together to the operating system: it outlives the process then, however that ends.
  func flush() throws
  /// As `flush`, and says in the file that all before is whole: what does not fit there from now on is damage.
  func mark() throws
  /// Whether it could drop what is old, if only there were a snapshot.
  var wantsSnapshot: Bool { get }
}

extension SessionLines {
  package var wantsSnapshot: Bool { false }
}

package enum SessionLineKind: Sendable {
  case head, snapshot, commit
  /// What is known by then of a run of an effect.
  case run
  /// The fingerprint of a state.
  case fingerprint
  /// A warning or an error, of an inspector.
  case note
}

/// Writes one session; in the hands of one thread at a time.
struct SessionPen<State: Sendable>: ~Copyable {
  private let file: any SessionLines
  private let registry: ActionRegistry
  private var last: State?
  private var parts: [PartForm] = []
  private var form = StateForm.none
  /// The parts whose last value could not be encoded, and stands in the file as text: rows cannot go on from that.
  private var asText: Set<Int> = []
  /// The time of the last commit, and what is added to the times of the present store, and to those of its replays.
  private var lastTime = Duration.zero
  private var shift = Duration.zero
  private var replayShift = Duration.zero
  private var sinceSnapshot = 0
  private var snapshotSize = 0
  /// How many commits there are so far, and after how many the last fingerprint was made.
  private var commits = 0
  private var lastMark = -1
  /// The types that were reported as not registered, and those that are yet to be.
  private var reported: Set<String> = []
  private var unregistered: [String] = []

  init(_ file: any SessionLines, _ registry: ActionRegistry) {
    self.file = file
    self.registry = registry
  }

  mutating func flush() throws {
    try file.flush()
  }

  // MARK: The head

  /// Begins with a state; where there was one before, the session goes on with it.
  ///
  /// - Parameters:
  ///   - start: The state.
  ///   - moment: When that was; nil where it is not known.
  ///   - count: How many commits follow; nil where that is not known.
  /// - Throws: What the file throws.
  mutating func begin(_ start: SessionStart<State>, at moment: Date?, count: Int? = nil) throws {
    let (state, isFirst) = (start.state, last == nil)
    if isFirst {
      parts = PartForm.parts(of: state)
      form = StateForm(of: state, parts)
      var line = JSONLine()
      line.add("record", "head")
      line.add("format", 1)
      line.add("state", "\(State.self)")
      if let moment {
        // The times of the commits are counted from when the store was made.
        let began = moment.addingTimeInterval(-(start.time / .seconds(1)))
        line.add(
          "began", began.ISO8601Format(.iso8601(timeZone: .gmt, includingFractionalSeconds: true)))
      }
      if let count { line.add("commits", count) }
      line.add("replay", form.rawValue)
      line.addList("parts", parts) { part, object in
        object.add("name", part.name)
        object.add("type", part.type)
        object.add("as", part.kind.rawValue)
        object.add("fingerprint", part.fingerprint)
      }
      line.addList("actions", registry.registered) { name, object in
        object.add("name", name)
        if let type = registry.actionType(named: name) {
          object.add("type", String(reflecting: type))
        }
      }
      line.addList("owners", start.owners) { owner, object in
        object.add("part", owner.part)
        if owner.isConstant { object.add("constant", true) }
        object.add("actions", owner.actions)
      }
      try file.append(line.closed, .head)
    }
    // A later store counts its time anew.
    if !isFirst {
      shift = max(shift, lastTime - start.time)
      commits += 1
    }
    last = state
    try snapshot(state, start.revision, begins: true, isFirst: isFirst)
    try mark(state)
  }

  private mutating func snapshot(
    _ state: State, _ revision: UInt64, begins: Bool = false, isFirst: Bool = false
  ) throws {
    var line = JSONLine()
    line.add("record", "snapshot")
    line.add("revision", revision)
    if begins && !isFirst { line.add("begins", true) }
    if begins && form == .own, let whole = try? StateForm.whole(state) {
      line.add("state", json: whole)
    }
    var (values, ids) = (JSONLine(), JSONLine())
    asText = []
    for (index, (part, value)) in zip(parts, PartForm.values(of: state, parts)).enumerated() {
      let (json, isText) = part.json(of: value)
      values.add(part.name, json: json)
      if isText { asText.insert(index) }
      if let rows = value as? any SessionRows, part.kind == .json, !isText {
        ids.add(part.name, rows.sessionIDs)
      }
    }
    line.add("parts", json: values.closed)
    line.add("ids", json: ids.closed)
    let bytes = line.closed
    try file.append(bytes, .snapshot)
    try file.mark()
    (sinceSnapshot, snapshotSize) = (0, bytes.count)
  }

  // MARK: A commit

  /// Writes a commit.
  ///
  /// - Returns: The type of an action for which it cannot be replayed, and why not, where the state after it is not
  ///   known; nil where it can be.
  /// - Throws: What the file throws.
  @discardableResult
  mutating func write(_ commit: RecordedCommit<State>) throws -> String? {
    var line = JSONLine()
    line.add("record", "commit")
    line.add("revision", commit.revision)
    line.add("time", seconds: time(of: commit.causes))
    let causes = commit.causes
    line.add("cause", causes.cause.rawValue)
    let (origin, effect) = causes.origin.written
    if let origin { line.add("origin", origin) }
    if let effect { line.add("effect", effect) }
    if let parent = causes.parent { line.add("parent", parent) }
    if let site = causes.site {
      line.add("site", "\(site)")
      line.add("function", site.function)
    }
    if !causes.isHandled && causes.cause == .action { line.add("unhandled", true) }
    if causes.isReplayed { line.add("replayed", true) }
    if !commit.earlier.isEmpty {
      line.add("earlier", json: JSONText.list(commit.earlier.map { .number("\($0)") }).bytes)
    }
    var (isReplayable, unreadable) = (commit.isReplayable, String?.none)
    if !commit.actions.isEmpty {
      line.addList("actions", commit.actions) { action, object in
        if let reason = write(action, to: &object) {
          (isReplayable, unreadable) = (false, "\(code: type(of: action)) \(reason)")
        }
      }
    }
    if !isReplayable { line.add("step", "state") }
    if let state = commit.state, let last {
      let isAll = commit.changesAll || commit.touched.contains { name in !isKnown(name) }
      let touched = Set(commit.touched.map(Self.property))
      var changed = JSONLine()
      let values = zip(PartForm.values(of: state, parts), PartForm.values(of: last, parts))
      for (index, (part, (value, former))) in zip(parts, values).enumerated()
      where isAll || touched.contains(part.name) {
        let change = part.change(from: former, to: value, isWhole: asText.contains(index))
        if let (bytes, isText) = change {
          changed.add(part.name, json: bytes)
          if isText { asText.insert(index) } else { asText.remove(index) }
        }
      }
      if !changed.isEmpty { line.add("changed", json: changed.closed) }
      if !isReplayable && form == .own, let whole = try? StateForm.whole(state) {
        line.add("state", json: whole)
      }
      self.last = state
    } else {
      line.add("unseen", true)
    }
    let bytes = line.closed
    try file.append(bytes, .commit)
    sinceSnapshot += bytes.count
    commits += 1
    guard let state = commit.state else { return unreadable }
    // In no case are the snapshots more than what is written between them.
    if sinceSnapshot > max(4 * snapshotSize, 65_536)
      || sinceSnapshot > snapshotSize && file.wantsSnapshot
    {
      try snapshot(state, commit.revision)
    }
    try mark(state)
    return nil
  }

  /// The time of a commit since the session's first store was made.
  ///
  /// A later store counts anew, and so does a replay: their times go on from the last one.
  private mutating func time(of causes: CommitCauses) -> Duration {
    guard let own = causes.time else { return lastTime }
    let time = own + (causes.isReplayed ? replayShift : shift)
    if time < lastTime {
      if causes.isReplayed { replayShift += lastTime - time } else { shift += lastTime - time }
    }
    lastTime = max(lastTime, time)
    return lastTime
  }

  // MARK: A fingerprint

  private mutating func mark(_ state: State) throws {
    // What does not replay is not compared.
    if form == .none || !SessionMarks.isDue(after: commits) { return }
    try write(SessionMarks.Mark(state, after: commits))
  }

  /// Writes the fingerprint of the present state, once.
  mutating func write(_ mark: SessionMarks.Mark) throws {
    if form == .none || mark.commits <= lastMark { return }
    lastMark = mark.commits
    let line = mark.line.closed
    try file.append(line, .fingerprint)
    sinceSnapshot += line.count
  }

  // MARK: A run

  mutating func write(_ run: RecordedRun) throws {
    var line = JSONLine()
    line.add("record", "run")
    line.add("number", run.number)
    line.add("commit", run.commit)
    line.add("effect", run.effect)
    if let site = run.site { line.add("site", "\(site)") }
    line.add("waiting", seconds: run.waiting + shift)
    if let running = run.running { line.add("running", seconds: running + shift) }
    if let (time, how) = run.ended {
      line.add("ended", seconds: time + shift)
      line.add("how", how.rawValue)
      if let error = run.error { line.add("error", error) }
    }
    let bytes = line.closed
    try file.append(bytes, .run)
    sinceSnapshot += bytes.count
  }

  /// Adds an action to its record.
  ///
  /// - Returns: Why it cannot be read again, after its type; nil where it can.
  private mutating func write(_ action: any Action, to object: inout JSONLine) -> String? {
    let type = type(of: action)
    let name = registry.name(of: type)
    object.add(name == nil ? "type" : "name", name ?? "\(type)")
    if name == nil && reported.insert("\(type)").inserted { unregistered.append("\(type)") }
    if Redaction.hides(action) {
      object.add("hidden", true)
      return "is `NotLogged`, or has something in it that is"
    }
    guard let value = action as? any Encodable else {
      object.add("text", Redaction.sessionText(action))
      return "is not `Codable`"
    }
    do {
      object.add("value", json: try SessionEncoder.json(value, hidden: .refused))
      if name == nil { return "is not in the ActionRegistry" }
      // Text of another coder is kept beside: it alone is read again.
      if let text = try registry.coded(value) { object.add("coded", text) }
      return nil
    } catch {
      object.add("text", Redaction.sessionText(action))
      return "cannot be encoded (\(Redaction.coding(error, of: type)))"
    }
  }

  private func isKnown(_ name: String) -> Bool {
    let property = Self.property(name)
    return parts.contains { $0.name == property }
  }

  /// The property of the state that a part lies in: `profile` of `profile.name`.
  private static func property(_ name: String) -> String {
    String(name.prefix { $0 != "." && $0 != "[" && $0 != "?" })
  }

  /// The types of actions that have turned out not to be registered since this was asked.
  mutating func takeUnregistered() -> [String] {
    defer { unregistered = [] }
    return unregistered
  }
}

/// One commit, on its way to the file.
struct RecordedCommit<State: Sendable>: Sendable {
  let revision: UInt64
  let causes: CommitCauses
  let isReplayable: Bool
  let actions: [any Action]
  /// The parts whose reducers ran.
  var touched: Set<String>
  /// Whether anything may have changed.
  var changesAll: Bool
  /// The numbers of the commits that stand in the session as one with this.
  var earlier: [UInt64] = []
  /// The state after it; nil where a later record says what it changed.
  var state: State?

  init(_ commit: LoggedCommit<State>) {
    (revision, causes) = (commit.revision, commit.causes)
    (isReplayable, actions) = (commit.isReplayable, commit.members)
    touched = Set(commit.properties)
    changesAll = commit.ownCause == .replacement && commit.properties.isEmpty
    state = commit.state
  }

  init(_ step: RecordedSession<State>.Step) {
    (revision, earlier) = (step.revision, step.earlier)
    causes = step.causes ?? CommitCauses(.action, .dispatch)
    (touched, changesAll) = ([], true)
    switch step.content {
    case .actions(let actions): (self.actions, state, isReplayable) = (actions, nil, true)
    case .outcome(let actions, let state):
      (self.actions, self.state, isReplayable) = (actions, state, true)
    case .state(let state, let actions):
      (self.actions, self.state, isReplayable) = (actions, state, false)
    }
  }
}

extension SessionMarks.Mark {
  /// What a record says of it; of a property with something `NotLogged` in it no sum.
  fileprivate var line: JSONLine {
    var line = JSONLine()
    line.add("record", "fingerprint")
    line.add("commits", commits)
    line.add("values", state.limit)
    line.addList("parts", state.parts) { part, object in
      object.add("name", part.name)
      object.add("sum", part.hides ? "" : part.sum)
    }
    return line
  }

  /// Reads what a record says; nil where it is none.
  init?(_ record: JSONText) {
    guard let commits = record["commits"]?.int, let limit = record["values"]?.int else {
      return nil
    }
    let parts = (record["parts"]?.list ?? []).map { part in
      StateFingerprint.Part(
        name: part["name"]?.string ?? "", sum: part["sum"]?.string ?? "", hides: false)
    }
    self.init(commits: commits, state: StateFingerprint(parts, limit: limit))
  }
}

// MARK: Parts

/// How a part of the state is written.
struct PartForm: Sendable {
  enum Kind: String, Sendable {
    /// As a value of JSON.
    case json
    /// As text: it is not `Encodable`.
    case text
    /// By the name of its type alone.
    case hidden
  }

  let name: String
  let type: String
  let fingerprint: String
  let kind: Kind
  /// Its place among the reflected properties; nil for a state that has none.
  let index: Int?

  /// The stored properties of a state; the state itself where it has none.
  static func parts<State>(of state: State) -> [PartForm] {
    let mirror = Mirror(reflecting: state)
    guard mirror.displayStyle == .struct, !mirror.children.isEmpty else {
      return [PartForm("", state, nil)]
    }
    return mirror.children.enumerated().map { index, child in
      let label = child.label ?? "\(index)"
      // A wrapped property's storage has the name of the property with a stroke before it.
      return PartForm(label.hasPrefix("_") ? String(label.dropFirst()) : label, child.value, index)
    }
  }

  static func values<State>(of state: State, _ parts: [PartForm]) -> [Any] {
    if parts.count == 1, parts[0].index == nil { return [state] }
    return Mirror(reflecting: state).children.map(\.value)
  }

  private init(_ name: String, _ value: Any, _ index: Int?) {
    (self.name, self.index) = (name, index)
    type = "\(Swift.type(of: value))"
    fingerprint = ShapeFingerprint.text(of: value)
    kind =
      if value is any NotLogged {
        .hidden
      } else if let value = value as? any Encodable, (try? SessionEncoder.json(value)) != nil {
        .json
      } else {
        .text
      }
  }

  /// The value, and whether it is text in place of what cannot be encoded.
  func json(of value: Any) -> (json: [UInt8], isText: Bool) {
    switch kind {
    case .hidden: return (JSONText.object([.init("notLogged", .string(type))]).bytes, false)
    case .json:
      if let value = value as? any Encodable, let json = try? SessionEncoder.json(value) {
        return (json, false)
      }
      let text = JSONText.string(Redaction.sessionText(value))
      return (JSONText.object([.init("text", text)]).bytes, true)
    case .text:
      return (JSONText.string(Redaction.sessionText(value)).bytes, false)
    }
  }

  /// What a record says of a change: `{"to":…}`, or `{"rows":[[position, removed, [values], [ids]], …]}`; nil where the
  /// values are known to be equal.
  ///
  /// - Parameters:
  ///   - former: The value before.
  ///   - value: The value.
  ///   - isWhole: Whether there are no rows to go on from.
  /// - Returns: The change, and whether the value is text in place of what cannot be encoded.
  func change(
    from former: Any, to value: Any, isWhole: Bool
  ) -> (json: [UInt8], isText: Bool)? {
    if kind == .hidden { return nil }
    if Self.areEqual(former, value) { return nil }
    var line = JSONLine()
    if kind == .json, !isWhole, let rows = value as? any SessionRows,
      let old = former as? any SessionRows, let splices = rows.splices(from: old),
      let bytes = Self.bytes(of: splices)
    {
      if splices.isEmpty { return nil }
      line.add("rows", json: bytes)
      return (line.closed, false)
    }
    let (json, isText) = json(of: value)
    line.add("to", json: json)
    if kind == .json, !isText, let rows = value as? any SessionRows {
      line.add("ids", rows.sessionIDs)
    }
    return (line.closed, isText)
  }

  private static func areEqual(_ left: Any, _ right: Any) -> Bool {
    // Rows are compared one by one, to find which differ.
    if left is any SessionRows { return false }
    guard let left = left as? any Equatable else { return false }
    func isEqual<Value: Equatable>(_ left: Value) -> Bool { (right as? Value) == left }
    return isEqual(left)
  }

  private static func bytes(of splices: [RowSplice]) -> [UInt8]? {
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    for (index, splice) in splices.enumerated() {
      bytes += "\(index > 0 ? "," : "")[\(splice.position),\(splice.removed),[".utf8
      for (index, row) in splice.inserted.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        guard let json = try? SessionEncoder.json(row.row) else { return nil }
        bytes += json
      }
      bytes += "],[".utf8
      for (index, row) in splice.inserted.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONText.write(row.id, to: &bytes)
      }
      bytes += "]]".utf8
    }
    return bytes + [UInt8(ascii: "]")]
  }
}

/// Where a whole state comes from when a session is replayed.
enum StateForm: String {
  /// From its parts: their names are the keys of the state's own JSON.
  case parts
  /// From the state's own JSON, beside the parts.
  case own
  /// From nowhere: it is not `Codable`, or something in it is `NotLogged`.
  case none

  init<State>(of state: State, _ parts: [PartForm]) {
    guard State.self is any Decodable.Type, let whole = try? Self.whole(state),
      let own = try? JSONText(parsing: whole)
    else {
      self = .none
      return
    }
    if parts.count == 1, parts[0].index == nil {
      self = .parts
      return
    }
    let values = PartForm.values(of: state, parts)
    var members: [JSONText.Member] = []
    for (part, value) in zip(parts, values) {
      guard let json = try? JSONText(parsing: part.json(of: value).json) else { continue }
      if json == .null && own[part.name] == nil { continue }
      members.append(JSONText.Member(part.name, json))
    }
    let isSame =
      own.members?.count == members.count && members.allSatisfy { own[$0.key] == $0.value }
    self = isSame ? .parts : .own
  }

  static func whole<State>(_ state: State) throws -> [UInt8]? {
    guard let value = state as? any Encodable else { return nil }
    return try SessionEncoder.json(value, hidden: .refused)
  }
}
