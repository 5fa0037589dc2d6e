/// Locates the child of the state that an action is for: a listener in children has one, for warnings.
struct ChildLocator: Sendable {
  /// The part of the state in which the children lie.
  let container: Footprint
  /// Whether the actions name elements of a collection.
  let namesElements: Bool
  /// Called under the lock.
  let find: @Sendable (_ state: StateAddress, _ action: any Action) -> ChildPresence
}
