/// A subscription to a store: the calls go on until it is cancelled or released.
///
/// ```swift
/// let subscription = store.states(\.counter).subscribe { print($0) }
/// subscription.keep(in: &subscriptions)
/// ```
///
/// **Guarantees.** A thread decides to make a call right before it makes it, and makes none once
/// `cancel()` has returned. So, from then on:
/// - The cancelling thread makes no call; nor does the main actor, for `subscribe(onMain:)`.
/// - Another thread makes one call at most: the one that it had decided to make by then. That call is
///   running, or is about to begin. `cancel()` does not wait for it, because that wait might never end:
///   the call might wait for a lock that the cancelling thread holds.
///
/// If a call has to find out that it was cancelled, check that under the lock that guards its data.
///
/// A subscription does not keep its store alive. The closure, with what it holds, is released with the
/// store.
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
