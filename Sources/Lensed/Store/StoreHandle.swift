/// A way to a store that does not keep it alive.
///
/// It accepts what a store's `dispatch` accepts, without `focusingOn:`. Once the store has gone, a dispatch does nothing.
public struct StoreHandle<State: Sendable>: ActionDispatching {
  private weak var inside: StoreCore?

  init(_ core: StoreCore) {
    inside = core
  }

  /// What the store is inside, while it is there.
  var core: StoreCore? {
    guard let inside, !inside.isClosed else { return nil }
    return inside
  }

  /// The current state; nil when the store has gone.
  public var state: State? {
    core?.readIfOpen { $0.read(State.self) }
  }

  /// Replaces the state as a whole, as `Store.replaceState(_:)` does; does nothing when the store has gone.
  public func replaceState(_ state: State) {
    _ = core?.replaceState(choosing: { state })
  }

  /// Applies actions of one type, if the store is there.
  public func send(_ batch: ActionBatch, from site: CallSite) -> DispatchTask {
    core?.dispatch(batch, from: site, under: .root) ?? DispatchTask()
  }
}
