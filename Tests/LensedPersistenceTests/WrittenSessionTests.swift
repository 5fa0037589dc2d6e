import Foundation
import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@testable import LensedPersistence

private struct Ledger: Sendable, Equatable, Codable {
  var balance = 0
  var names: [String: Int] = [:]
  var log: [Int] = []
}

private enum Booking: Action, Codable { case pay(Int), receive(Int), swap, note(String, [Double]) }
private struct Naming: Action, Codable { var name: String }
private struct Silent: Action {}

@Suite(
  "A session that was held in memory is written whole, and read whole or not at all",
  .timeLimit(.minutes(30)))
struct WrittenSessionTests {
  private static let registry = ActionRegistry(.json).adding(Booking.self)
    .adding(Naming.self, named: "naming").adding([Booking].self, named: "bookings")

  private static func makeStore(
    _ middleware: [any Middleware<Ledger>] = []
  ) throws -> Store<Ledger> {
    try Store(initialState: Ledger(), middleware: middleware, onWarning: { _ in }) {
      Mutator(\.balance) { (balance: inout Int, action: Booking) in
        switch action {
        case .pay(let amount): balance &-= amount
        case .receive(let amount): balance &+= amount
        case .swap: balance = 0 &- balance
        case .note: break
        }
      }
      Mutator(\.names) { (names: inout [String: Int], action: Naming) in
        names[action.name, default: 0] &+= 1
      }
      Mutator(lens: Lens(\Ledger.log)) { (ledger: Ledger, action: Booking) in
        Array((ledger.log + [ledger.balance]).suffix(5))
      }
    }
  }

  /// A folder for the files of one test.
  private static func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "written-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  /// The file of a session of four commits, and the state that it leads to.
  private static func write(to file: URL) throws -> Ledger {
    let recorder = SessionRecorder<Ledger>()
    let store = try makeStore([recorder])
    store.dispatch(Booking.pay(5), fileID: "Shop/Till.swift", line: 7)
    store.dispatch([Booking.note("Ä\u{0}\"", [1.5]), Naming(name: "a")] as [any Action])
    store.replaceState(Ledger(balance: 3, names: ["x": 1], log: [2]))
    store.dispatch(Naming(name: "x"))
    try #require(recorder.session).write(to: file, registry)
    return store.state
  }

  /// Reads the bytes as a file, and replays what is in it.
  ///
  /// - Returns: The state that it leads to; nil where it was refused, with a `SessionError`.
  private static func read(
    _ bytes: [UInt8], in folder: URL, _ registry: ActionRegistry = registry,
    _ reading: SessionReading = .strict
  ) throws -> Ledger? {
    let (file, copy) = (folder.appending(path: "edited"), folder.appending(path: "copy"))
    try Data(bytes).write(to: file)
    let session: RecordedSession<Ledger>
    do throws(SessionError) {
      session = try RecordedSession(reading: file, registry, reading)
    } catch {
      guard "\(error)".hasPrefix("Lensed: ") else { throw error }
      return nil
    }
    let store = try makeStore()
    store.replay(session)
    // What can be read can be written, and is the same then.
    try? FileManager.default.removeItem(at: copy)
    try session.write(to: copy, registry)
    let other = try makeStore()
    other.replay(try RecordedSession<Ledger>(reading: copy, registry))
    guard other.state == store.state else { throw CancellationError() }
    return store.state
  }

  /// The records of a file.
  private static func records(_ file: URL) throws -> [String] {
    var (reader, records) = (try RecordReader(file), [String]())
    while let record = try reader.next() {
      records.append(String(decoding: record.json, as: UTF8.self))
    }
    return records
  }

  /// A file of records, with the right checks.
  private static func bytes(_ records: [String]) -> [UInt8] {
    var (writer, bytes) = (RecordWriter(), [UInt8]())
    for record in records { writer.add(record.utf8, to: &bytes) }
    return bytes
  }

  // MARK: There and back

