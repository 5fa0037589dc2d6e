/// The watch of an effect of a changed value, which compares with the state at the time it was attached.
///
/// That state is stored under the lock of the store, so that no commit lies between it and the first commit
/// that is compared. The value is read from it without the lock, because a property can be the user's own
/// code.
final class ValueWatcher<State: Sendable>: Sendable {
  private struct Start: Sendable {
    var initial: Boxed<State>?
    var given: GivenValues?
    var watch: ValueTrigger<State>.Watch?
  }

  private let start = Locked(Start())
  private let makeWatch:
    @Sendable (_ initial: State, _ given: GivenValues?) -> ValueTrigger<State>.Watch

  init(
    _ makeWatch:
      @escaping @Sendable (_ initial: State, _ given: GivenValues?) -> ValueTrigger<State>.Watch
  ) {
    self.makeWatch = makeWatch
  }

  /// Stores the state at the time of attaching; called under the lock of the store.
  func setInitial(_ state: State, _ given: GivenValues?) {
    let initial = Boxed(state)
    start.withLock { ($0.initial, $0.given) = (initial, given) }
  }

  /// The watch; the first call makes it of the stored state.
  @discardableResult
  func watch() -> ValueTrigger<State>.Watch? {
    let (initial, given, known) = start.withLock { ($0.initial, $0.given, $0.watch) }
    if let known { return known }
    guard let initial else { return nil }
    let made = makeWatch(initial.value, given)
    return start.withLock { start in
      (start.initial, start.given) = (nil, nil)
      start.watch = start.watch ?? made
      return start.watch
    }
  }
}
