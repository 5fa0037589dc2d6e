/// The state, lent for the length of a call.
public struct StateAccess {
  @usableFromInline
  let place: StateAddress

  @usableFromInline
  init(place: StateAddress) {
    self.place = place
  }
}
