import Foundation
import Lensed
import LensedTestSupport
import LensedTesting
import Synchronization
import Testing

@testable import LensedPersistence

@Suite("Sessions in files", .timeLimit(.minutes(30)))
struct SessionFileTests {
  @Test func `a session that was written replays to the states that were`() throws {
    try Folder.run { folder in
      let file = folder.appending(path: "a.lensed")
      let faults = Recorder<SessionError>()
      let store = try Shop.makeStore(writing: file, faults)
      var states: [Shop] = []
      for step in Shop.story {
        step(store)
        states.append(store.state)
      }
      #expect(faults.values == [.unregistered(type: "Unregistered")])
      let session = try RecordedSession<Shop>(reading: file, Shop.registry, .strict)
      #expect(session.count == states.count)
      #expect(session.initial == Shop())
      let fresh = try Shop.makeStore()
      fresh.replay(session) { step, state in #expect(state == states[step - 1], "step \(step)") }
      #expect(fresh.state == store.state)
    }
  }

  @Test
  func `a replay of a file has the causes that were written, and so has what is written of it`()
    throws
  {
    try Folder.run { folder in
      let file = folder.appending(path: "a.lensed")
      let history = History<Shop>()
      let store = try Shop.makeStore(writing: file)
      let attached = store.attach(history)
      for step in Shop.story { step(store) }
      let told = history.entries.dropFirst()
      #expect(Set(told.map(\.origin)).count > 1)
      var former = file
      for round in 1...2 {
        let next = folder.appending(path: "\(round).lensed")
        let (fresh, replayed) = (try Shop.makeStore(writing: next), History<Shop>())
        let recording = fresh.attach(replayed)
        fresh.replay(try RecordedSession<Shop>(reading: former, Shop.registry, .strict))
        let entries = replayed.entries.dropFirst(1 + round)
        for (entry, original) in zip(entries, told) {
          #expect(entry.origin == original.origin && entry.cause == original.cause)
          #expect(entry.site?.description == original.site?.description)
          #expect(entry.site?.function == original.site?.function)
          #expect(
            entry.parent.map { entry.revision - $0 }
              == original.parent.map { original.revision - $0 })
          let difference = (entry.time ?? .zero) - (original.time ?? .zero)
          #expect(difference > .microseconds(-2) && difference < .microseconds(2), "round \(round)")
        }
        #expect(entries.count == told.count)
        former = next
        recording.cancel()
      }
      attached.cancel()
    }
  }

  @Test func `a reader without the types rebuilds every state`() throws {
    try Folder.run { folder in
      let file = folder.appending(path: "a.lensed")
      let store = try Shop.makeStore(writing: file)
      var states: [JSONText] = []
      for step in Shop.story {
        step(store)
        states.append(try JSONText(parsing: SessionEncoder.json(store.state)))
      }
      // So much that further snapshots are written.
      for number in 0..<600 {
        store.dispatch(Rename(name: String(repeating: "x", count: number)))
        states.append(try JSONText(parsing: SessionEncoder.json(store.state)))
      }
      var session = try SessionFile(file)
      var state = SessionState()
      var (commits, snapshots) = (0, 0)
      while let record = try session.next() {
        let fits = state.apply(record)
        #expect(fits)
        if record["record"]?.string == "snapshot" { snapshots += 1 }
        if record["record"]?.string == "commit" {
          #expect(sorted(state.whole) == sorted(states[commits]), "commit \(commits)")
          #expect(state.ids["goods"] == state["goods"]?.list?.map { $0["id"]?.text ?? "" })
          commits += 1
        }
      }
      #expect(commits == states.count)
      #expect(snapshots > 1)
      #expect(session.tornAt == nil)
    }
  }

  /// A nil is left out by the state's own encoding, and null as a part.
  private func sorted(_ json: JSONText) -> [String: JSONText] {
    Dictionary(
      (json.members ?? []).filter { $0.value != .null }.map { ($0.key, $0.value) }
    ) { $1 }
  }

