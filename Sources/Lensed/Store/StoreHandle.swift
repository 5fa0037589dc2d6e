/// A way to a store that does not keep it alive.
public struct StoreHandle<State: Sendable>: Sendable {
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

  /// Dispatches an action, if the store is there.
  @discardableResult
  public func dispatch(
    _ action: some Action,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    let site = CallSite(fileID: fileID, function: function, line: line)
    return core?.dispatch(action, from: site) ?? DispatchTask()
  }
}
