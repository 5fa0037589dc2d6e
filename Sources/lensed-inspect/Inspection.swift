import Foundation
import Lensed
import LensedInspector
import LensedPersistence

/// One command, carried out.
///
/// Each reads the file as a stream: of a file of any size it holds one record and one state.
struct Inspection {
  private let options: Options
  private let output: Output
  private let url: URL

  init(_ options: Options, _ output: Output) {
    (self.options, self.output) = (options, output)
    url = URL(filePath: options.file)
  }

  /// Carries it out.
  ///
  /// - Returns: The exit status.
  /// - Throws: `SessionError`, `NotThere`, and the errors of the file system.
  func run() throws -> Int32 {
    switch options.command {
    case "page": return try page()
    case "actions": return try actions()
    case "state": return try state()
    case "diff": return try diff()
    case "why": return try why()
    case "rows": return try rows()
    case "runs": return try runs()
    case "check": return try check()
    default: return try redux()
    }
  }

  // MARK: Reading

  /// Hands out the records, until `body` returns false or the file ends.
  ///
  /// - Returns: 1 where the file was cut off, after a sentence; else 0.
  @discardableResult
  private func read(_ body: (JSONText) throws -> Bool) throws -> Int32 {
    var file = try SessionFile(url)
    if try !body(file.head) { return 0 }
    while let record = try file.next() {
      if output.isOver { return 0 }
      if try !body(record) { return 0 }
    }
    if let byte = file.tornAt {
      output.complain(
        "\(file.name) ends in the middle of a record, at byte \(byte); this is what comes before.")
      return 1
    }
    return 0
  }

  private static func revision(_ record: JSONText) -> Int { record["revision"]?.int ?? 0 }
  private static func isCommit(_ record: JSONText) -> Bool { record["record"]?.string == "commit" }

  /// The states after some commits, and the status of reading so far; nil is the last one.
  private func states(at numbers: [Int?]) throws -> (states: [SessionState], status: Int32) {
    var (state, found, last) = (SessionState(), [Int: SessionState](), -1)
    // The last commit after which the state is known.
    var seen = -1
    let largest = numbers.contains(nil) ? Int.max : numbers.compactMap { $0 }.max() ?? 0
    func complain(_ number: Int) {
      if seen == number { return }
      output.complain(
        "The state after commit \(number) is not in the session; this is the one after commit \(seen)."
      )
    }
    let status = try read { record in
      let kind = record["record"]?.string
      guard kind == "commit" || kind == "snapshot" else { return true }
      let number = Self.revision(record)
      if number > largest { return false }
      guard state.apply(record) else {
        throw NotThere(
          description: "\(options.file): commit \(number) does not fit what comes before.")
      }
      last = number
      if record["unseen"]?.bool != true { seen = number }
      if numbers.contains(number) {
        found[number] = state
        complain(number)
      }
      return true
    }
    if numbers.contains(nil) { complain(last) }
    if last < 0 { throw NotThere(description: "\(options.file) has no state.") }
    let states = try numbers.map { number in
      guard let number else { return state }
      guard let state = found[number] else {
        throw NotThere(
          description: "\(options.file) has no commit \(number); its last one is \(last).")
      }
      return state
    }
    return (states, status)
  }

  private func line(_ text: String) { output.line(Words.plain(text)) }
  private func json(_ members: [JSONText.Member]) { output.line(JSONText.object(members).text) }

  // MARK: Commands

  private func page() throws -> Int32 {
    let page =
      options.page.map { URL(filePath: $0) }
      ?? url.deletingPathExtension().appendingPathExtension("html")
    if let own = Self.identity(url), own == Self.identity(page) {
      throw UsageError(
        sentence: "\(page.relativePath) is the session: name another file for the page, with --to.")
    }
    var file = try SessionFile(url)
    // Browsers have no text of more than 512 MiB: a longer session would show as one without commits.
    let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    if size > 500_000_000 {
      throw NotThere(
        description: """
          \(options.file) has \(size / 1_000_000) MB, and a browser shows no page of more than 500. The other commands \
          read a file of any size: begin with `why`, `rows` or `actions`.
          """)
    }
    var head: JSONText? = file.head
    try SessionPage.write(to: page) {
      if let first = head {
        head = nil
        return first.bytes
      }
      return try file.next()?.bytes
    }
    if options.isJSON {
      json([.init("page", .string(page.path))])
    } else {
      output.line(page.path)
    }
    if let byte = file.tornAt {
      output.complain(
        "\(file.name) ends in the middle of a record, at byte \(byte); the page has what comes before."
      )
      return 1
    }
    return 0
  }

