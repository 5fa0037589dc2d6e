import Synchronization

/// What somebody writes who needs no library: the state and its two reducers behind a mutex.
final class HandStore: Sendable {
  private let state = Mutex(CounterApp())

  func dispatch(_ action: CounterAction) {
    state.withLock {
      CounterReducers.counter(&$0.counter, action)
      CounterReducers.profile(&$0.profile, action)
    }
  }

  /// The same, giving the state that came of it.
  func dispatchGivingState(_ action: CounterAction) -> CounterApp {
    state.withLock {
      CounterReducers.counter(&$0.counter, action)
      CounterReducers.profile(&$0.profile, action)
      return $0
    }
  }
}

/// The same with one observer, called with the state once the lock is free.
final class HandObservedStore: Sendable {
  private let store = HandStore()
  private let observer: @Sendable (CounterApp) -> Void

  init(_ observer: @escaping @Sendable (CounterApp) -> Void) { self.observer = observer }

  func dispatch(_ action: CounterAction) {
    observer(store.dispatchGivingState(action))
  }
}
