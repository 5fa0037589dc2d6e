extension Store {
  /// Attaches middleware at any time, as the last one.
  ///
  /// ```swift
  /// let logging = store.attach(ActionLogger { print($0) })
  /// …
  /// logging.cancel()
  /// ```
  ///
  /// An action that begins to be reduced after this has returned has met the middleware, also one that was
  /// dispatched before. It is asked about no action twice. Its `attached(to:)` is called before this returns.
  ///
  /// Releasing or cancelling the subscription ends it: from then on the middleware is asked about no action
  /// and notified of no commit, but for one call at most that another thread had decided to make. A `History`
  /// records no more; it keeps its entries, and can undo nothing. The middleware can be attached again.
  ///
  /// Of two calls that end the subscription at once, one may return while the other is still in `detached()`.
  ///
  /// It traps if the middleware is an object that is part of a store already.
  ///
  /// - Parameter middleware: What to attach.
  /// - Returns: The subscription that keeps it attached.
  /// - Complexity: O(*n*) in the number of routes and listeners; the routes are made anew as they are used.
  public func attach(_ middleware: any Middleware<State>) -> StoreSubscription {
    if keep(with: middleware) { return StoreSubscription { middleware.detached() } }
    guard let detach = view.attach(middleware) else { return StoreSubscription {} }
    middleware.attached(to: asScope)
    return .ended(by: detach)
  }
}