  @Test(arguments: [1, 42, 20_240_117] as [UInt64])
  func `a random session of thousands of actions gives every state again`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let all = VerificationLength.big(10_000)
    let history = History<Ledger>(limit: all)
    let recorded = try Self.makeStore([history])
    var count = 0
    while count < all {
      let amount = Int.random(in: 0..<1_000, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: recorded.dispatch(Booking.pay(amount))
      case 1: recorded.dispatch(Booking.receive(amount))
      case 2: recorded.dispatch(Naming(name: "n\(amount % 7)"))
      case 3:
        recorded.dispatch([Booking.swap, Naming(name: "s"), Booking.pay(amount)] as [any Action])
        count += 2
      default:
        history.undo()
        count -= 1
      }
      count += 1
    }
    try Self.inFolder { folder in
      let file = folder.appending(path: "a.lensed")
      try #require(RecordedSession(history)).write(to: file, Self.registry)
      let session = try RecordedSession<Ledger>(reading: file, Self.registry)
      // What was undone is not in it.
      let past = history.entries.prefix(history.position + 1)
      #expect(session.count == past.count - 1, "seed \(seed)")
      let fresh = try Self.makeStore()
      var isSame = true
      let difference = fresh.replay(session) { step, state in
        isSame = isSame && state == past[past.startIndex + step].state
      }
      #expect(isSame && difference == nil, "seed \(seed)")
      #expect(fresh.state == recorded.state, "seed \(seed)")
      // And who has no types sees every state, too.
      var (reader, state, step) = (try SessionFile(file), SessionState(), 0)
      while let record = try reader.next() {
        let fits = state.apply(record)
        isSame = isSame && fits
        guard record["record"]?.string == "commit" else { continue }
        step += 1
        isSame = isSame && state["balance"]?.int == past[past.startIndex + step].state.balance
      }
      #expect(isSame && step == past.count - 1, "seed \(seed)")
    }
  }

  @Test func `a recorder's session has its places, and says what it does not know`() throws {
    try Self.inFolder { folder in
      let file = folder.appending(path: "a.lensed")
      let state = try Self.write(to: file)
      let records = try Self.records(file)
      #expect(records.contains { $0.contains("Shop/Till.swift:7") })
      #expect(records.map { $0.contains(#""unseen":true"#) }.filter { $0 }.count == 3)
      #expect(records[0].contains(#""commits":4"#) && !records[0].contains("began"))
      #expect(try Self.read(Self.bytes(records), in: folder) == state)
      #expect(throws: SessionError.self, "It writes over nothing.") { try Self.write(to: file) }
      #expect(try RecordedSession<Ledger>(reading: file, Self.registry).count == 4)
    }
  }

  @Test func `a session that goes on in another store does so in the file`() throws {
    try Self.inFolder { folder in
      let file = folder.appending(path: "a.lensed")
      let recorder = SessionRecorder<Ledger>()
      for amount in 1...2 {
        let store = try Self.makeStore([recorder])
        store.dispatch(Booking.receive(amount))
      }
      let session = try #require(recorder.session)
      try session.write(to: file, Self.registry)
      let read = try RecordedSession<Ledger>(reading: file, Self.registry)
      #expect(read.count == session.count)
      var (states, again): ([Ledger], [Ledger]) = ([], [])
      #expect(try Self.makeStore().replay(session) { states.append($1) } == nil)
      #expect(try Self.makeStore().replay(read) { again.append($1) } == nil)
      #expect(again == states && states.map(\.balance) == [1, 0, 2])
    }
  }

  // MARK: What is not written

  @Test func `an action that cannot be read again is written where the state is, and only there`()
    throws
  {
    try Self.inFolder { folder in
      let (recorder, history) = (SessionRecorder<Ledger>(), History<Ledger>())
      let silent = Mutator(\Ledger.balance) { (balance: inout Int, _: Silent) in balance += 1 }
      let store = try Store(
        initialState: Ledger(), coverage: .partial, middleware: [recorder, history]
      ) { silent }
      store.dispatch(Silent())
      let file = folder.appending(path: "a.lensed")
      let session = try #require(recorder.session)
      #expect {
        try session.write(to: file, Self.registry)
      } throws: { error in
        "\(error)".contains("commit 1") && "\(error)".contains("`Silent`")
      }
      #expect(!FileManager.default.fileExists(atPath: file.path))
      // In memory it replays, with what came after that action.
      store.dispatch(Silent())
      let other = try Store(initialState: Ledger(), coverage: .partial) { silent }
      for session in [session, try #require(recorder.session)] {
        #expect(other.replay(session) == nil)
        #expect(other.balance == session.count)
      }
      try #require(RecordedSession(history)).write(to: file, Self.registry)
      let fresh = try Self.makeStore()
      fresh.replay(try RecordedSession<Ledger>(reading: file, Self.registry))
      #expect(fresh.balance == 2)
    }
  }

  private struct Password: Action, Codable, NotLogged { var text = "swordfish" }
  private struct Unnamed: Action, Codable {}
  private struct Refusing: Action, Codable {
    init() {}
    init(from decoder: any Decoder) throws { throw CancellationError() }
    func encode(to encoder: any Encoder) throws { throw CancellationError() }
  }

  private static let unwritable: [(action: any Action, reason: String)] = [
    (Password(), "`Password` is `NotLogged`, or has something in it that is"),
    (Unnamed(), "`Unnamed` is not in the ActionRegistry"),
    (Silent(), "`Silent` is not `Codable`"),
    (Refusing(), "`Refusing` cannot be encoded (CancellationError())"),
  ]

  @Test(arguments: unwritable.indices)
  func `an action that cannot be written is named, with its place, the reason and the remedy`(
    index: Int
  ) throws {
    let (action, reason) = Self.unwritable[index]
    try Self.inFolder { folder in
      let recorder = SessionRecorder<Ledger>()
      let store = Store(initialState: Ledger(), coverage: .partial, middleware: [recorder])
      try store.register(
        Mutator(lens: Lens<Ledger, Ledger>.identity, everyAction: { ledger, _ in ledger }))
      store.dispatch(action, fileID: "Bank/Ledger.swift", line: 12)
      let session = try #require(recorder.session)
      let file = folder.appending(path: "a.lensed")
      let registry = ActionRegistry(.json).adding(Password.self).adding(Refusing.self)
      #expect {
        try session.write(to: file, registry)
      } throws: { error in
        "\(error)" == """
          Lensed: commit 1 of the session a.lensed does not replay: its action, dispatched at Bank/Ledger.swift:12, \
          cannot be read back: \(reason). A session in memory has no state after such an action, so nothing was written; \
          in memory it replays. Make the action one that can be written, and register it, or record with \
          `SessionRecorder(to:)`, which keeps that state.
          """
      }
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }

  @Test func `what is not to be logged is in no byte, not even in the sum of a state`() throws {
    struct Secret: Codable, Sendable, NotLogged { var text: String }
    struct Account: Codable, Sendable {
      var name = "a"
      var secret: Secret?
      var list: [String: Secret?] = [:]
    }
    struct LogIn: Action, Codable { var secret: Secret }
    try Self.inFolder { folder in
      let recorder = SessionRecorder<Account>()
      let live = folder.appending(path: "live.lensed")
      let registry = ActionRegistry(.json).adding(LogIn.self)
      let store = Store(
        initialState: Account(), coverage: .partial,
        middleware: [recorder, try SessionRecorder(to: live, registry) { _ in }])
      store.replaceState(Account(secret: Secret(text: "swordfish")))
      store.replaceState(Account(list: ["swordfish": nil, "b": Secret(text: "swordfish")]))
      let file = folder.appending(path: "a.lensed")
      try #require(recorder.session).write(to: file, registry)
      for file in [live, file] {
        let text = try Self.records(file)
        #expect(!text.joined().contains(#""text":"swordfish""#))
        let sums = text.compactMap { try? JSONText(parsing: $0.utf8) }
          .compactMap { SessionMarks.Mark($0)?.state.parts }.map { $0.map(\.sum.isEmpty) }
        #expect(sums == [[false, false, false], [false, true, false], [false, false, true]])
      }
    }
  }

  private struct Email: Codable, Hashable, Sendable, NotLogged { var text: String }
  private struct Customer: Codable, Sendable, Equatable, Identifiable {
    var id: Email
    var visits = 0
  }
  private struct Patient: Codable, Sendable, Equatable, Identifiable, NotLogged {
    var id: String
    var visits = 0
  }
  private struct Practice: Codable, Sendable, Equatable {
    var customers: Entities<Customer> = []
    var listed: [Customer] = []
    var patients: Entities<Patient> = []
    var files: [Patient] = []
  }

  @Test func `nor is the id of a row among its ids, if it or the row is not to be logged`() throws {
    struct Visit: Action, Codable { var number: Int }
    try Self.inFolder { folder in
      let file = folder.appending(path: "live.lensed")
      let registry = ActionRegistry(.json).adding(Visit.self)
      let recorder = try SessionRecorder<Practice>(to: file, registry) { Issue.record($0) }
      let store = try Store(initialState: Practice(), middleware: [recorder]) {
        Mutator(\.self) { (practice: inout Practice, visit: Visit) in
          let name = "swordfish \(visit.number)"
          let (customer, patient) = (Customer(id: Email(text: name)), Patient(id: name))
          practice.customers.append(customer)
          practice.patients.append(patient)
          practice.customers[id: customer.id]?.visits += 1
          practice.patients[id: patient.id]?.visits += 1
          practice.listed.append(customer)
          practice.files.append(patient)
        }
      }
      for number in [1, 2, 1, 2] { store.dispatch(Visit(number: number)) }
      store.replaceState(Practice(customers: store.customers, files: store.files.reversed()))
      let records = try Self.records(file)
      #expect(records.count > 5)
      #expect(records.allSatisfy { !$0.contains("swordfish") }, "\(records)")
    }
  }

  // MARK: What does not fit

  @Test func `any altered byte is refused, and so is a file that lacks a commit`() throws {
    try Self.inFolder { folder in
      let file = folder.appending(path: "a.lensed")
      let state = try Self.write(to: file)
      let bytes = Array(try Data(contentsOf: file))
      // The last line says that what comes before is whole, and nothing else.
      let end = bytes.dropLast().lastIndex(of: 10) ?? 0
      // Each byte and each length in the long form, and else a share, with all of the last line.
      var generator = SeededGenerator(seed: 278)
      let isLong = VerificationLength.factor > 1
      for index in bytes.indices {
        if !isLong && index <= end && Int.random(in: 0..<4, using: &generator) != 0 {
          continue
        }
        var altered = bytes
        altered[index] = altered[index] == UInt8(ascii: "7") ? UInt8(ascii: "8") : UInt8(ascii: "7")
        let read = try Self.read(altered, in: folder)
        #expect(read == nil || index > end && read == state, "byte \(index)")
      }
      // Behind the last commit stands the fingerprint of its state.
      let lastCommit = try #require(bytes.prefix(end).lastIndex(of: 10))
      for length in 0..<lastCommit {
        let isBetweenRecords = length == 0 || bytes[length - 1] == 10 || bytes[length] == 10
        let isChosen = isLong || isBetweenRecords || Int.random(in: 0..<4, using: &generator) == 0
        if !isChosen { continue }
        #expect(try Self.read(Array(bytes.prefix(length)), in: folder) == nil, "\(length) bytes")
      }
    }
  }

  @Test func `what does not fit says what and where`() throws {
    try Self.inFolder { folder in
      let file = folder.appending(path: "a.lensed")
      _ = try Self.write(to: file)
      let small = ActionRegistry(.json).adding(Booking.self)
      #expect {
        try RecordedSession<Ledger>(reading: file, small)
      } throws: { error in
        "\(error)".contains("commit 2") && "\(error)".contains("`naming`")
      }
      #expect {
        try RecordedSession<Int>(reading: file, Self.registry)
      } throws: { error in
        "\(error)".contains("the `Int` in commit 0")
      }
      let newer = try Self.records(file).map { $0.replacing(#""format":1"#, with: #""format":2"#) }
      try Data(Self.bytes(newer)).write(to: file)
      #expect {
        try RecordedSession<Ledger>(reading: file, Self.registry)
      } throws: { error in
        "\(error)".contains("format 2") && "\(error)".contains("Update Lensed")
      }
    }
  }

  @Test func `a coder that fails, or gives something else, is told with its place`() throws {
    struct Refusal: Error {}
    try Self.inFolder { folder in
      let file = folder.appending(path: "a.lensed")
      let recorder = SessionRecorder<Ledger>()
      let store = try Self.makeStore([recorder])
      store.dispatch(Booking.pay(5))
      let session = try #require(recorder.session)
      func registry(_ encode: @escaping @Sendable (any Encodable) throws -> String)
        -> ActionRegistry
      {
        ActionRegistry(ActionCoder(encode: encode, decode: { _, _ in 0 })).adding(Booking.self)
      }
      #expect {
        try session.write(to: file, registry { _ in throw Refusal() })
      } throws: { error in
        "\(error)".contains("commit 1") && "\(error)".contains("`Booking`")
      }
      try session.write(to: file, registry { _ in "x" })
      #expect {
        try RecordedSession<Ledger>(reading: file, registry { _ in "x" })
      } throws: { error in
        "\(error)".contains("no `Booking`") && "\(error)".contains("commit 1")
      }
    }
  }

  @Test func `a coder of one's own has its text read, and the state is read as JSON`() throws {
    struct State: Codable, Sendable, Equatable {
      var made = Date(timeIntervalSinceReferenceDate: 0)
    }
    struct At: Action, Codable { var date: Date }
    let coder = ActionCoder(
      encode: { "\((($0 as? At)?.date ?? .distantPast).timeIntervalSinceReferenceDate)" },
      decode: { At(date: Date(timeIntervalSinceReferenceDate: Double($1) ?? 0)) })
    try Self.inFolder { folder in
      let file = folder.appending(path: "a.lensed")
      func makeStore(_ recorder: [SessionRecorder<State>] = []) throws -> Store<State> {
        try Store(initialState: State(), middleware: recorder) {
          Mutator(\.made) { (made: inout Date, at: At) in made = at.date }
        }
      }
      let registry = ActionRegistry(coder).adding(At.self)
      let store = try makeStore([try SessionRecorder(to: file, registry)])
      store.dispatch(At(date: Date(timeIntervalSinceReferenceDate: 7.25)))
      let fresh = try makeStore()
      fresh.replay(try RecordedSession(reading: file, registry))
      #expect(fresh.state == store.state)
    }
  }

  // MARK: Edited at random

  private static let bits: [String] = [
    "0", "-1", "9223372036854775808", "1e999", "null", "true", "\"", "{", "}", "[", "]", ",", ":",
    "\\u0000", "\\ud800", "\"actions\":[]", "\"step\":\"state\"", "\"format\":2", "\u{feff}",
  ]

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a file that was edited is refused, or says what it said`(seed: UInt64) throws {
    try Self.inFolder { folder in
      let file = folder.appending(path: "a.lensed")
      let state = try Self.write(to: file)
      let data = Array(try Data(contentsOf: file))
      var random = SeededGenerator(seed: seed)
      for round in 0..<VerificationLength.big(600) {
        var bytes = data
        for _ in 0...Int.random(in: 0..<3, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          let end = min(bytes.count, place + Int.random(in: 1...12, using: &random))
          switch Int.random(in: 0..<6, using: &random) {
          case 0: bytes[place] = .random(in: 0...255, using: &random)
          case 1: bytes[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
          case 2: bytes.removeSubrange(place..<end)
          case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
          case 4: bytes.removeLast(bytes.count - max(1, place))
          default:
            let text = Self.bits.randomElement(using: &random) ?? ""
            bytes.replaceSubrange(place..<min(place + 1, bytes.count), with: Array(text.utf8))
          }
          if bytes.isEmpty { bytes = [0] }
        }
        let read = try Self.read(bytes, in: folder)
        #expect(
          read == nil || read == state,
          "seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }

  @Test(arguments: [4, 5, 6] as [UInt64])
  func `records that were edited and checked anew are refused, or can be replayed`(
    seed: UInt64
  ) throws {
    try Self.inFolder { folder in
      let file = folder.appending(path: "a.lensed")
      _ = try Self.write(to: file)
      let records = try Self.records(file)
      var random = SeededGenerator(seed: seed)
      func edited(_ text: String) -> String {
        var characters = Array(text)
        for _ in 0..<Int.random(in: 0..<3, using: &random) {
          let bit = Self.bits.randomElement(using: &random) ?? ""
          let place = Int.random(in: 0...characters.count, using: &random)
          if Bool.random(using: &random) && place < characters.count {
            characters.remove(at: place)
          } else {
            characters.insert(contentsOf: Array(bit), at: place)
          }
        }
        return String(characters)
      }
      var accepted = 0
      for round in 0..<VerificationLength.big(600) {
        var edit = records
        for index in edit.indices {
          switch Int.random(in: 0..<16, using: &random) {
          case 0: edit[index] = edited(edit[index])
          case 1: edit.insert(edit.randomElement(using: &random) ?? "", at: index)
          case 2: edit.swapAt(index, Int.random(in: edit.indices, using: &random))
          case 3: edit[index] = edit[index].replacing("commits", with: "omits")
          case 4: edit[index] = edit[index].replacing(#""unseen":true"#, with: #""step":"state""#)
          default: break
          }
        }
        let reading: SessionReading = round % 2 == 0 ? .strict : .lenient
        if try Self.read(Self.bytes(edit), in: folder, Self.registry, reading) != nil {
          accepted += 1
        }
      }
      // Edits that keep a value readable come through; it would be no test if none did.
      #expect(accepted > VerificationLength.big(10), "seed \(seed)")
    }
  }

  @Test func `a coder may give anything, and fail anyhow`() throws {
    struct Refusal: Error {}
    try Self.inFolder { folder in
      let file = folder.appending(path: "a.lensed")
      for seed in UInt64(1)...UInt64(VerificationLength.big(300)) {
        let random = Locked(SeededGenerator(seed: seed))
        let coder = ActionCoder(
          encode: { _ in
            try random.withLock { random in
              if Int.random(in: 0..<8, using: &random) == 0 { throw Refusal() }
              return ["", "{}", "\u{0}"].randomElement(using: &random) ?? ""
            }
          },
          decode: { type, text in
            switch random.withLock({ Int.random(in: 0..<5, using: &$0) }) {
            case 0: throw Refusal()
            case 1: return 0
            case 2: return [Naming(name: "x")]
            default: return Naming(name: text)
            }
          })
        let registry = ActionRegistry(coder).adding(Booking.self).adding(Naming.self)
        let recorder = SessionRecorder<Ledger>()
        let store = try Self.makeStore([recorder])
        store.dispatch([Naming(name: "a"), Booking.swap] as [any Action])
        try? FileManager.default.removeItem(at: file)
        do throws(SessionError) {
          try recorder.session?.write(to: file, registry)
          _ = try RecordedSession<Ledger>(reading: file, registry)
        } catch {
          #expect("\(error)".hasPrefix("Lensed: "), "seed \(seed)")
        }
      }
    }
  }

  @Test func `a value nested 100,000 deep is refused`() throws {
    let nest = String(repeating: "[", count: 100_000)
    try Self.inFolder { folder in
      let file = folder.appending(path: "a.lensed")
      _ = try Self.write(to: file)
      #expect(try Self.read(Array(nest.utf8), in: folder) == nil)
      let records = try Self.records(file)
      let deep = records.map { $0.replacing(#""value":"#, with: #""value":\#(nest)"#) }
      #expect(deep != records)
      #expect(try Self.read(Self.bytes(deep), in: folder) == nil)
    }
  }

  @Test func `one name for two types traps with a sentence, for one type it does not`() async {
    _ = Self.registry.adding(Naming.self, named: "naming").adding(Naming.self, named: "other")
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.registry.adding(Booking.self, named: "naming")
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("registered under the name `naming`"))
  }
}