  /// Which file of this machine a path leads to; nil where there is none.
  private static func identity(_ url: URL) -> [Int]? {
    let path = url.resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard let volume = attributes?[.systemNumber] as? Int,
      let number = attributes?[.systemFileNumber] as? Int
    else { return nil }
    return [volume, number]
  }

  private func actions() throws -> Int32 {
    try read { record in
      guard Self.isCommit(record) else { return true }
      if options.isJSON {
        let members = (record.members ?? []).filter {
          !["record", "changed", "state"].contains($0.key)
        }
        json(
          members + [
            .init("parts", .list((record["changed"]?.members ?? []).map { .string($0.key) }))
          ])
      } else {
        let time = String(format: "%.3f", record["time"]?.double ?? 0)
        let unhandled = record["unhandled"]?.bool == true ? " (unhandled)" : ""
        line(
          "#\(Self.revision(record)) \(time) \(Words.origin(record)) \(Words.names(record))\(unhandled)"
        )
      }
      return true
    }
  }

  private func state() throws -> Int32 {
    let (states, status) = try states(at: [options.at])
    let path = options.operands.first ?? ""
    guard let value = states[0].value(at: path) else {
      throw NotThere(description: "There is nothing at \(code: path).")
    }
    output.line(options.isJSON ? value.text : Words.pretty(value))
    return status
  }

  private func diff() throws -> Int32 {
    let numbers = try options.operands.map { text -> Int in
      guard let number = Int(text.trimmingPrefix("#")), number >= 0 else {
        throw UsageError(sentence: "diff takes the numbers of two commits.")
      }
      return number
    }
    let (states, status) = try states(at: numbers)
    for (path, old, new) in JSONText.differences(from: states[0].whole, to: states[1].whole) {
      if options.isJSON {
        json(
          [.init("path", .string(path))] + (old.map { [.init("old", $0)] } ?? [])
            + (new.map { [.init("new", $0)] } ?? []))
      } else {
        let (before, after) = (old.map { Words.short($0.text) }, new.map { Words.short($0.text) })
        line("\(path): \(before ?? "nothing") → \(after ?? "nothing")")
      }
    }
    return status
  }

  private func why() throws -> Int32 {
    let part = options.operands[0]
    let property = String(part.prefix { $0 != "." && $0 != "[" })
    // Numbers alone are kept of what came before: the records of the chain are read again.
    var (parents, store) = (Parents(), 0)
    var found: (store: Int, numbers: [Int], omitted: Int)?
    var (last, value, state) = (Int?.none, JSONText?.none, SessionState())
    func followLast() {
      guard let last else { return }
      var (numbers, end, omitted) = ([last], last, 0)
      while let parent = parents[end] {
        end = parent
        if numbers.count < Self.longestChain { numbers.append(end) } else { omitted += 1 }
      }
      // Of a longer chain, what it began with is said, too.
      if omitted > 0 { (numbers, omitted) = (numbers + [end], omitted - 1) }
      found = (store, numbers, omitted)
    }
    let status = try read { record in
      let kind = record["record"]?.string
      guard kind == "commit" || kind == "snapshot" else { return true }
      let number = Self.revision(record)
      if let at = options.at, number > at { return false }
      if record["begins"]?.bool == true {
        // Another store counts its commits anew.
        followLast()
        (parents, store, last) = (Parents(), store + 1, nil)
      }
      let touches = record["changed"]?[property] != nil || kind == "snapshot"
      guard state.apply(record) else { return true }
      if kind == "commit", let parent = record["parent"]?.int { parents.add(parent, of: number) }
      if touches {
        let now = state.value(at: part)
        if now != value {
          // Where a store begins with another value, nothing before led to it.
          if kind == "commit" { last = number } else { found = nil }
        }
        value = now
      }
      return true
    }
    followLast()
    guard let value else { throw NotThere(description: "There is nothing at \(code: part).") }
    let chain = try found.map { try commits($0.numbers, ofStore: $0.store) } ?? []
    if chain.isEmpty {
      if options.isJSON {
        json([.init("part", .string(part)), .init("value", value), .init("unchanged", .bool(true))])
      } else {
        line("\(code: part) is \(Words.short(value.text)) since the session began.")
      }
      return status
    }
    let omitted = found?.omitted ?? 0
    if !options.isJSON { line("\(code: part) is \(Words.short(value.text))") }
    for (index, record) in chain.enumerated() {
      if index == Self.longestChain && omitted > 0 {
        if options.isJSON {
          json([.init("omitted", .number("\(omitted)"))])
        } else {
          line("set off by \(omitted) more, one by the other")
        }
      }
      if options.isJSON {
        json(record.members ?? [])
        continue
      }
      let link = index == 0 ? "since" : "set off by"
      line("\(link) #\(Self.revision(record)) \(Words.sentence(record))")
    }
    if let missing = chain.last?["parent"]?.int {
      if options.isJSON {
        json([.init("missing", .number("\(missing)"))])
      } else {
        line("set off by #\(missing), which is not in this session")
      }
    }
    return status
  }

