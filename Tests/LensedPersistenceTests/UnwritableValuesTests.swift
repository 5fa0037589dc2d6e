import Foundation
import Lensed
import LensedTesting
import Testing

@testable import LensedPersistence

/// What a recorder or a writer does with values, and with a disk, that take nothing for a while.
@Suite(.timeLimit(.minutes(30))) struct UnwritableValuesTests {
  private struct Odd: Codable, Sendable, Equatable, Identifiable {
    var id: Int
    var isBad = false

    private enum Keys: CodingKey { case id, isBad }

    func encode(to encoder: any Encoder) throws {
      if isBad {
        throw EncodingError.invalidValue(
          self, EncodingError.Context(codingPath: [], debugDescription: "it is bad"))
      }
      var box = encoder.container(keyedBy: Keys.self)
      try box.encode(id, forKey: .id)
      try box.encode(isBad, forKey: .isBad)
    }
  }

  private indirect enum Tree: Codable, Sendable, Equatable { case leaf, node(Int, Tree) }

  private struct Garden: Codable, Sendable, Equatable {
    var price = Decimal(1)
    var tree = Tree.leaf
    var odds = [Odd(id: 1), Odd(id: 2)]
  }

  private enum Step: Action, Codable {
    case price(Decimal)
    case noPrice
    case deepen(Int)
    case mark(Bool)
    case add(Int)
  }

  private func makeStore(_ middleware: [any Middleware<Garden>] = []) throws -> Store<Garden> {
    try Store(initialState: Garden(), middleware: middleware) {
      Mutator(\Garden.price) { (price: inout Decimal, step: Step) in
        if case .price(let new) = step { price = new }
        if case .noPrice = step { price = .nan }
      }
      Mutator(\Garden.tree) { (tree: inout Tree, step: Step) in
        if case .deepen(let count) = step {
          tree = (0..<count).reduce(.leaf) { tree, number in .node(number, tree) }
        }
      }
      Mutator(\Garden.odds) { (odds: inout [Odd], step: Step) in
        if case .mark(let isBad) = step { odds[0].isBad = isBad }
        if case .add(let id) = step { odds.append(Odd(id: id)) }
      }
    }
  }

  private let registry = ActionRegistry(.json).adding(Step.self)

  @Test func `a file with values that cannot be encoded for a while is read, and replays`() throws {
    var programs: [[Step]] = [
      [.mark(true), .mark(false), .price(3)],
      [.mark(true), .add(3), .mark(false), .add(4)],
      [.noPrice, .price(2), .add(3)],
      [.noPrice, .noPrice, .mark(true), .price(4), .mark(false)],
      [.deepen(300), .deepen(1), .price(3)],
      [.deepen(247), .deepen(255), .deepen(2)],
    ]
    // So many that further snapshots are written, some of them while there is nothing to encode.
    var long: [Step] = []
    for number in 0..<120 {
      long += [Step.mark(number % 7 < 3), .add(10 + number % 5), .price(Decimal(number))]
    }
    programs.append(long)
    for (number, program) in programs.enumerated() {
      let file = FileManager.default.temporaryDirectory.appending(path: "values-\(UUID()).lensed")
      defer { try? FileManager.default.removeItem(at: file) }
      let store = try makeStore([SessionRecorder<Garden>(to: file, registry)])
      for step in program { store.dispatch(step) }
      let session = try RecordedSession<Garden>(reading: file, registry, .strict)
      #expect(session.count == program.count, "program \(number)")
      let fresh = try makeStore()
      fresh.replay(session)
      #expect("\(fresh.state)" == "\(store.state)", "program \(number)")
    }
  }

  @Test
  func `a change that fits nothing is passed over by a lenient reader, and damage to a strict one`()
    throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "values-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, altered) = (folder.appending(path: "a.lensed"), folder.appending(path: "b.lensed"))
    let store = try makeStore([SessionRecorder<Garden>(to: file, registry)])
    for step in [Step.add(3), .mark(true), .mark(false), .price(3)] { store.dispatch(step) }
    var records = try SessionFile(file)
    let lines = try RecordFile(creating: altered)
    try lines.append(records.head.bytes, .head)
    while let record = try records.next() {
      var members = record.members ?? []
      if record["revision"]?.int == 2,
        let index = members.firstIndex(where: { $0.key == "changed" })
      {
        members[index].value = try JSONText(parsing: #"{"odds":{"rows":[[9,9,[],[]]]}}"#.utf8)
      }
      try lines.append(JSONText.object(members).bytes, .commit)
    }
    try lines.mark()
    #expect {
      try RecordedSession<Garden>(reading: altered, registry, .strict)
    } throws: { error in
      if case .damaged? = error as? SessionError { true } else { false }
    }
    let session = try RecordedSession<Garden>(reading: altered, registry, .lenient)
    #expect(session.count == 4)
    let fresh = try makeStore()
    fresh.replay(session)
    #expect(fresh.state == store.state)
  }

  @Test func `one full disk is reported once, and again after it had room`() async throws {
    let (clock, faulty) = (ManualClock(), FaultyStorage())
    let faults = Recorder<PersistenceError>()
    let disk = try Persistence<Garden>(
      in: faulty, writing: .eachCommit, clock: clock, onFailure: { faults.append($0) }
    ) { Kept(\.price) }
    let store = try makeStore([disk])
    for round in 1...2 {
      faulty.fail(.append, with: ENOSPC, lasts: true)
      store.dispatch(Step.price(Decimal(round)))
      var files: Set<String> = []
      for _ in 0..<5 {
        do throws(PersistenceError) {
          try await disk.sync()
        } catch {
          if case .storage(let fault) = error { files.insert(fault.file) }
        }
      }
      #expect(files.count > 1, "each attempt has a file of its own")
      #expect(faults.values.count == round)
      faulty.heal()
      try await disk.sync()
      #expect(disk.status == .healthy)
    }
    try await disk.close()
  }
}
