import Lensed

/// The cost of a dispatch beside parts, observers and readers that it does not concern.
enum ScaleRows {
  static var pairs: [Pair] {
    [
      Pair(
        "sub-states-1024",
        "1,024 sub-states / 2 sub-states",
        target: Target(atMost: 1.2, aim: 1.05),
        allocations: .noneOnEitherSide
      ) {
        (try amongSubStates(1_024), try amongSubStates(2))
      },
      Pair(
        "observers-1000",
        "1,000 observers of other sub-states / none",
        target: Target(atMost: 1.2, aim: 1.05),
        allocations: .noneOnEitherSide
      ) {
        (try amongObservers(1_000), try amongObservers(0))
      },
      Pair(
        "idle-readers-1000",
        "1,000 idle async readers / none",
        target: Target(atMost: 1.2, aim: 1.05),
        allocations: .noneOnEitherSide
      ) {
        (try await amongReaders(1_000), try await amongReaders(0))
      },
      Pair(
        "elements-1000000",
        "one element of 1,000,000 / of 100",
        target: Target(atMost: 1.3, aim: 1.1),
        allocations: .noneOnEitherSide
      ) {
        (try amongElements(1_000_000), try amongElements(100))
      },
      Pair(
        "allocations",
        "allocations per dispatch, 1,000 idle readers / none",
        target: nil,
        allocations: .noneOnEitherSide,
        share: 0.5
      ) {
        (try await amongReaders(1_000), try DispatchRows.dispatching())
      },
    ]
  }

  static func amongSubStates(_ count: Int) throws -> Side {
    let store = try WideApp.store(subStates: count)
    let action = CounterAction.sample
    return .synchronous("Store with \(count) sub-states") { turns in
      for _ in 0..<turns { store.dispatch(action) }
    }
  }

  static func amongObservers(_ count: Int) throws -> Side {
    let (store, subscriptions) = try CrowdedApp.store(observers: count)
    let action = CounterAction.sample
    return .synchronous("Store with \(count) observers", keeping: subscriptions) { turns in
      for _ in 0..<turns { store.dispatch(action) }
    }
  }

  static func amongReaders(_ count: Int) async throws -> Side {
    let store = try CrowdedApp.store()
    let readers = await IdleReaders(count, of: store)
    let action = CounterAction.sample
    let name = "Store with \(count) idle readers"
    return .synchronous(name, tearDown: { await readers.cancel() }) { turns in
      for _ in 0..<turns { store.dispatch(action) }
    }
  }

  static func amongElements(_ count: Int) throws -> Side {
    let store = try ListApp.store(elements: count)
    let action = ListApp.Update.sample
    return .synchronous("Store with \(count) elements") { turns in
      for _ in 0..<turns { store.dispatch(action) }
    }
  }

  static func amongElementsByHand(_ count: Int) -> Side {
    let hand = opaque(HandList(elements: count))
    let action = ListApp.Update.sample
    return .synchronous("mutex, reducer") { turns in
      for _ in 0..<turns { hand.dispatch(action) }
    }
  }
}