  /// How many commits of a chain are said, beside the one that it began with.
  private static let longestChain = 1_000

  /// The records of a chain of causes, the last commit first, up to one that is not in the file.
  private func commits(_ numbers: [Int], ofStore wanted: Int) throws -> [JSONText] {
    let chain = Set(numbers)
    var (store, records) = (0, [Int: JSONText]())
    try read { record in
      if record["begins"]?.bool == true { store += 1 }
      guard store == wanted, Self.isCommit(record) else { return store <= wanted }
      let number = Self.revision(record)
      if chain.contains(number) {
        records[number] = .object(
          (record.members ?? []).filter { !["changed", "state", "function"].contains($0.key) })
      }
      return number != numbers[0]
    }
    return numbers.map { records[$0] }.prefix { $0 != nil }.compactMap(\.self)
  }

  private func rows() throws -> Int32 {
    let (part, id) = (options.operands[0], options.id ?? "")
    var (state, value, isKnown, wasThere) = (SessionState(), JSONText?.none, false, false)
    let status = try read { record in
      let kind = record["record"]?.string
      guard kind == "commit" || kind == "snapshot" else { return true }
      let number = Self.revision(record)
      if let at = options.at, number > at { return false }
      let touches = record["changed"]?[part] != nil || kind == "snapshot"
      guard touches, state.apply(record) else { return true }
      isKnown = isKnown || state.ids[part] != nil
      let now = state.value(at: "\(part)[#\(id)]")
      if now != value {
        wasThere = true
        if options.isJSON {
          json([.init("revision", .number("\(number)")), .init("row", now ?? .null)])
        } else {
          line(
            "#\(number) \(kind == "commit" ? Words.names(record) : "at first"): \(now?.text ?? "gone")"
          )
        }
      }
      value = now
      return true
    }
    if !isKnown { throw NotThere(description: "\(code: part) is no part with rows.") }
    if !wasThere { throw NotThere(description: "\(code: part) never had a row with id \(id).") }
    return status
  }

  /// The runs, in the order in which they ended; those that did not stand behind them, or before another store's.
  private func runs() throws -> Int32 {
    // The last record of a run says all of it, so only those that are under way are kept.
    var underWay: [Int: JSONText] = [:]
    func endStore() {
      for (_, run) in underWay.sorted(by: { $0.key < $1.key }) { show(run) }
      underWay = [:]
    }
    let status = try read { record in
      if record["begins"]?.bool == true { endStore() }
      guard record["record"]?.string == "run" else { return true }
      if let wanted = options.operands.first, record["effect"]?.string != wanted { return true }
      if record["ended"] == nil {
        underWay[record["number"]?.int ?? 0] = record
      } else {
        underWay[record["number"]?.int ?? 0] = nil
        show(record)
      }
      return true
    }
    endStore()
    return status
  }

  private func show(_ run: JSONText) {
    if options.isJSON { return json((run.members ?? []).filter { $0.key != "record" }) }
    func time(_ name: String) -> String {
      run[name]?.double.map { String(format: "%.3f", $0) } ?? "-"
    }
    var end = run["how"]?.string ?? "under way when the session ended"
    if let error = run["error"]?.string { end += ": \(error)" }
    let effect = run["effect"]?.string ?? "?"
    let commit = run["commit"]?.int ?? 0
    line("\(time("waiting")) \(time("running")) \(time("ended")) #\(commit) \(effect): \(end)")
  }

