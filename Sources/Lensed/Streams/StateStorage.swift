/// The memory of a store's state, and the object that keeps it alive.
///
/// A reader holds it, so that a reader that lags behind can read the last state after the store has
/// gone.
@usableFromInline
struct StateStorage: Sendable {
  let owner: any AnyObject & Sendable
  @usableFromInline
  let place: StateAddress

  @usableFromInline
  init<State: Sendable>(_ state: UnsafeCell<State>) {
    owner = state
    place = state.place
  }
}
