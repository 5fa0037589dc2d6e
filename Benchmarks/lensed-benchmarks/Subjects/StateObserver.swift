/// A synchronous observer that does next to nothing, the same one on both sides.
struct StateObserver: Sendable {
  typealias Call = @Sendable (CounterApp) -> Void

  let call: Call

  init() { call = Self.walled { state in swallow(state.counter.value) } }

  @inline(never) @_optimize(none)
  private static func walled(_ call: @escaping Call) -> Call { call }
}