  @Test func `a path names a row by any id, and goes on behind it`() throws {
    let ids = ["a.b", "[id].tsx", "x]", "a", "", "#1"]
    let rows = ids.indices.map { JSONText.object([.init("list", .list([.number("\($0)")]))]) }
    var state = SessionState()
    let fits = state.apply(
      .object([
        .init("record", .string("snapshot")), .init("parts", .object([.init("rows", .list(rows))])),
        .init("ids", .object([.init("rows", .list(ids.map { .string($0) }))])),
      ]))
    #expect(fits)
    for (index, id) in ids.enumerated() {
      #expect(state.value(at: "rows[#\(id)]") == rows[index], "\(id)")
      #expect(state.value(at: "rows[#\(id)].list[0]")?.int == index, "\(id)")
      #expect(state.value(at: "rows[\(index)].list[0]")?.int == index)
    }
    #expect(state.value(at: "") == state.whole)
    for path in ["rows[#b]", "rows[#a", "rows[9]", "rows.list", "none", "rows[#a].none"] {
      #expect(state.value(at: path) == nil, "\(path)")
    }
  }

  @Test func `a record of which something does not fit changes nothing`() throws {
    var state = SessionState()
    let snapshot = #"{"record":"snapshot","parts":{"a":[1,2],"b":0},"ids":{"a":["1","2"]}}"#
    #expect(state.apply(try JSONText(parsing: snapshot.utf8)))
    let unfit = [
      #"{"rows":[[0,1,[],[]],[2,0,[3],["3"]]]}"#, #"{"rows":[[0,1,[],[]],[0,2,[],[]]]}"#,
      #"{"rows":[[0,1,[3],[]]]}"#, #"{"rows":[[-1,0,[],[]]]}"#, #"{"rows":[[0,-1,[],[]]]}"#,
      #"{"rows":[[9223372036854775807,1,[],[]]]}"#, #"{"rows":[[1,9223372036854775807,[],[]]]}"#,
      #"{"rows":[[0,1]]}"#, #"{"rows":{}}"#, #"{}"#,
      #"{"to":[1,2,3],"ids":["1"]},"a":{"rows":[[0,1,[],[]]]}"#,
      #"{"to":5},"a":{"rows":[]}"#, #"{"rows":[[0,2,[],[]]]},"a":{"rows":[[0,1,[],[]]]}"#,
      #"{"to":[]},"c":{"to":1}"#,
    ]
    for change in unfit {
      let record = #"{"record":"commit","changed":{"b":{"to":1},"a":\#(change)}}"#
      #expect(!state.apply(try JSONText(parsing: record.utf8)), "\(change)")
      #expect(state.whole.text == #"{"a":[1,2],"b":0}"#, "\(change)")
      #expect(state.ids["a"] == ["1", "2"])
    }
    let fit = #"{"a":{"rows":[[0,1,[],[]],[1,0,[3,4],["3","4"]]]},"b":{"to":1}}"#
    #expect(state.apply(try JSONText(parsing: #"{"record":"commit","changed":\#(fit)}"#.utf8)))
    #expect(state.whole.text == #"{"a":[2,3,4],"b":1}"# && state.ids["a"] == ["2", "3", "4"])
  }

  @Test func `a change of one row writes that row`() throws {
    try Folder.run { folder in
      let file = folder.appending(path: "a.lensed")
      let store = try Shop.makeStore(writing: file)
      store.dispatch((0..<1_000).map { AddGood(good: Good(id: $0, title: "good \($0)")) })
      let size = try Data(contentsOf: file).count
      store.dispatch(ElementAction(id: 500, action: Retitle(title: "new")))
      let added = try Data(contentsOf: file).dropFirst(size)
      #expect(added.count < 700)
      #expect(
        String(decoding: added, as: UTF8.self).contains(
          #"[500,1,[{"id":500,"title":"new"}],["500"]]"#))
    }
  }

  @Test func `a file that was cut off anywhere is read up to there`() throws {
    try Folder.run { folder in
      let file = folder.appending(path: "a.lensed")
      let store = try Shop.makeStore(writing: file)
      var states = [store.state]
      for step in Shop.story {
        step(store)
        states.append(store.state)
      }
      let whole = try Data(contentsOf: file)
      let cut = folder.appending(path: "cut.lensed")
      let firstCommit = try #require(whole.firstRange(of: Data(#"{"record":"commit""#.utf8)))
        .lowerBound
      var last = 0
      for end in stride(from: firstCommit - 24, to: whole.count, by: 97) {
        try whole.prefix(end).write(to: cut)
        let session = try RecordedSession<Shop>(reading: cut, Shop.registry, .lenient)
        #expect(session.count >= last)
        last = session.count
        let fresh = try Shop.makeStore()
        fresh.replay(session)
        #expect(fresh.state == states[session.count])
      }
      #expect(last > Shop.story.count / 2)
      try whole.dropLast(3).write(to: cut)
      #expect(throws: SessionError.self) {
        try RecordedSession<Shop>(reading: cut, Shop.registry, .strict)
      }
    }
  }