  private func check() throws -> Int32 {
    var (runs, underWay) = (0, Set<Int>())
    var (commits, snapshots, unreplayable, first, last) = (0, 0, 0, Int?.none, 0)
    var (state, head, misfits, gaps) = (SessionState(), JSONText.null, [Int](), 0)
    let status = try read { record in
      switch record["record"]?.string {
      case "head": head = record
      case "snapshot":
        snapshots += 1
        _ = state.apply(record)
        if record["begins"]?.bool == true { (last, underWay) = (Self.revision(record), []) }
      case "commit":
        commits += 1
        let number = Self.revision(record)
        if let before = first == nil ? nil : last, number != before + 1 { gaps += 1 }
        if first == nil { first = number }
        last = number
        if record["step"]?.string == "state" { unreplayable += 1 }
        if !state.apply(record) { misfits.append(number) }
      case "run":
        let number = record["number"]?.int ?? 0
        if record["ended"] != nil {
          runs += 1
          underWay.remove(number)
        } else {
          underWay.insert(number)
        }
      default: break
      }
      return true
    }
    let isGood = status == 0 && misfits.isEmpty
    let hidden = (head["parts"]?.list ?? []).filter { $0["as"]?.string != "json" }
    if options.isJSON {
      json([
        .init("whole", .bool(isGood)), .init("state", head["state"] ?? .null),
        .init("began", head["began"] ?? .null),
        .init("commits", .number("\(commits)")), .init("snapshots", .number("\(snapshots)")),
        .init("asStates", .number("\(unreplayable)")), .init("gaps", .number("\(gaps)")),
        .init("runs", .number("\(runs)")), .init("underWay", .number("\(underWay.count)")),
        .init("misfits", .list(misfits.map { .number("\($0)") })),
      ])
    } else {
      line(
        "\(head["state"]?.string ?? "?"), begun \(head["began"]?.string ?? "at an unknown time")")
      line(
        "\(commits) commits (\(unreplayable) of them recorded as states), \(snapshots) snapshots")
      if runs + underWay.count > 0 {
        line("\(runs) runs of effects, and \(underWay.count) under way at the end")
      }
      if gaps > 0 { line("\(gaps) gaps in the numbers of the commits") }
      for part in hidden {
        line(
          "\(code: part["name"]?.string ?? "") is shown as \(part["as"]?.string ?? "?"), and does not replay"
        )
      }
      for number in misfits { line("commit \(number) does not fit what comes before") }
      if isGood { line("whole") }
    }
    return isGood ? 0 : 1
  }

  /// A lifted state, as the importer of Redux DevTools takes it, written as it is read.
  private func redux() throws -> Int32 {
    // Before anything of it is written: what is no session has no lifted state, and no half of one.
    _ = try SessionFile(url)
    var state = SessionState()
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "lensed-inspect-\(UUID().uuidString)")
    guard
      FileManager.default.createFile(
        atPath: folder.path, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw NotThere(description: "There is no room for a temporary file.") }
    defer { try? FileManager.default.removeItem(at: folder) }
    // The states come behind all of the actions, so they wait in a file.
    let states = try FileHandle(forUpdating: folder)
    defer { try? states.close() }
    var (count, began) = (0, 0.0)
    output.write(
      #"{"actionsById":{"0":{"type":"PERFORM_ACTION","action":{"type":"@@INIT"},"timestamp":"#)
    let status = try read { record in
      switch record["record"]?.string {
      case "head":
        if let text = record["began"]?.string,
          let date = try? Date(
            text, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
        {
          began = date.timeIntervalSince1970 * 1_000
        }
        output.write("\(Int(began))}")
      case "snapshot":
        let isFirst = state.parts.isEmpty
        _ = state.apply(record)
        if isFirst {
          try states.write(
            contentsOf: Array(#"{"state":"#.utf8) + state.whole.bytes + Array("}".utf8))
        }
      case "commit":
        count += 1
        _ = state.apply(record)
        let actions = record["actions"]?.list ?? []
        let type =
          actions.isEmpty
          ? Words.names(record)
          : actions.map { $0["name"]?.string ?? $0["type"]?.string ?? "?" }.joined(separator: ", ")
        let payload =
          actions.count == 1
          ? actions[0]["value"] ?? actions[0]["text"] ?? .null
          : .list(actions.map { $0["value"] ?? $0["text"] ?? .null })
        let action = JSONText.object([.init("type", .string(type)), .init("payload", payload)])
        let time = Int(began + (record["time"]?.double ?? 0) * 1_000)
        output.write(
          ",\"\(count)\":{\"type\":\"PERFORM_ACTION\",\"action\":\(action.text),\"timestamp\":\(time)}"
        )
        try states.write(
          contentsOf: Array(",{\"state\":".utf8) + state.whole.bytes + Array("}".utf8))
      default: break
      }
      return true
    }
    output.write("},\"computedStates\":[")
    try states.seek(toOffset: 0)
    while let piece = try states.read(upToCount: 1 << 16), !piece.isEmpty { output.write(piece) }
    output.write(
      "],\"currentStateIndex\":\(count),\"nextActionId\":\(count + 1),\"skippedActionIds\":[],\"stagedActionIds\":[0"
    )
    if count > 0 { for number in 1...count { output.write(",\(number)") } }
    output.write("]}\n")
    return status
  }
}

/// What set off the commits of one store, in two words each: a session may have millions.
private struct Parents {
  private var links: [(number: Int, parent: Int)] = []

  /// Adds a commit; the numbers of a session rise, and what set one off comes before it.
  mutating func add(_ parent: Int, of number: Int) {
    if parent < number && links.last.map({ $0.number < number }) ?? true {
      links.append((number, parent))
    }
  }

  subscript(number: Int) -> Int? {
    var (low, high) = (0, links.count)
    while low < high {
      let middle = (low + high) / 2
      if links[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < links.count && links[low].number == number ? links[low].parent : nil
  }
}
