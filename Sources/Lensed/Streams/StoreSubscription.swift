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
  /// What cancelling does, once; one word, as nearly all unregister an observer.
  private enum Ending: Sendable {
    case unregisters(ObserverHandle)
    indirect case calls(@Sendable () -> Void)
    /// Of what can be retired, and was not yet.
    indirect case removes(@Sendable () -> Void, retire: @Sendable () -> Void)
    /// Of what was retired.
    indirect case removesRetired(@Sendable () -> Void)
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

  /// A subscription of what can be retired before it is removed.
  init(onCancel: @escaping @Sendable () -> Void, onRetire: @escaping @Sendable () -> Void) {
    ending = Locked(.removes(onCancel, retire: onRetire))
  }

  deinit {
    cancel()
  }

  /// Ends the calls; doing it again does nothing.
  public func cancel() {
    switch ending.withLock({ exchange(&$0, with: .done) }) {
    case .unregisters(let handle): handle.cancel()
    case .calls(let onCancel), .removes(let onCancel, _), .removesRetired(let onCancel): onCancel()
    case .done: break
    }
  }

  /// Lets an installed effect, or service, begin nothing more; what runs goes on.
  ///
  /// ```swift
  /// let installed = store.install(uploads)
  /// installed.retire()          // an upload that is under way ends as it would have
  /// try await store.settled()
  /// installed.cancel()
  /// ```
  ///
  /// Once it has returned, no run begins: neither for a later commit, nor for one that is being delivered. What
  /// waits for its turn or for a lull is dropped, as it would begin later; who waits for its dispatch is told of
  /// no cancellation. What runs can still be cancelled: by `cancel()` or by releasing the subscription, by what
  /// the effect is tied to, and by `cancelled(on:)`. Retiring it again does nothing.
  ///
  /// For any other subscription it is `cancel()`.
  public func retire() {
    let retire: (@Sendable () -> Void)? = ending.withLock { ending in
      switch ending {
      case .removes(let onCancel, let retire):
        ending = .removesRetired(onCancel)
        return retire
      case .removesRetired, .done:
        return {}
      case .unregisters, .calls:
        return nil
      }
    }
    if let retire { retire() } else { cancel() }
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
