import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import LensedTesting
import Testing

/// As many parts as there can be, and values at the ends of their types.
@Suite(.timeLimit(.minutes(30))) struct KeptValueTests {
  private struct Eight: Sendable, Equatable {
    var a = 0
    var b = 0
    var c = 0
    var d = 0
    var e = 0
    var f = 0
    var g = 0
    var h = 0
  }

  private struct Many: Sendable, Equatable {
    var a = Eight()
    var b = Eight()
    var c = Eight()
    var d = Eight()
    var e = Eight()
    var f = Eight()
    var g = Eight()
    var h = Eight()
    var more = 0
  }

  private struct Put: Action {
    var number: Int
  }

  private static let parts: [[PersistedPart<Many>]] = [
    PersistenceBuilder.buildExpression(Kept(\.a.a)),
    PersistenceBuilder.buildExpression(Kept(\.a.b)),
    PersistenceBuilder.buildExpression(Kept(\.a.c)),
    PersistenceBuilder.buildExpression(Kept(\.a.d)),
    PersistenceBuilder.buildExpression(Kept(\.a.e)),
    PersistenceBuilder.buildExpression(Kept(\.a.f)),
    PersistenceBuilder.buildExpression(Kept(\.a.g)),
    PersistenceBuilder.buildExpression(Kept(\.a.h)),
    PersistenceBuilder.buildExpression(Kept(\.b.a)),
    PersistenceBuilder.buildExpression(Kept(\.b.b)),
    PersistenceBuilder.buildExpression(Kept(\.b.c)),
    PersistenceBuilder.buildExpression(Kept(\.b.d)),
    PersistenceBuilder.buildExpression(Kept(\.b.e)),
    PersistenceBuilder.buildExpression(Kept(\.b.f)),
    PersistenceBuilder.buildExpression(Kept(\.b.g)),
    PersistenceBuilder.buildExpression(Kept(\.b.h)),
    PersistenceBuilder.buildExpression(Kept(\.c.a)),
    PersistenceBuilder.buildExpression(Kept(\.c.b)),
    PersistenceBuilder.buildExpression(Kept(\.c.c)),
    PersistenceBuilder.buildExpression(Kept(\.c.d)),
    PersistenceBuilder.buildExpression(Kept(\.c.e)),
    PersistenceBuilder.buildExpression(Kept(\.c.f)),
    PersistenceBuilder.buildExpression(Kept(\.c.g)),
    PersistenceBuilder.buildExpression(Kept(\.c.h)),
    PersistenceBuilder.buildExpression(Kept(\.d.a)),
    PersistenceBuilder.buildExpression(Kept(\.d.b)),
    PersistenceBuilder.buildExpression(Kept(\.d.c)),
    PersistenceBuilder.buildExpression(Kept(\.d.d)),
    PersistenceBuilder.buildExpression(Kept(\.d.e)),
    PersistenceBuilder.buildExpression(Kept(\.d.f)),
    PersistenceBuilder.buildExpression(Kept(\.d.g)),
    PersistenceBuilder.buildExpression(Kept(\.d.h)),
    PersistenceBuilder.buildExpression(Kept(\.e.a)),
    PersistenceBuilder.buildExpression(Kept(\.e.b)),
    PersistenceBuilder.buildExpression(Kept(\.e.c)),
    PersistenceBuilder.buildExpression(Kept(\.e.d)),
    PersistenceBuilder.buildExpression(Kept(\.e.e)),
    PersistenceBuilder.buildExpression(Kept(\.e.f)),
    PersistenceBuilder.buildExpression(Kept(\.e.g)),
    PersistenceBuilder.buildExpression(Kept(\.e.h)),
    PersistenceBuilder.buildExpression(Kept(\.f.a)),
    PersistenceBuilder.buildExpression(Kept(\.f.b)),
    PersistenceBuilder.buildExpression(Kept(\.f.c)),
    PersistenceBuilder.buildExpression(Kept(\.f.d)),
    PersistenceBuilder.buildExpression(Kept(\.f.e)),
    PersistenceBuilder.buildExpression(Kept(\.f.f)),
    PersistenceBuilder.buildExpression(Kept(\.f.g)),
    PersistenceBuilder.buildExpression(Kept(\.f.h)),
    PersistenceBuilder.buildExpression(Kept(\.g.a)),
    PersistenceBuilder.buildExpression(Kept(\.g.b)),
    PersistenceBuilder.buildExpression(Kept(\.g.c)),
    PersistenceBuilder.buildExpression(Kept(\.g.d)),
    PersistenceBuilder.buildExpression(Kept(\.g.e)),
    PersistenceBuilder.buildExpression(Kept(\.g.f)),
    PersistenceBuilder.buildExpression(Kept(\.g.g)),
    PersistenceBuilder.buildExpression(Kept(\.g.h)),
    PersistenceBuilder.buildExpression(Kept(\.h.a)),
    PersistenceBuilder.buildExpression(Kept(\.h.b)),
    PersistenceBuilder.buildExpression(Kept(\.h.c)),
    PersistenceBuilder.buildExpression(Kept(\.h.d)),
    PersistenceBuilder.buildExpression(Kept(\.h.e)),
    PersistenceBuilder.buildExpression(Kept(\.h.f)),
    PersistenceBuilder.buildExpression(Kept(\.h.g)),
    PersistenceBuilder.buildExpression(Kept(\.h.h)),
  ]

  private func open(
    _ memory: MemoryStorage, _ parts: [[PersistedPart<Many>]] = parts
  ) throws -> (Persistence<Many>, Store<Many>) {
    let disk = try Persistence<Many>(in: memory, writing: .eachCommit) {
      for part in parts.joined() { part }
    }
    let store = try Store(initialState: Many(), coverage: .partial, middleware: [disk]) {
      // The first part, and the last one.
      Mutator(\.a.a) { (number: inout Int, action: Put) in number = action.number }
      Mutator(\.h.h) { (number: inout Int, action: Put) in number = -action.number }
    }
    return (disk, store)
  }

  @Test func `64 parts are kept, and a part more is an error`() async throws {
    let memory = MemoryStorage()
    for round in 1...3 {
      let (disk, store) = try open(memory)
      #expect(store.a.a == round - 1 && store.h.h == 1 - round)
      store.dispatch(Put(number: round))
      try await disk.sync()
      store.replaceState(store.state)
      try await disk.close()
    }
    #expect {
      let more = PersistenceBuilder<Many>.buildExpression(Kept(\.more))
      _ = try open(memory, Self.parts + [more])
    } throws: {
      "\($0)".contains("65 parts are kept; at most 64 can be")
    }
  }

  // MARK: Values

  private enum Choice: Codable, Sendable, Hashable {
    case none
    case one(Int)
    case two(left: String, right: [Choice])
  }

  private struct Ends: Codable, Sendable, Equatable {
    var signed = [Int.min, -1, 0, Int.max]
    var unsigned = [UInt64.min, UInt64.max]
    var doubles = [
      0, -0.0, .leastNonzeroMagnitude, .leastNormalMagnitude, .ulpOfOne, 0.1, .pi, 1e22, 1e23,
      .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity,
    ]
    var floats = [Float.leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1, .infinity]
    var decimals = ["0.1", "-12345678901234567890.123456789", "1e-100", "9e100"]
      .compactMap { Decimal(string: $0) }
    var dates = [
      Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 0.123456789),
      Date(timeIntervalSinceReferenceDate: 754_321_987.654321),
    ]
    var data = [Data(), Data([0, 255, 10]), Data(repeating: 7, count: 65_536)]
    var urls = ["https://example.com/a%20b?c=d#e", "file:///a/b"].compactMap { URL(string: $0) }
    var numbered = [Int.min: "least", 0: "zero", Int.max: "most"]
    var chosen: [Choice: Int] = [.none: 1, .one(2): 3, .two(left: "", right: [.none, .one(4)]): 5]
    var optionals: [Int?] = [nil, 1, nil]
    var texts = ["", "\u{0}", "\n\r\u{2028}", "\u{FFFF}\u{10FFFF}", "\u{1F1E9}\u{1F1EA}", "\"\\/"]
    var nothing: [[String: [Int]]] = [[:], ["": []]]
  }

  private struct Held: Sendable {
    var whole: Ends?
    var rows: [String: Ends] = [:]
    var numbers: [Double: Double] = [:]
  }

  @Test func `values at the ends of their types come back as they were`() async throws {
    let memory = MemoryStorage()
    func open() throws -> (Persistence<Held>, Store<Held>) {
      let disk = try Persistence<Held>(in: memory, writing: .eachCommit) {
        Kept(\.whole)
        KeptRows(\.rows)
        KeptRows(\.numbers)
      }
      let store = try Store(initialState: Held(), middleware: [disk]) {
        Mutator(\.whole) { (whole: inout Ends?, action: Put) in whole = Ends() }
        Mutator(\.rows) { (rows: inout [String: Ends], action: Put) in
          rows["\(action.number)"] = Ends()
        }
        Mutator(\.numbers) { (numbers: inout [Double: Double], action: Put) in
          for number in Ends().doubles { numbers[number] = number }
          if action.number == 2 { numbers[.infinity] = nil }
        }
      }
      return (disk, store)
    }
    for round in 1...3 {
      let (disk, store) = try open()
      store.dispatch(Put(number: round))
      try await disk.close()
      let (next, again) = try open()
      #expect(again.whole == Ends() && again.rows == store.rows && again.numbers == store.numbers)
      let signs = again.whole?.doubles.map(\.sign)
      #expect(signs == Ends().doubles.map(\.sign))
      try await next.close()
    }
  }

  private struct Account: Sendable, Equatable {
    var token = Token()
  }
  private struct Token: Codable, Sendable, Equatable, NotLogged { var text = "" }
  private struct SignIn: Action, NotLogged { var token: Token }

  @Test func `what is not logged is kept all the same, with all that is in it`() async throws {
    func makeStore(_ storage: MemoryStorage) throws -> (Store<Account>, Persistence<Account>) {
      let disk = try Persistence<Account>(in: storage, writing: .eachCommit, clock: ManualClock()) {
        Kept(\.token)
      }
      let store = try Store(initialState: Account(), middleware: [disk]) {
        Mutator(\.token) { (token: inout Token, action: SignIn) in token = action.token }
      }
      return (store, disk)
    }
    let memory = MemoryStorage()
    let (store, disk) = try makeStore(memory)
    store.dispatch(SignIn(token: Token(text: "swordfish")))
    try await disk.close()
    let bytes = try #require(memory.files["segment-1.lensed"])
    #expect(String(decoding: bytes, as: UTF8.self).contains(#""value":{"text":"swordfish"}"#))
    #expect(try makeStore(MemoryStorage(memory.files)).0.token == Token(text: "swordfish"))
  }

  @Test func `a part that is kept otherwise than before is an error, and salvage keeps the others`()
    async throws
  {
    let (asRows, asWhole) = (
      PersistenceBuilder<Board>.buildExpression(KeptRows(\.votes)),
      PersistenceBuilder<Board>.buildExpression(Kept(\.votes))
    )
    for (before, after) in [(asRows, asWhole), (asWhole, asRows)] {
      let memory = MemoryStorage()
      func open(
        _ parts: [PersistedPart<Board>], _ recovering: PersistenceRecovering = .strictly
      ) throws -> Persistence<Board> {
        try Persistence<Board>(in: memory, writing: .eachCommit, recovering: recovering) {
          Kept(\.title)
          for part in parts { part }
        }
      }
      let disk = try open(before)
      try Board.makeStore(disk).dispatch([BoardAction.rename("kept"), .vote("a", 1)])
      try await disk.close()
      let files = memory.files
      #expect {
        _ = try open(after)
      } throws: { error in
        guard case .keptOtherwise("votes", "segment-1.lensed", _)? = error as? PersistenceError
        else { return false }
        return "\(error)".contains(#"named: "votes2""#) && "\(error)".contains("by an action")
      }
      #expect(memory.files == files)
      let salvaged = try open(after, .salvage)
      let store = try Board.makeStore(salvaged)
      #expect(store.title == "kept" && store.votes.isEmpty)
      store.dispatch(BoardAction.vote("b", 2))
      try await salvaged.close()
      #expect(Board.makeBoard(try open(after)).votes == ["b": 2])
    }
  }

  private struct Moved: Sendable {
    var both = Both()

    struct Both: Sendable {
      /// What the folder has as a whole.
      var cards: [String] = []
      var rows: [Int: String] = [:]
    }
  }

  private enum Move: Action { case toRows, add(String) }

  @Test func `what was kept as a whole moves to rows by another name and an action`() async throws {
    func makeStore(_ disk: Persistence<Moved>) throws -> Store<Moved> {
      try Store(initialState: Moved(), middleware: [disk]) {
        Mutator(\.both) { (both: inout Moved.Both, move: Move) in
          switch move {
          case .add(let card): both.cards.append(card)
          case .toRows:
            for (index, card) in both.cards.enumerated() { both.rows[index] = card }
            both.cards = []
          }
        }
      }
    }
    let memory = MemoryStorage()
    let old = try Persistence<Moved>(in: memory, writing: .eachCommit) {
      Kept(\.both.cards, named: "cards")
    }
    try makeStore(old).dispatch([Move.add("a"), .add("b")])
    try await old.close()
    // As the error says.
    func open() throws -> Persistence<Moved> {
      try Persistence<Moved>(in: memory, writing: .eachCommit) {
        Kept(\.both.cards, named: "cards")
        KeptRows(\.both.rows, named: "cards2")
      }
    }
    let both = try open()
    try makeStore(both).dispatch(Move.toRows)
    try await both.close()
    let state = try makeStore(open()).state.both
    #expect(state.rows == [0: "a", 1: "b"] && state.cards.isEmpty)
  }
}
