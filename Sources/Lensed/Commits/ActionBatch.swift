/// Actions of one type on their way to a store, with the place where they were dispatched.
///
/// `dispatch` makes it, and lends the memory of the actions for the length of one call of `send`.
public struct ActionBatch {
  @usableFromInline
  let batch: Batch
  @usableFromInline
  let site: CallSite
  /// Whether the caller reads the state in the same critical section.
  @usableFromInline
  let isFocused: Bool

  @inlinable
  @inline(__always)
  init(_ batch: Batch, from site: CallSite, isFocused: Bool = false) {
    (self.batch, self.site, self.isFocused) = (batch, site, isFocused)
  }

  /// Lends one action.
  @inlinable
  @inline(__always)
  static func lending<A: Action, Result>(
    _ action: A, from site: CallSite, isFocused: Bool = false, _ body: (ActionBatch) -> Result
  ) -> Result {
    StateAddress.reading(action, as: A.self) { address in
      body(ActionBatch(Batch(A.self, address), from: site, isFocused: isFocused))
    }
  }

  /// Lends an array of actions; an empty one is not dispatched.
  @inlinable
  @inline(__always)
  static func lending<A: Action>(
    array actions: [A], from site: CallSite, _ body: (ActionBatch) -> DispatchTask
  ) -> DispatchTask {
    if actions.isEmpty { return DispatchTask() }
    return StateAddress.reading(elementsOf: actions) { address in
      let batch = Batch(
        A.self, address, count: actions.count, stride: MemoryLayout<A>.stride, isArray: true)
      return body(ActionBatch(batch, from: site))
    }
  }

  /// The same bytes, as actions for one of several instances.
  ///
  /// A tagged action has the action as its only stored property, so both have one layout.
  func tagged<Tag>(_ tag: Tag.Type) -> ActionBatch {
    let tagged = Batch(
      batch.type.tagged(tag), batch.first, count: batch.count, stride: batch.stride,
      isArray: batch.isArray)
    return ActionBatch(tagged, from: site, isFocused: isFocused)
  }
}
