/// The memory of a state, or of an action, lent for the length of a call.
public struct StateAccess {
  @usableFromInline
  let place: StateAddress

  @inlinable
  init(place: StateAddress) {
    self.place = place
  }
}
