import Foundation
import Lensed
import LensedTestSupport
import Testing

private struct Ledger: Sendable, Equatable, Codable {
  var balance = 0
  var names: [String: Int] = [:]
  var log: [Int] = []
}

private enum Booking: Action, Codable { case pay(Int), receive(Int), swap }
private struct Naming: Action, Codable { var name: String }
private struct Silent: Action {}

@Suite(
  "A journal replays a session, and refuses what is not whole", .timeLimit(.minutes(30)))
struct JournalTests {
  private let registry = ActionRegistry(
    JournalCoder(
      encode: { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
      decode: { try JSONDecoder().decode($0, from: Data($1.utf8)) })
  ).adding(Booking.self).adding(Naming.self, named: "naming")

  private func store(_ middleware: [any Middleware<Ledger>] = []) throws -> Store<Ledger> {
    try Store(initialState: Ledger(), middleware: middleware) {
      Mutator(\.balance) { (balance: inout Int, action: Booking) in
        switch action {
        case .pay(let amount): balance &-= amount
        case .receive(let amount): balance &+= amount
        case .swap: balance = 0 &- balance
        }
      }
      Mutator(\.names) { (names: inout [String: Int], action: Naming) in
        names[action.name, default: 0] += 1
      }
      Mutator(lens: Lens(\Ledger.log)) { (ledger: Ledger, action: Booking) in
        Array((ledger.log + [ledger.balance]).suffix(5))
      }
    }
  }

  @Test(arguments: [1, 42, 20_240_117] as [UInt64])
  func `a random session of 10,000 actions gives every state again`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let history = History<Ledger>(limit: 10_000)
    let recorded = try store([history])
    var count = 0
    while count < 10_000 {
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
    let data = try JSONEncoder().encode(registry.journal(of: history))
    let journal = try JSONDecoder().decode(Journal.self, from: data)
    let session = try registry.session(journal, of: Ledger.self)
    let past = history.entries.prefix(history.position + 1)
    #expect(session.count == past.count - 1, "seed \(seed)")
    let fresh = try store()
    var isSame = true
    fresh.replay(session) { step, state in
      isSame = isSame && state == past[past.startIndex + step].state
    }
    #expect(isSame, "seed \(seed)")
    #expect(fresh.state == recorded.state, "seed \(seed)")
  }

  private func sample() throws -> Data {
    let history = History<Ledger>(limit: 10)
    let store = try store([history])
    store.dispatch(Booking.pay(5))
    store.dispatch(Naming(name: "a"))
    store.replaceState(Ledger(balance: 3))
    return try JSONEncoder().encode(registry.journal(of: history))
  }

  @Test func `any altered letter or digit is refused, and so is a file that was cut off`() throws {
    let data = try sample()
    var accepted: [Int] = []
    for index in data.indices {
      var altered = data
      let byte = altered[index]
      guard Character(UnicodeScalar(byte)).isNumber || Character(UnicodeScalar(byte)).isLetter
      else {
        continue
      }
      altered[index] = byte == UInt8(ascii: "7") ? UInt8(ascii: "8") : UInt8(ascii: "7")
      let journal = try? JSONDecoder().decode(Journal.self, from: altered)
      if let journal, (try? registry.session(journal, of: Ledger.self)) != nil {
        accepted.append(index)
      }
    }
    #expect(accepted == [])
    for length in stride(from: 0, to: data.count - 1, by: 7) {
      #expect(throws: (any Error).self) {
        try JSONDecoder().decode(Journal.self, from: data.prefix(length))
      }
    }
  }

  @Test func `an unknown name says which and where`() throws {
    let journal = try JSONDecoder().decode(Journal.self, from: sample())
    let small = ActionRegistry(
      JournalCoder(
        encode: { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
        decode: { try JSONDecoder().decode($0, from: Data($1.utf8)) })
    ).adding(Booking.self)
    let error = #expect(throws: JournalError.self) {
      try small.session(journal, of: Ledger.self)
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains("commit 2") && text.contains("`naming`"))
  }

  @Test(.warnsOnPurpose) func `an action that is not registered is not written`() throws {
    let recorder = SessionRecorder<Ledger>()
    let store = try store([recorder])
    store.dispatch(Silent())
    let session = try #require(recorder.session)
    let error = #expect(throws: JournalError.self) { try registry.journal(of: session) }
    #expect(error.map { "\($0)".contains("`Silent`") } == true)
  }

  @Test func `a value that no longer fits says where`() throws {
    let journal = try JSONDecoder().decode(Journal.self, from: sample())
    let error = #expect(throws: JournalError.self) { try registry.session(journal, of: Int.self) }
    #expect(
      error.map { "\($0)".contains("the initial state") || "\($0)".contains("commit") } == true)
  }

  @Test func `a journal of a newer format is refused, and says what to do`() throws {
    let text = String(decoding: try sample(), as: UTF8.self)
    let newer = text.replacingOccurrences(of: "\"format\":1", with: "\"format\":2")
    let journal = try JSONDecoder().decode(Journal.self, from: Data(newer.utf8))
    let error = #expect(throws: JournalError.self) {
      try registry.session(journal, of: Ledger.self)
    }
    let message = error.map { "\($0)" } ?? ""
    #expect(message.contains("format 2") && message.contains("Update Lensed"))
  }

  @Test func `a coder that fails, or gives something else, is told with its place`() throws {
    struct Refusal: Error {}
    let history = History<Ledger>(limit: 10)
    let store = try store([history])
    store.dispatch(Booking.pay(5))
    let mute = JournalCoder(encode: { _ in throw Refusal() }, decode: { _, _ in 0 })
    let registry = ActionRegistry(mute).adding(Booking.self)
    let unwritable = #expect(throws: JournalError.self) { try registry.journal(of: history) }
    let message = unwritable.map { "\($0)" } ?? ""
    #expect(message.contains("cannot be written") && message.contains("Refusal"))
    let journal = try self.registry.journal(of: history)
    let unreadable = #expect(throws: JournalError.self) {
      try registry.session(journal, of: Ledger.self)
    }
    #expect(unreadable.map { "\($0)".contains("no `Booking`") } == true)
  }

  @Test func `what was undone is not exported`() throws {
    let history = History<Ledger>(limit: 10)
    let store = try store([history])
    store.dispatch(Booking.pay(5))
    store.dispatch(Booking.pay(6))
    history.undo()
    #expect(try registry.journal(of: history).count == 1)
  }

  @Test func `a recorder's session goes through JSON and back, with the place of each commit`()
    throws
  {
    let recorder = SessionRecorder<Ledger>()
    let recorded = try store([recorder])
    recorded.dispatch(Booking.pay(5), fileID: "Shop/Till.swift", line: 7)
    recorded.dispatch([Booking.receive(9), Naming(name: "Ärger \u{0} \"")] as [any Action])
    recorded.replaceState(Ledger(balance: 100, names: ["a": 1]))
    recorded.dispatch(Naming(name: "a"))
    let session = try #require(recorder.session)
    let data = try JSONEncoder().encode(registry.journal(of: session))
    let text = String(decoding: data, as: UTF8.self).replacing("\\/", with: "/")
    #expect(text.contains("Shop/Till.swift:7"))
    let journal = try JSONDecoder().decode(Journal.self, from: data)
    let read = try registry.session(journal, of: Ledger.self)
    #expect(read.count == 4)
    // What was read can be written again.
    for session in [read, try registry.session(registry.journal(of: read), of: Ledger.self)] {
      let fresh = try store()
      fresh.replay(session)
      #expect(fresh.state == recorded.state)
    }
  }
}