  @Test func `files that are no sessions have a sentence each`() throws {
    try Folder.run { folder in
      for (name, content) in ["empty": "", "text": "hello\n", "json": "{}\n"] {
        let file = folder.appending(path: name)
        try Data(content.utf8).write(to: file)
        #expect(throws: SessionError.noSession(file: name)) { try SessionFile(file) }
      }
      #expect(throws: SessionError.self) { try SessionFile(folder.appending(path: "nothing")) }
      #expect(throws: SessionError.self) { try SessionFile(folder) }
    }
  }

  @Test func `a session is a new file, and one that is there is named, with what to do`() throws {
    try Folder.run { folder in
      let file = folder.appending(path: "today.lensed")
      func error(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return "\(error)" }
        return nil
      }
      let recorder = try SessionRecorder<Shop>(to: file, Shop.registry)
      let written = try Data(contentsOf: file)
      let sentence = """
        Lensed: the session today.lensed is not written: there is a file of that name, and a session is a new file. \
        Choose another name, such as one with the time in it, or remove that file.
        """
      #expect(error { _ = try SessionRecorder<Shop>(to: file, Shop.registry) } == sentence)
      let session = RecordedSession(initial: Shop(), steps: [])
      #expect(error { try session.write(to: file, Shop.registry) } == sentence)
      #expect(try Data(contentsOf: file) == written)
      withExtendedLifetime(recorder) {}

      let nowhere = folder.appending(path: "nothing/today.lensed")
      #expect(
        error { _ = try SessionRecorder<Shop>(to: nowhere, Shop.registry) }
          == "Lensed: the session today.lensed is not written: No such file or directory.")
    }
  }

  @Test func `what is not to be logged is in no byte of the file`() throws {
    try Folder.run { folder in
      let file = folder.appending(path: "a.lensed")
      let recorder = try SessionRecorder<Account>(to: file, Account.registry) { _ in }
      let store = try Store(initialState: Account(), middleware: [recorder]) {
        Mutator(\.name) { (name: inout String, action: LogIn) in name = action.name }
        Mutator(\.password) { (password: inout Password, action: LogIn) in
          password = action.password
        }
        .on(SecretAction.self) { password, action in password.text = action.text }
        Mutator(\.token) { (token: inout Token, action: LogIn) in
          token.password = action.password
        }
        Mutator(\.opaque) { (opaque: inout Opaque, action: LogIn) in
          opaque.inner = action.password
        }
      }
      store.dispatch(LogIn(name: "ann", password: Password(text: "swordfish")))
      store.dispatch(SecretAction(text: "swordfish"))
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      #expect(!text.contains("swordfish"))
      #expect(text.contains("Password") && text.contains("SecretAction") && text.contains("ann"))
      #expect {
        try RecordedSession<Account>(reading: file, Account.registry)
      } throws: { error in
        "\(error)".contains("does not replay")
      }
    }
  }

  @Test func `commits of many threads are in the file, in their order`() async throws {
    try await Folder.run { folder in
      let file = folder.appending(path: "a.lensed")
      let store = try Shop.makeStore(writing: file)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask { for number in 0..<100 { store.dispatch(Count(by: number)) } }
        }
      }
      store.dispatch(Count(by: 1))
      let session = try RecordedSession<Shop>(reading: file, Shop.registry)
      #expect(session.count == 401)
      let fresh = try Shop.makeStore()
      fresh.replay(session)
      #expect(fresh.state == store.state)
    }
  }

  @Test func `an encoder that dispatches, dispatches`() throws {
    try Folder.run { folder in
      let file = folder.appending(path: "a.lensed")
      let store = try Shop.makeStore(writing: file)
      Meddling.target.withLock { $0 = store }
      defer { Meddling.target.withLock { $0 = nil } }
      store.dispatch(Meddling())
      #expect(store.count == 7)
      let fresh = try Shop.makeStore()
      fresh.replay(try RecordedSession<Shop>(reading: file, Shop.registry))
      #expect(fresh.count == 7)
    }
  }

  @Test func `a registry knows which types a store needs beyond it`() throws {
    let store = try Shop.makeStore()
    #expect(ActionRegistry(.json).adding(Rename.self).missing(in: store).contains("Count"))
    #expect(Shop.registry.missing(in: store) == ["Unregistered"])
  }

  @Test func `a session says whether it fits the types of the app`() throws {
    try Folder.run { folder in
      let file = folder.appending(path: "a.lensed")
      _ = try Shop.makeStore(writing: file)
      #expect(try RecordedSession<Shop>.fit(of: file, Shop.registry) == .fitting)
      #expect(
        try RecordedSession<OtherShop>.fit(of: file, Shop.registry) == .unfitting(["OtherShop"]))
      #expect(
        try RecordedSession<SimilarShop>.fit(of: file, Shop.registry) == .doubtful(["name"]))
      let less = ActionRegistry(.json).adding(Rename.self)
      guard case .unfitting(let names) = try RecordedSession<Shop>.fit(of: file, less) else {
        Issue.record("It fits.")
        return
      }
      #expect(names.contains("Count"))
    }
  }

  @Test func `the encoder writes what Foundation's writes`() throws {
    let values: [any Encodable] = [
      1, "a\"\\\n\u{1}é\u{1F600}", true, 1.5, [1, 2, 3], ["a": 1], [String: Int](), [Int](),
      Optional<Int>.none, Good(id: 1, title: "x"), Shop(), Date(timeIntervalSinceReferenceDate: 5),
      URL(string: "https://example.org/a?b") ?? URL(filePath: "/"), Data([1, 2, 3]), UInt8(3),
      Float(0.1), -0.0, 1e300, 12_345_678_901_234, [[1], [2, 3]], Nested(), [Optional(1), nil],
      Decimal(string: "1.25") ?? 0, UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
    ]
    for value in values {
      let own = try JSONText(parsing: SessionEncoder.json(value))
      let encoder = JSONEncoder()
      let other = try JSONText(parsing: encoder.encode(value))
      #expect(sortedDeep(own) == sortedDeep(other), "\(type(of: value))")
    }
  }

  private func sortedDeep(_ json: JSONText) -> JSONText {
    switch json {
    case .object(let members):
      .object(
        members.sorted { $0.key < $1.key }.map { .init($0.key, sortedDeep($0.value)) })
    case .list(let list): .list(list.map(sortedDeep))
    case .number(let text): .number(Double(text).map { "\($0)" } ?? text)
    default: json
    }
  }

  @Test func `a time before the beginning is written as the beginning`() throws {
    var line = JSONLine()
    line.add("at", seconds: .milliseconds(-500))
    line.add("after", seconds: .milliseconds(500))
    let record = try JSONText(parsing: line.closed)
    #expect(record["at"] == .number("0.000000") && record["after"] == .number("0.500000"))
  }

  @Test func `no text makes the parser trap, and what it wrote it reads`() throws {
    var random = SeededGenerator(seed: 36)
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"", "\\u12", "a", "1", "-", "e9", "true", "nul", " ",
    ]
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 0...16, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      guard let json = try? JSONText(parsing: text.utf8) else { continue }
      #expect(try JSONText(parsing: json.bytes) == json, "\(text)")
    }
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: JSONText.Fault.self) { try JSONText(parsing: deep.utf8) }
  }
}

