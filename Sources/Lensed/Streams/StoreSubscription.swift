/// What keeps an observer called back: cancel it, or let it go, and the calls end.
///
/// ```swift
/// let subscription = store.states(\.counter).subscribe { print($0) }
/// subscription.keep(in: &subscriptions)
/// ```
///
/// **Guarantees.** A thread decides to make a call right before it makes it, and makes none once
/// `cancel()` has returned. So, from then on:
/// - What the cancelling thread, or the main actor for `subscribe(onMain:)`, delivers itself is not heard.
/// - One call is heard at most: the one that another thread had decided to make by then. It may be
///   running, or may be about to begin. `cancel()` does not wait for it, because it could wait for ever:
///   for a call that waits for a lock which the cancelling thread holds.
///
/// Where a call has to find out that it was cancelled, let it look under the lock that guards what it
/// works on.
///
/// A subscription does not keep its store alive, and what its closure holds is released with the store.
public final class StoreSubscription: Sendable {
  /// What cancelling does, once.
  private enum Ending: Sendable {
    case unregisters(ObserverHandle)
    case calls(@Sendable () -> Void)
    case done
  }

  private let ending: Locked<Ending>

  /// A subscription that runs `onCancel` once: when it is cancelled, or released.
  public init(onCancel: @escaping @Sendable () -> Void) {
    ending = Locked(.calls(onCancel))
  }

  /// A subscription that unregisters an observer.
  init(_ handle: ObserverHandle) {
    ending = Locked(.unregisters(handle))
  }

  deinit {
    cancel()
  }

  /// Ends the calls; doing it again does nothing.
  public func cancel() {
    switch ending.withLock({ exchange(&$0, with: .done) }) {
    case .unregisters(let handle): handle.cancel()
    case .calls(let onCancel): onCancel()
    case .done: break
    }
  }

  /// Keeps this subscription as long as `subscriptions` holds it.
  public func keep(in subscriptions: inout Set<StoreSubscription>) {
    subscriptions.insert(self)
  }
}

extension StoreSubscription: Hashable {
  /// Whether both are the same subscription.
  public static func == (left: StoreSubscription, right: StoreSubscription) -> Bool {
    left === right
  }

  /// Feeds the identity of the subscription.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
