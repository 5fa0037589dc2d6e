/// The memory of a store's state, and what keeps it alive.
///
/// A reader that lags behind holds it, so that the last state outlives the store until the reader
/// has had it.
@usableFromInline
struct StateStorage: Sendable {
  let owner: any AnyObject & Sendable
  let place: StateAddress

  @usableFromInline
  init<State: Sendable>(_ state: UnsafeCell<State>) {
    owner = state
    place = state.place
  }
}