// MARK: What is recorded

private struct Good: Codable, Sendable, Equatable, Identifiable {
  var id: Int
  var title: String
}

private struct Shop: Codable, Sendable, Equatable {
  var name = "Shop"
  var count = 0
  var note: String?
  var goods: Entities<Good> = []
  var list: [Good] = []

  static let registry = ActionRegistry(.json).adding(Rename.self).adding(Count.self)
    .adding(AddGood.self).adding(RemoveGood.self).adding(Note.self).adding(Meddling.self)
    .adding(Reverse.self).adding(ElementAction<Int, Retitle>.self, named: "Retitle")

  static func makeStore(
    writing file: URL? = nil, _ faults: Recorder<SessionError> = Recorder()
  ) throws -> Store<Shop> {
    let recorder = try file.map { file in
      try SessionRecorder<Shop>(to: file, registry) { faults.append($0) }
    }
    return try Store(initialState: Shop(), middleware: recorder.map { [$0] } ?? []) {
      Mutator(\.name) { (name: inout String, action: Rename) in name = action.name }
      Mutator(\.count) { (count: inout Int, action: Count) in count += action.by }
        .on(Unregistered.self) { count, _ in count += 100 }
        .on(Meddling.self) { count, _ in count += 2 }
      Mutator(\.note) { (note: inout String?, action: Note) in note = action.text }
      Mutator(
        \.goods,
        Reducer.combine(
          Reducer<Entities<Good>> { (goods: inout Entities<Good>, action: AddGood) in
            goods.append(action.good)
          }
          .on(RemoveGood.self) { goods, action in goods.remove(id: action.id) }
          .on(Reverse.self) { goods, _ in
            for id in Array(goods.ids) { goods.move(id: id, to: 0) }
          },
          Reducer<Good> { (good: inout Good, action: Retitle) in good.title = action.title }
            .identified()))
      Mutator(\.list) { (list: inout [Good], action: AddGood) in
        list.insert(action.good, at: 0)
      }
    }
  }

