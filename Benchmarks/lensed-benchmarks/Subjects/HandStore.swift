import Synchronization

/// A store written by hand: the state and its two reducers behind a mutex.
final class HandStore: Sendable {
  private let state = Mutex(CounterApp())

  func dispatch(_ action: CounterAction) {
    state.withLock {
      CounterReducers.counter(&$0.counter, action)
      CounterReducers.profile(&$0.profile, action)
    }
  }

  var counter: CounterApp.Counter { state.withLock { $0.counter } }

  var whole: CounterApp { state.withLock { $0 } }

  /// Dispatches an action and returns the new state.
  func dispatchReturningState(_ action: CounterAction) -> CounterApp {
    state.withLock {
      CounterReducers.counter(&$0.counter, action)
      CounterReducers.profile(&$0.profile, action)
      return $0
    }
  }
}

/// A store written by hand with one observer, which is called after the lock.
final class HandObservedStore: Sendable {
  private let store = HandStore()
  private let observer: @Sendable (CounterApp) -> Void

  init(_ observer: @escaping @Sendable (CounterApp) -> Void) { self.observer = observer }

  func dispatch(_ action: CounterAction) {
    observer(store.dispatchReturningState(action))
  }
}
