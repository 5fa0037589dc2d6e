import Lensed

/// What has to cost the same for the thousandth as for the first.
enum GrowthRows {
  static var pairs: [Pair] {
    [
      installing, registering, subscribing, superseding, queueing, remembering, mirrored,
      formerlyObserved, formerlyObservedWhole, alternating, busyRow, familyMiss,
    ]
  }

  private static var installing: Pair {
    Pair(
      "install-4000",
      "installing 4,000 effects, per effect / 400",
      target: Target(atMost: 2, aim: 1.2), share: 0.1
    ) {
      (installing(4_000), installing(400))
    }
  }

  private static func installing(_ count: Int) -> Side {
    .synchronous("\(count) effects", actionsPerTurn: count) { turns in
      for _ in 0..<turns {
        guard let store = try? CounterApp.store() else { return }
        let installed = (0..<count).map { _ in
          store.install(Effect<CounterApp>(on: OtherAction.self) { _, _ in })
        }
        swallow(installed.count)
      }
    }
  }

  private static var registering: Pair {
    Pair(
      "register-2000",
      "registering 2,000 mutators one by one, per mutator / 200",
      target: Target(atMost: 2, aim: 1.2), share: 0.1
    ) {
      (registering(2_000), registering(200))
    }
  }

  private static func registering(_ count: Int) -> Side {
    .synchronous("\(count) mutators", actionsPerTurn: count) { turns in
      for _ in 0..<turns {
        let store = Store(
          initialState: WideApp(others: Array(repeating: 0, count: count)), coverage: .partial)
        for place in 0..<count {
          let lens = Lens<WideApp, Int>(
            name: "others[\(place)]", get: { $0.others[place] },
            modify: { state, change in change(&state.others[place]) })
          let mutator = Mutator(lens: lens) { (other: inout Int, _: CounterAction) in other &+= 1 }
          precondition((try? store.register(mutator)) != nil, "others[\(place)] was refused.")
        }
      }
    }
  }

  private static var familyMiss: Pair {
    Pair(
      "family-miss-16000",
      "a key that a DerivedFamily of 16,000 does not hold / one of 1,000",
      target: Target(atMost: 1.5, aim: 1.2), share: 0.1
    ) {
      (try missing(16_000), try missing(1_000))
    }
  }

  private static func missing(_ limit: Int) throws -> Side {
    let store = try CounterApp.store()
    let family = DerivedFamily<CounterApp, Int, Int>(limit: limit) { key in
      Derived(\CounterApp.counter) { $0.value &+ key }
    }
    var next = 0
    let ask = {
      swallow(store[family[next]])
      next += 1
    }
    for _ in 0..<limit * 3 { ask() }
    return .synchronous("a family of \(limit)", keeping: store) { turns in
      for _ in 0..<turns { ask() }
    }
  }

  private static var superseding: Pair {
    Pair(
      "latest-4000",
      ".latest over 4,000 runs that ignore their cancellation / over 40",
      target: Target(atMost: 1.5, aim: 1.2), share: 0.1
    ) {
      (try await superseding(4_000), try await superseding(40))
    }
  }

  private static func superseding(_ runs: Int) async throws -> Side {
    let queue = try await CrowdedQueue(deafRuns: runs)
    return .synchronous("over \(runs) runs", keeping: queue, tearDown: { queue.end() }) { turns in
      for _ in 0..<turns { queue.supersede() }
    }
  }

  private static var queueing: Pair {
    Pair(
      "queue-children-4000",
      "joining a serial queue whose occupant has 4,000 children / 40, beside an unrelated wait",
      target: Target(atMost: 1.5, aim: 1.2), share: 0.1
    ) {
      (try await queueing(4_000), try await queueing(40))
    }
  }

  private static func queueing(_ children: Int) async throws -> Side {
    let queue = try await CrowdedQueue(children: children)
    return .synchronous("\(children) children", keeping: queue, tearDown: { queue.end() }) {
      turns in
      for _ in 0..<turns { queue.join() }
    }
  }

  private static var remembering: Pair {
    Pair(
      "history-1000000",
      "a full History of 1,000,000 / of 100",
      target: Target(atMost: 1.2, aim: 1.05), share: 0.1
    ) {
      (try remembering(1_000_000), try remembering(100))
    }
  }

  private static func remembering(_ limit: Int) throws -> Side {
    let store = try CounterApp.store(middleware: [History<CounterApp>(limit: limit)])
    let action = CounterAction.sample
    for _ in 0...limit { store.dispatch(action) }
    return .synchronous("History of \(limit)") { turns in
      for _ in 0..<turns { store.dispatch(action) }
    }
  }

  private static var mirrored: Pair {
    Pair(
      "mirror-10000",
      "10,000 properties read once through an ObservedStore, then untouched / none read",
      target: Target(atMost: 1.2, aim: 1.05), share: 0.25
    ) {
      (try await mirrored(10_000), try await mirrored(0))
    }
  }

