/// What keeps an observer called back: cancel it, or let it go, and the calls end.
///
/// ```swift
/// let subscription = store.states(\.counter).subscribe { print($0) }
/// subscription.keep(in: &subscriptions)
/// ```
///
/// After `cancel()` returns no call begins; one that is running on another thread may finish. A
/// subscription does not keep its store alive.
public final class StoreSubscription: Sendable {
  private let ending: Guarded<(@Sendable () -> Void)?>

  /// A subscription that runs `onCancel` once: when it is cancelled, or released.
  public init(onCancel: @escaping @Sendable () -> Void) {
    ending = Guarded(onCancel)
  }

  deinit {
    cancel()
  }

  /// Ends the calls; doing it again does nothing.
  public func cancel() {
    let end = ending.withLock { $0.take() }
    end?()
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
