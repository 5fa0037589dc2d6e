import Lensed

/// The cost of a commit beside many of each kind that concern another part, or that have come and gone: one row for each
/// kind, on the fast path and on the slow one, generated from one table.
enum CompanyRows {
  /// A kind of thing that a store knows.
  private struct Kind: Sendable {
    let id: String
    let name: String
    /// The largest ratio on the slow path while they are there: an effect costs each such commit a look at listeners.
    var slowlyAtMost = 1.25
    /// Whether many of them stay, too: middleware meets every action, and a part has one mutator.
    var stays = true
    /// Makes what they have in common, which both sides have; what it returns keeps it.
    var prepare: @Sendable (Store<CrowdedApp>) -> Any = { _ in () }
    /// Makes one of another part; what it returns keeps it.
    let make: @Sendable (Store<CrowdedApp>) async -> Any
  }

  private static let kinds = [
    Kind(id: "observer", name: "observers of another part") { store in
      store.states(\.first).subscribe { swallow($0) }
    },
    Kind(id: "reader", name: "readers of another part") { store in
      var reader = store.states(\.first).makeAsyncIterator()
      if let value = await reader.next() { swallow(value) }
      return reader
    },
    Kind(id: "effect", name: "effects of another action", slowlyAtMost: 2) { store in
      store.install(Effect<CrowdedApp>(on: OtherAction.self) { _, _ in })
    },
    Kind(id: "value-effect", name: "effects of another part's value", slowlyAtMost: 2) { store in
      store.install(Effect<CrowdedApp>(whenChanged: \.first) { _, _ in })
    },
    Kind(id: "tie", name: "effects tied to another part", slowlyAtMost: 2) { store in
      store.install(
        Effect<CrowdedApp>(on: OtherAction.self) { _, _ in }.tied(to: \.choice))
    },
    Kind(
      id: "work", name: "runs of an effect under way", slowlyAtMost: 2,
      prepare: { store in
        store.install(
          Effect<CrowdedApp>(on: OtherAction.self, .concurrent) { _, _ in
            try await Task.sleep(for: .seconds(3_600))
          })
      }
    ) { store in
      Run(store.dispatch(OtherAction()))
    },
    Kind(id: "row", name: "observers of rows of another part") { store in
      store.states(\.rows, id: 1).subscribe { swallow($0?.count ?? 0) }
    },
    Kind(id: "store", name: "other stores") { _ in
      (try? CrowdedApp.store()) as Any
    },
    Kind(id: "scope", name: "scopes of another part") { store in
      store.scope(\.first) as ScopedStore<Int>
    },
    Kind(id: "derived", name: "values derived of another part") { store in
      let derived = Derived(\CrowdedApp.first) { $0 &+ 1 }
      swallow(store[derived])
      return derived
    },
    Kind(id: "service", name: "services of another action", slowlyAtMost: 2) { store in
      store.install(
        Feature("other") { Effect<CrowdedApp>(on: OtherAction.self) { _, _ in } })
    },
    Kind(id: "middleware", name: "middleware", stays: false) { store in
      store.attach(IdleMiddleware<CrowdedApp>())
    },
    Kind(id: "history", name: "histories of another part", stays: false) { store in
      store.attach(History(\CrowdedApp.first))
    },
    Kind(id: "mutator", name: "mutators of another part", stays: false) { store in
      store.unregister(\.fourth)
      do {
        try store.register(Mutator(\.fourth) { (_: inout Int, _: OtherAction) in })
      } catch {
        preconditionFailure("The part has no owner: \(error)")
      }
      return ()
    },
  ]

  private enum Path: String, CaseIterable {
    case fast
    /// An array of two.
    case slow
  }

  private struct OtherAction: Action {}

  /// A run that ends when nobody keeps it.
  private final class Run: Sendable {
    private let task: DispatchTask

    init(_ task: DispatchTask) { self.task = task }

    deinit { task.cancel() }
  }

  static var pairs: [Pair] {
    kinds.flatMap { kind in
      Path.allCases.flatMap { path in
        let idle = pair(
          kind, path, "idle", atMost: path == .slow ? kind.slowlyAtMost : 1.25,
          "\(crowd) \(kind.name) / none"
        ) { store in
          var all: [Any] = []
          for _ in 0..<crowd { all.append(await kind.make(store)) }
          return all
        }
        let gone = pair(
          kind, path, "gone", atMost: 1.25, "\(crowd) \(kind.name) that came and went / never"
        ) { store in
          for _ in 0..<crowd { _ = await kind.make(store) }
          return []
        }
        return kind.stays ? [idle, gone] : [gone]
      }
    }
  }

  private static let crowd = 2_000

  private static func pair(
    _ kind: Kind, _ path: Path, _ state: String, atMost: Double, _ title: String,
    _ company: @escaping @Sendable (Store<CrowdedApp>) async -> [Any]
  ) -> Pair {
    Pair(
      "company-\(kind.id)-\(state)-\(path.rawValue)",
      "a commit\(path == .slow ? ", an array of two," : "") beside \(title)",
      target: Target(atMost: atMost, aim: 1.05), share: 0.25
    ) {
      let (store, other) = (try CrowdedApp.store(), try CrowdedApp.store())
      let shared = (kind.prepare(store), kind.prepare(other))
      let kept = await company(store)
      return (
        dispatching(to: store, path, "with them", keeping: (kept, shared.0)),
        dispatching(to: other, path, "without", keeping: shared.1)
      )
    }
  }

  private static func dispatching(
    to store: Store<CrowdedApp>, _ path: Path, _ name: String, keeping kept: Any
  ) -> Side {
    let action = CounterAction.sample
    let actions = [action, action]
    return .synchronous(name, keeping: kept) { turns in
      switch path {
      case .fast: for _ in 0..<turns { store.dispatch(action) }
      case .slow: for _ in 0..<turns { store.dispatch(actions) }
      }
    }
  }
}
