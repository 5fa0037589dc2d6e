import Foundation

/// A store written by hand: the state and its two reducers behind a mutex of the C library.
@safe
final class POSIXStore: @unchecked Sendable {
  // The mutex guards the state; both lie at addresses that do not move.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let state = UnsafeMutablePointer<CounterApp>.allocate(capacity: 1)

  init() {
    unsafe pthread_mutex_init(mutex, nil)
    unsafe state.initialize(to: CounterApp())
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  func dispatch(_ action: CounterAction) {
    unsafe pthread_mutex_lock(mutex)
    unsafe CounterReducers.counter(&state.pointee.counter, action)
    unsafe CounterReducers.profile(&state.pointee.profile, action)
    unsafe pthread_mutex_unlock(mutex)
  }
}
