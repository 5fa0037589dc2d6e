import Foundation
import LensedTestSupport
import Testing

@testable import Lensed

/// Journals that were edited at random, with the check as it was and with a right one.
@Suite("Journals: whatever is in the file, an error or the session", .timeLimit(.minutes(30)))
struct JournalFuzzTests {
  private struct Ledger: Sendable, Equatable, Codable {
    var balance = 0
    var names: [String: Int] = [:]
  }
  private enum Booking: Action, Codable, Equatable { case pay(Int), swap, note(String, [Double]) }
  private struct Naming: Action, Codable, Equatable { var name: String }

  private static let coder = JournalCoder(
    encode: { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
    decode: { try JSONDecoder().decode($0, from: Data($1.utf8)) })
  private static let registry = ActionRegistry(coder).adding(Booking.self)
    .adding(Naming.self, named: "naming").adding([Booking].self, named: "bookings")

  private static func makeStore(_ middleware: [any Middleware<Ledger>] = []) throws -> Store<Ledger>
  {
    try Store(initialState: Ledger(), middleware: middleware) {
      Mutator(\.balance) { (balance: inout Int, action: Booking) in
        if case .pay(let amount) = action { balance &-= amount }
      }
      Mutator(\.names) { (names: inout [String: Int], action: Naming) in
        names[action.name, default: 0] &+= 1
      }
    }
  }

  private static func sample() throws -> (journal: Journal, state: Ledger) {
    let recorder = SessionRecorder<Ledger>()
    let store = try makeStore([recorder])
    store.dispatch(Booking.pay(5))
    store.dispatch([Booking.note("Ä\u{0}\"", [1.5]), Naming(name: "a")] as [any Action])
    store.replaceState(Ledger(balance: 3, names: ["x": .max]))
    store.dispatch(Naming(name: "x"))
    guard let session = recorder.session else { throw CancellationError() }
    return (try registry.journal(of: session), store.state)
  }

  /// Reads the file, and replays what is in it.
  ///
  /// - Returns: The state it leads to; nil where it was refused, with an error of one of the kinds that
  ///   are documented.
  private static func read(_ data: Data) throws -> Ledger? {
    // What is no journal at all is refused by whoever decodes it.
    guard let journal = try? JSONDecoder().decode(Journal.self, from: data) else { return nil }
    return try read(journal)
  }

  private static func read(_ journal: Journal) throws -> Ledger? {
    let session: RecordedSession<Ledger>
    do throws(JournalError) {
      session = try registry.session(journal, of: Ledger.self)
    } catch {
      guard "\(error)".hasPrefix("Lensed: ") else { throw error }
      return nil
    }
    let store = try makeStore()
    store.replay(session)
    // What can be read can be written, and is the same then.
    let again = try registry.session(registry.journal(of: session), of: Ledger.self)
    let other = try makeStore()
    other.replay(again)
    guard other.state == store.state else { throw CancellationError() }
    return store.state
  }

  private static let bits: [String] = [
    "0", "-1", "9223372036854775808", "1e999", "null", "true", "\"", "{", "}", "[", "]", ",", ":",
    "\\u0000", "\\ud800", "\"actions\":[]", "\"state\":\"{}\"", "\"format\":2", "\u{feff}",
  ]

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a file that was edited is refused, or says what it said`(seed: UInt64) throws {
    let (journal, state) = try Self.sample()
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(journal)
    #expect(try Self.read(data) == state)
    var random = SeededGenerator(seed: seed)
    for round in 0..<1_500 {
      var bytes = Array(data)
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
      }
      let read = try Self.read(Data(bytes))
      #expect(
        read == nil || read == state,
        "seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test(arguments: [4, 5, 6] as [UInt64])
  func `values that were edited and checked anew are refused, or can be replayed`(
    seed: UInt64
  ) throws {
    let (journal, _) = try Self.sample()
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
    for _ in 0..<1_500 {
      var steps = journal.steps
      for index in steps.indices {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: steps[index].state = steps[index].state == nil ? "{}" : nil
        case 1: steps[index].state = steps[index].state.map(edited)
        case 2: steps[index].origin = edited("a:1")
        case 3:
          steps[index].actions = steps[index].actions.map {
            Journal.Item(name: edited($0.name), value: $0.value)
          }
        case 4:
          steps[index].actions = steps[index].actions.map {
            Journal.Item(name: $0.name, value: edited($0.value))
          }
        case 5: steps[index].actions += steps[index].actions
        case 6:
          steps[index].actions.append(
            Journal.Item(name: "bookings", value: #"[{"swap":{}},{"pay":{"_0":1}}]"#))
        default: break
        }
      }
      let initial = Bool.random(using: &random) ? journal.initial : edited(journal.initial)
      if try Self.read(Journal(initial: initial, steps: steps)) != nil { accepted += 1 }
    }
    // Edits that keep a value readable come through; it would be no test if none did.
    #expect(accepted > 10, "seed \(seed)")
  }

  @Test func `a coder may give anything, and fail anyhow`() throws {
    struct Refusal: Error {}
    let (journal, _) = try Self.sample()
    for seed in 1...300 as ClosedRange<UInt64> {
      let random = Locked(SeededGenerator(seed: seed))
      let coder = JournalCoder(
        encode: { _ in
          try random.withLock { random in
            if Int.random(in: 0..<4, using: &random) == 0 { throw Refusal() }
            return ["", "{}", "\u{0}"].randomElement(using: &random) ?? ""
          }
        },
        decode: { type, text in
          switch random.withLock({ Int.random(in: 0..<5, using: &$0) }) {
          case 0: throw Refusal()
          case 1: return 0
          case 2: return [Naming(name: "x")]
          default: return try JSONDecoder().decode(type, from: Data(text.utf8))
          }
        })
      let registry = ActionRegistry(coder).adding(Booking.self).adding(Naming.self, named: "naming")
      do throws(JournalError) {
        let session = try registry.session(journal, of: Ledger.self)
        _ = try registry.journal(of: session)
      } catch {
        #expect("\(error)".hasPrefix("Lensed: "), "seed \(seed)")
      }
    }
  }

  /// What the rounds above found, and what a person would try.
  @Test(arguments: [
    #"{}"#, #"[]"#, #"null"#, #"{"format":1}"#,
    #"{"format":1,"initial":"","steps":[],"checksum":""}"#,
    #"{"format":1,"initial":"{}","steps":[{"actions":[],"state":null}],"checksum":"cbf29ce484222325"}"#,
    #"{"format":-9223372036854775808,"initial":"","steps":[],"checksum":"0"}"#,
    #"{"format":9223372036854775807,"initial":"","steps":[],"checksum":"0"}"#,
    #"{"format":1.5,"initial":"","steps":[],"checksum":"0"}"#,
  ])
  func `a case that was found is refused`(text: String) throws {
    #expect(try Self.read(Data(text.utf8)) == nil)
  }

  @Test func `a file nested 100,000 deep is refused`() throws {
    let nest = String(repeating: "[", count: 100_000)
    #expect(try Self.read(Data(nest.utf8)) == nil)
    let (journal, _) = try Self.sample()
    let steps = [Journal.Step(actions: [Journal.Item(name: "bookings", value: nest)])]
    #expect(try Self.read(Journal(initial: journal.initial, steps: steps)) == nil)
  }

  @Test func `one name for two types traps with a sentence, for one type it does not`() async {
    _ = Self.registry.adding(Naming.self, named: "naming").adding(Naming.self, named: "other")
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.registry.adding(Booking.self, named: "naming")
    }
    #expect(result?.message.contains("registered under the name `naming`") == true)
  }
}