  static let story: [@Sendable (Store<Shop>) -> Void] = [
    { $0.dispatch(Rename(name: "One")) },
    { $0.dispatch([Count(by: 1), Count(by: 2)]) },
    { $0.dispatch(AddGood(good: Good(id: 1, title: "a"))) },
    {
      $0.dispatch([AddGood(good: Good(id: 2, title: "b")), AddGood(good: Good(id: 3, title: "c"))])
    },
    { $0.dispatch(ElementAction(id: 2, action: Retitle(title: "\"<b>\"\u{202E}"))) },
    { $0.dispatch(Unregistered()) },
    { $0.dispatch(RemoveGood(id: 1)) },
    { $0.dispatch(Reverse()) },
    { $0.dispatch(Note(text: "note")) },
    { $0.dispatch(Note(text: nil)) },
    { $0.dispatch(Unregistered()) },
    { store in
      var state = store.state
      state.name = "replaced"
      store.replaceState(state)
    },
    { $0.dispatch([AddGood(good: Good(id: 9, title: "z"))]) },
  ]
}

private struct OtherShop: Codable, Sendable { var other = 1 }
private struct SimilarShop: Codable, Sendable {
  struct Name: Codable, Sendable {
    let text: String
    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
    }
    func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
  }
  var name: Name
  var count: Int
  var note: String?
  var goods: Entities<Good>
  var list: [Good]
}

private struct Rename: Action, Codable { var name: String }
private struct Count: Action, Codable { var by: Int }
private struct AddGood: Action, Codable { var good: Good }
private struct RemoveGood: Action, Codable { var id: Int }
private struct Retitle: Action, Codable { var title: String }
private struct Reverse: Action, Codable {}
private struct Note: Action, Codable { var text: String? }
private struct Unregistered: Action {}

/// Dispatches while it is encoded, once.
private struct Meddling: Action, Codable {
  static let target = Mutex<Store<Shop>?>(nil)

  init() {}
  init(from decoder: any Decoder) throws {}
  func encode(to encoder: any Encoder) throws {
    let store = Self.target.withLock { target in
      defer { target = nil }
      return target
    }
    store?.dispatch(Count(by: 5))
  }
}

private struct Password: Codable, Sendable, Equatable, NotLogged { var text = "" }
private struct Token: Codable, Sendable, Equatable {
  var id = 1
  var password = Password()
}
private struct Opaque: Sendable, Equatable { var inner = Password() }
private struct Account: Sendable, Equatable {
  var name = ""
  var password = Password()
  var token = Token()
  var opaque = Opaque()

  static let registry = ActionRegistry(.json).adding(LogIn.self)
}
extension Account: Codable {
  enum CodingKeys: CodingKey { case name, password, token }
}
private struct LogIn: Action, Codable {
  var name: String
  var password: Password
}
private struct SecretAction: Action, NotLogged { var text: String }

private struct Nested: Encodable {
  enum Keys: CodingKey { case list, object, after }
  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Keys.self)
    var list = object.nestedUnkeyedContainer(forKey: .list)
    try list.encode(1)
    var inner = list.nestedContainer(keyedBy: Keys.self)
    try inner.encode("x", forKey: .after)
    try list.encode(2)
    try [3].encode(to: object.superEncoder(forKey: .object))
    try object.encode(true, forKey: .after)
  }
}

private enum Folder {
  private static func make() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sessions-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  static func run(_ body: (URL) throws -> Void) throws {
    let folder = try make()
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  static func run(_ body: (URL) async throws -> Void) async throws {
    let folder = try make()
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }
}
