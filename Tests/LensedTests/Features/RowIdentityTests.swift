import Lensed
import LensedTestSupport
import Testing

/// A reducer of a row may give it another id, which may be that of another row.
@Suite("A row that gets another id is left and come to under its ids", .timeLimit(.minutes(30)))
struct RowIdentityTests {
  struct Row: Sendable, Equatable, Identifiable {
    var id: Int
    var count = 0
  }

  struct State: Sendable {
    var entities: Entities<Row>
    var sorted: SortedEntities<Row>
    var list: [Row]
    var others = 0
  }

  struct Add: Action { let amount: Int }
  struct Identify: Action { let id: Int }
  struct Count: Action {}

  enum Kind: CaseIterable, Sendable {
    case entities, sorted, list

    func lift(_ feature: Feature<Row>) -> Feature<State> {
      switch self {
      case .entities: feature.identified().lifted(\.entities)
      case .sorted: feature.identified().lifted(\.sorted)
      case .list: feature.identified().lifted(\.list)
      }
    }
  }

  /// The rows and what is to come of each commit, written down plainly.
  private struct Model {
    var counts: [Int: Int]
    var log: [String] = []

    /// Does some steps as one commit.
    mutating func commit(_ steps: [Step]) {
      let former = counts
      for step in steps {
        switch step {
        case .add(let id, let amount): if let count = counts[id] { counts[id] = count + amount }
        case .identify(let id, let new):
          if let count = counts.removeValue(forKey: id) { counts[new] = count }
        }
      }
      log = []
      for (id, count) in counts where former[id] != count {
        log += ["first \(id): \(count)", former[id] == nil ? "come \(id)" : "\(id): \(count)"]
      }
      for id in former.keys where counts[id] == nil { log.append("left") }
      log.sort()
    }
  }

  enum Step: Sendable, CustomStringConvertible {
    case add(Int, Int)
    case identify(Int, Int)

    var action: any Action {
      switch self {
      case .add(let id, let amount): ElementAction(id: id, action: Add(amount: amount))
      case .identify(let id, let new): ElementAction(id: id, action: Identify(id: new))
      }
    }

    var description: String {
      switch self {
      case .add(let id, let amount): "\(id) += \(amount)"
      case .identify(let id, let new): "\(id) -> \(new)"
      }
    }
  }

  private static func makeStore(_ kind: Kind, _ ids: Range<Int>, _ log: Recorder<String>) throws
    -> Store<State>
  {
    let row = Feature<Row> {
      Mutator(\.count) { (count: inout Int, add: Add) in count += add.amount }
      Mutator(\.id) { (id: inout Int, identify: Identify) in id = identify.id }
      Effect(whenChanged: \.count, .serial) { count, context in
        log.append("\(context.id): \(count)")
      }
      Effect(whenChanged: \.count, .serial, including: .installation) { count, context in
        log.append("first \(context.id): \(count)")
      }
      Feature("s", onInstall: { log.append("come \($0.id)") }, onRemove: { log.append("left") }) {}
    }
    let rows = ids.map { Row(id: $0) }
    return try Store(
      initialState: State(
        entities: try Entities(rows),
        sorted: SortedEntities(try Entities(rows)) { $0.count < $1.count },
        list: rows), coverage: .partial,
      onWarning: { _ in }
    ) {
      kind.lift(row)
      Mutator(\.others) { (others: inout Int, _: Count) in others += 1 }
    }
  }

  @Test(arguments: Kind.allCases)
  func `its effects and services follow`(_ kind: Kind) async throws {
    let log = Recorder<String>()
    let store = try Self.makeStore(kind, 7..<10, log)
    try await store.settled()
    var model = Model(counts: [7: 0, 8: 0, 9: 0])
    func commit(_ steps: Step...) async throws {
      let before = log.values.count
      model.commit(steps)
      store.dispatch(steps.map(\.action))
      try await store.settled()
      #expect(log.values[before...].sorted() == model.log, "\(steps)")
    }
    try await commit(.identify(7, 1))
    try await commit(.add(1, 1))
    try await commit(.add(7, 1))
    try await commit(.identify(1, 2), .identify(2, 1))
    try await commit(.identify(1, 2), .add(2, 1))
    try await commit(.identify(8, 3), .identify(9, 8), .identify(3, 9))
    try await commit(.add(8, 1), .add(9, 2), .add(2, 3))
    if kind == .list { return }
    try await commit(.identify(2, 8))
    try await commit(.add(8, 1))
  }

  @Test func `a service comes to the first of two elements of an array with one id, once`()
    async throws
  {
    let log = Recorder<String>()
    var store: Store<State>? = try Self.makeStore(.list, 7..<10, log)
    try await store?.settled()
    let before = log.values.count
    store?.dispatch(Step.identify(7, 8).action)
    try await store?.settled()
    #expect(log.values[before...] == ["left"])
    store = nil
    #expect(log.values[before...] == ["left", "left", "left"])
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `so they do in any arrays and mixed lists`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let kind = Kind.allCases[Int(seed) % Kind.allCases.count]
    let log = Recorder<String>()
    let store = try Self.makeStore(kind, 0..<4, log)
    try await store.settled()
    var model = Model(counts: [0: 0, 1: 0, 2: 0, 3: 0])
    for number in 0..<30 {
      var ids = Set(model.counts.keys)
      var steps: [Step] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let (id, new) = (
          Int.random(in: 0..<6, using: &random), Int.random(in: 0..<6, using: &random)
        )
        // Two elements of an array are not to have one id.
        if Bool.random(using: &random) || kind == .list && ids.contains(new) {
          steps.append(.add(id, 1))
        } else {
          steps.append(.identify(id, new))
          if ids.remove(id) != nil { ids.insert(new) }
        }
      }
      let before = log.values.count
      model.commit(steps)
      store.dispatch(steps.map(\.action) + (number.isMultiple(of: 5) ? [Count()] : []))
      try await store.settled()
      let found = log.values[before...].sorted()
      try #require(found == model.log, "seed \(seed), commit \(number): \(steps)")
    }
  }
}
