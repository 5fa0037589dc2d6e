import Lensed

/// The cost of a dispatch on several threads at once.
enum ThreadRows {
  static var pairs: [Pair] {
    [
      Pair(
        "threads-4",
        "4 threads at once, per action / 4 on the bare mutex",
        target: Target(atMost: 2, aim: 1.2),
        allocations: .none
      ) {
        (dispatching(on: 4), byHand(on: 4))
      },
      Pair(
        "threads-8",
        "8 threads at once, per action / 8 on a POSIX mutex",
        target: Target(atMost: 2, aim: 1.2),
        allocations: .none
      ) {
        (dispatching(on: 8), onPOSIXMutex(by: 8))
      },
      Pair(
        "changes-stalled",
        "3 threads beside a stalled reader of changes(.bounded(16)) / without it",
        target: Target(atMost: 20, aim: 4)
      ) {
        (dispatching(on: 3, stalling: true), dispatching(on: 3))
      },
    ]
  }

  static var rates: [Rate] {
    [
      Rate("dispatches-1-thread", "dispatches, one thread") { dispatching(on: 1) },
      Rate("dispatches-4-threads", "dispatches, four threads") {
        dispatching(on: 4)
      },
    ]
  }

  static func dispatching(on threads: Int, stalling: Bool = false) -> Side {
    .threads("Store", count: threads) {
      let store = try CounterApp.store()
      let action = CounterAction.sample
      let changes = store.changes(buffering: .bounded(16, dropping: .oldest))
      let reader = stalling ? changes.makeAsyncIterator() : nil
      return ThreadSubject(kept: reader) { turns in
        for _ in 0..<turns { store.dispatch(action) }
      }
    }
  }

  /// A mutex of the C library, which does not collapse when there are more threads than cores.
  static func onPOSIXMutex(by threads: Int) -> Side {
    .threads("POSIX mutex, reducers", count: threads) {
      let hand = opaque(POSIXStore())
      let action = CounterAction.sample
      return ThreadSubject { turns in
        for _ in 0..<turns { hand.dispatch(action) }
      }
    }
  }

  static func byHand(on threads: Int) -> Side {
    .threads("mutex, reducers", count: threads) {
      let hand = opaque(HandStore())
      let action = CounterAction.sample
      return ThreadSubject { turns in
        for _ in 0..<turns { hand.dispatch(action) }
      }
    }
  }
}
