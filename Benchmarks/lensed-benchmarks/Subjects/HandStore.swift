import Synchronization

/// What somebody writes who needs no library: the state and its two reducers behind a mutex.
final class HandStore: Sendable {
  private let state = Mutex(CounterApp())
  private let counter: CounterReducers.Counter
  private let profile: CounterReducers.Profile

  init(_ reducers: CounterReducers = CounterReducers()) {
    counter = reducers.counter
    profile = reducers.profile
  }

  func dispatch(_ action: CounterAction) {
    state.withLock {
      counter(&$0.counter, action)
      profile(&$0.profile, action)
    }
  }

  /// The same, giving the state that came of it.
  func dispatchGivingState(_ action: CounterAction) -> CounterApp {
    state.withLock {
      counter(&$0.counter, action)
      profile(&$0.profile, action)
      return $0
    }
  }
}

/// The same with one observer, called with the state once the lock is free.
final class HandObservedStore: Sendable {
  private let store = HandStore()
  private let observer: StateObserver.Call

  init(_ observer: StateObserver) { self.observer = observer.call }

  func dispatch(_ action: CounterAction) {
    observer(store.dispatchGivingState(action))
  }
}