  private static func mirrored(_ count: Int) async throws -> Side {
    let store = try WideApp.store(subStates: 2)
    store.replaceState(WideApp(others: Array(repeating: 0, count: 10_000)))
    let observed = await ObservedStore(store)
    await MainActor.run {
      for place in 0..<count { swallow(observed[\.others[place]]) }
    }
    let action = CounterAction.sample
    return .synchronous("\(count) properties read", keeping: observed) { turns in
      for _ in 0..<turns { store.dispatch(action) }
    }
  }

  private static var subscribing: Pair {
    Pair(
      "subscribe-1024",
      "subscribing to a part among 1,024 named lenses / 64",
      target: Target(atMost: 1.5, aim: 1.1), share: 0.25
    ) {
      (try subscribing(among: 1_024), try subscribing(among: 64))
    }
  }

  private static func subscribing(among count: Int) throws -> Side {
    let store = try WideApp.store(subStates: count)
    let lens = Lens<WideApp, Int>(
      name: "others[7]", get: { $0.others[7] },
      modify: { state, change in change(&state.others[7]) })
    return .synchronous("among \(count) sub-states") { turns in
      for _ in 0..<turns { store.states(lens).subscribe { swallow($0) }.cancel() }
    }
  }

  private static var formerlyObserved: Pair {
    Pair(
      "rows-gone-10000",
      "an action for one row, 10,000 rows were observed once / none was",
      target: Target(atMost: 1.2, aim: 1.05), allocations: .noneOnEitherSide, share: 0.5
    ) {
      (try formerlyObserved(10_000), try formerlyObserved(0))
    }
  }

  private static func formerlyObserved(_ count: Int) throws -> Side {
    let store = try RowsApp.store(rows: 10_000)
    for id in 0..<count { store.states(\.rows, id: id).subscribe { _ in }.cancel() }
    let action = RowsApp.Add.sample
    return .synchronous("\(count) rows observed once") { turns in
      for _ in 0..<turns { store.dispatch(action) }
    }
  }

  private static var formerlyObservedWhole: Pair {
    Pair(
      "rows-gone-whole-10000",
      "an action for a whole collection, 10,000 rows were observed once / none was",
      target: Target(atMost: 1.2, aim: 1.05), allocations: .atMost(1), share: 0.5
    ) {
      (try formerlyObservedWhole(10_000), try formerlyObservedWhole(0))
    }
  }

  private static func formerlyObservedWhole(_ count: Int) throws -> Side {
    let rows = try Entities((0..<10_000).map { RowsApp.Row(id: $0) })
    let store = try Store(initialState: RowsApp(rows: rows)) {
      Mutator(\.rows) { (rows: inout Entities<RowsApp.Row>, add: RowsApp.Add) in
        rows[id: 0]?.amount &+= add.amount
      }
      Constant(\.factor)
    }
    for id in 0..<count { store.states(\.rows, id: id).subscribe { _ in }.cancel() }
    let action = opaque(RowsApp.Add(amount: 1))
    return .synchronous("\(count) rows observed once") { turns in
      for _ in 0..<turns { store.dispatch(action) }
    }
  }

  private static var alternating: Pair {
    Pair(
      "types-64",
      "64 types of action in turn, per action / one type",
      target: Target(atMost: 1.75, aim: 1.3), allocations: .noneOnEitherSide
    ) {
      (try alternating(64), try alternating(1))
    }
  }

  private static func alternating(_ count: Int) throws -> Side {
    let kinds = Array(ActionKind.all(64).prefix(count))
    let store = try ActionKind.store(of: ActionKind.all(64))
    return .synchronous("\(count) types", actionsPerTurn: 64) { turns in
      for _ in 0..<turns {
        for index in 0..<64 { kinds[index % count].dispatch(store) }
      }
    }
  }

  private static var busyRow: Pair {
    Pair(
      "busy-rows-10000",
      "an action for one row, each of 10,000 rows with an effect under way / of 100",
      target: Target(atMost: 1.3, aim: 1.1), share: 0.25
    ) {
      (try await busyRow(among: 10_000), try await busyRow(among: 100))
    }
  }

  private static func busyRow(among count: Int) async throws -> Side {
    let rows = try Entities((0..<count).map { RowsApp.Row(id: $0) })
    let row = Feature<RowsApp.Row> {
      Constant(\.id)
      Mutator(\.amount) { (amount: inout Int, add: RowsApp.Add) in amount &+= add.amount }
      Effect(on: RowsApp.Reload.self) { _, _ in try await Task.sleep(for: .seconds(86_400)) }
    }
    let store = try Store(initialState: RowsApp(rows: rows)) {
      row.identified().lifted(\.rows)
      Constant(\.factor)
    }
    let works = (0..<count).map {
      store.dispatch(ElementAction(id: $0, action: RowsApp.Reload()))
    }
    let action = RowsApp.Add.sample
    return .synchronous(
      "\(count) busy rows", tearDown: { for work in works { work.cancel() } }
    ) { turns in
      for _ in 0..<turns { store.dispatch(action) }
    }
  }

  private struct OtherAction: Action {}
}
