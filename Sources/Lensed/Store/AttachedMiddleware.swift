extension StoreView {
  /// Attaches middleware, as the last one; `attached(to:)` is called later.
  func attach(_ middleware: any Middleware<State>) {
    AttachedMiddleware.admit(middleware)
    let listener = CommitListener(
      interest: .everyCommit,
      phase: .beforeObservers { [part] report, _, _ in
        middleware.didReduce(report.change(of: part))
      }, needsPrevious: middleware.needsPrevious)
    _ = core.attach(
      Attachment(
        listeners: [listener], purpose: "attached middleware",
        judge: { action, site in
          middleware.willReduce(action, MiddlewareContext(view: self, site: site))
        },
        onRemove: { AttachedMiddleware.dismiss(middleware) }))
  }
}

/// The middleware objects that are part of some store.
enum AttachedMiddleware {
  private static let objects = Locked<Set<ObjectIdentifier>>([])

  static func admit<State>(_ middleware: any Middleware<State>) {
    guard let object = identity(of: middleware) else { return }
    guard objects.withLock({ $0.insert(object).inserted }) else {
      fatalError(
        """
        Lensed: one instance of \(type(of: middleware)) was given to two stores. What it keeps would \
        mix the commits of both: make an instance for each store.
        """)
    }
  }

  static func dismiss<State>(_ middleware: any Middleware<State>) {
    if let object = identity(of: middleware) { _ = objects.withLock { $0.remove(object) } }
  }

  private static func identity<State>(of middleware: any Middleware<State>) -> ObjectIdentifier? {
    type(of: middleware) is AnyObject.Type ? ObjectIdentifier(middleware as AnyObject) : nil
  }
}
