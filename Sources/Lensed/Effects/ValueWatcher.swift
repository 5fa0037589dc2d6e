/// Looks at one commit after another for an effect of a changed value, from the state on that there was when
/// it was attached.
///
/// That state is kept under the lock of the store, so that there is no commit between it and the first one
/// that is heard of. The value is read of it without the lock: a property may be the user's own code.
final class ValueWatcher<State: Sendable>: Sendable {
  private struct Start: Sendable {
    var initial: Boxed<State>?
    var watch: Effect<State>.ValueWatch?
  }

  private let start = Locked(Start())
  private let makeWatch: @Sendable (_ initial: State) -> Effect<State>.ValueWatch

  init(_ makeWatch: @escaping @Sendable (_ initial: State) -> Effect<State>.ValueWatch) {
    self.makeWatch = makeWatch
  }

  /// Keeps the state as it is when commits begin to be heard of; under the lock of the store.
  func begin(with state: State) {
    let initial = Boxed(state)
    start.withLock { $0.initial = initial }
  }

  /// What looks at commits; made of the state at the start by whoever needs it first.
  @discardableResult
  func watch() -> Effect<State>.ValueWatch? {
    let (initial, known) = start.withLock { ($0.initial, $0.watch) }
    if let known { return known }
    guard let initial else { return nil }
    let made = makeWatch(initial.value)
    return start.withLock { start in
      start.initial = nil
      start.watch = start.watch ?? made
      return start.watch
    }
  }
}
