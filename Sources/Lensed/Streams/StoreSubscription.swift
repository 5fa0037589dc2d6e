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
  /// What cancelling does; one word, as nearly all unregister an observer.
  ///
  /// Of two calls that cancel at once, each does all of it, so neither waits for the other; user code is run once.
  private enum Ending: Sendable {
    case unregisters(ObserverHandle)
    /// Code that is run once.
    indirect case calls(@Sendable () -> Void)
    /// Code that does no harm when it is run again, or by two threads at once; nor does that which retires, if any.
    indirect case ends(@Sendable () -> Void, retire: (@Sendable () -> Void)?)
    case done
  }

  private let ending: Locked<Ending>

  /// A subscription that runs `onCancel` once: when it is cancelled, or released.
  ///
  /// Of two calls of `cancel()` at once, one runs it, and the other returns without waiting for that.
  public init(onCancel: @escaping @Sendable () -> Void) {
    ending = Locked(.calls(onCancel))
  }

  init(_ handle: ObserverHandle) {
    ending = Locked(.unregisters(handle))
  }

  /// A subscription that runs `end` when it is cancelled; by two threads, where both cancel it at once.
  ///
  /// What can be retired before it is removed has a `retire`, which may be done twice, too.
  init(end: @escaping @Sendable () -> Void, retire: (@Sendable () -> Void)? = nil) {
    ending = Locked(.ends(end, retire: retire))
  }

  deinit {
    cancel()
  }

  /// Ends the calls; doing it again does nothing.
  ///
  /// Of several calls at once, each keeps what it promises when it returns, whichever returns first.
  public func cancel() {
    let ending = ending.withLock { ending -> Ending in
      if case .calls = ending { return exchange(&ending, with: .done) }
      return ending
    }
    switch ending {
    case .unregisters(let handle): handle.cancel()
    case .calls(let onCancel): return onCancel()
    case .ends(let end, _): end()
    case .done: return
    }
    // Released without the lock, with what it captured.
    let done = self.ending.withLock { exchange(&$0, with: .done) }
    withExtendedLifetime(done) {}
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
  /// waits for its turn, for a lull or for the pause between two runs is dropped, as it would begin later; waiters of
  /// its dispatch see no cancellation. What runs can still be cancelled: by `cancel()` or by releasing the subscription,
  /// by what the effect is tied to, and by `cancelled(on:)`. Retiring it again does nothing.
  ///
  /// For any other subscription it is `cancel()`.
  public func retire() {
    switch ending.withLock({ $0 }) {
    case .ends(_, let retire?): retire()
    case .unregisters, .calls, .ends: cancel()
    case .done: return
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
