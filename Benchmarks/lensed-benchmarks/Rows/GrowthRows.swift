import Lensed

/// What has to cost the same for the thousandth as for the first.
enum GrowthRows {
  static var pairs: [Pair] {
    [installing, registering, superseding, queueing, remembering, mirrored]
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
      "joining a serial queue whose occupant has 4,000 children / 40",
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

  private struct OtherAction: Action {}
}
