extension StoreView {
  /// Attaches middleware, as the last one; `attached(to:)` is called later.
  ///
  /// - Returns: What removes it; nil when the store has gone.
  @discardableResult
  func attach(_ middleware: any Middleware<State>) -> (@Sendable () -> Void)? {
    AttachedMiddleware.insert(middleware)
    // Whoever is about to make a call looks right before. So once it is set, another thread begins one call at
    // most: one that it had decided on.
    let isOver = SharedFlag()
    let listener = CommitListener(
      selection: .everyCommit,
      notify: { [part] report, _, _ in
        if !isOver.isSet { middleware.didReduce(report.change(of: part)) }
      }, needsPrevious: middleware.needsPrevious)
    let id = core.attach(
      Attachment(
        listeners: [listener], purpose: "attached middleware",
        judge: { action, site in
          isOver.isSet
            ? .proceed : middleware.willReduce(action, MiddlewareContext(view: self, site: site))
        },
        onRemove: {
          // First: once it is removed, it may be attached to another store.
          middleware.detached()
          AttachedMiddleware.remove(middleware)
        }))
    guard let id else {
      AttachedMiddleware.remove(middleware)
      return nil
    }
    return { [core] in
      isOver.set()
      core.detach(id)
    }
  }
}

/// The middleware objects that are part of some store.
enum AttachedMiddleware {
  private static let objects = Locked<Set<ObjectIdentifier>>([])

  static func insert<State>(_ middleware: any Middleware<State>) {
    guard let object = identity(of: middleware) else { return }
    guard objects.withLock({ $0.insert(object).inserted }) else {
      fatalError(
        """
        Lensed: one instance of \(type(of: middleware)) was given to two stores, or to one store twice. \
        What it keeps would mix the commits: make an instance for each store, and give it once.
        """)
    }
  }

  static func remove<State>(_ middleware: any Middleware<State>) {
    if let object = identity(of: middleware) { _ = objects.withLock { $0.remove(object) } }
  }

  private static func identity<State>(of middleware: any Middleware<State>) -> ObjectIdentifier? {
    type(of: middleware) is AnyObject.Type ? ObjectIdentifier(middleware as AnyObject) : nil
  }
}
