/// Code that is asked before each action is applied, and notified after each commit.
///
/// ```swift
/// struct OfflineGuard: Middleware {
///   func willReduce(
///     _ action: any Action, _ context: MiddlewareContext<AppState>
///   ) -> Verdict {
///     action is SyncAction && !context.state.isOnline ? .drop : .proceed
///   }
/// }
/// let store = try Store(initialState: AppState(), middleware: [OfflineGuard()]) { … }
/// ```
///
/// Middleware is given to a store when it is made, or attached later, and runs in that order, without the
/// lock: it may dispatch, and it may be slow. The `willReduce` of two dispatching threads run in either order, and
/// the state that one sees may have moved on when its action is applied. `didReduce` follows commit
/// order, one call at a time, and may run on another dispatcher's thread. A store without middleware
/// pays nothing for it; one with middleware boxes each action.
public protocol Middleware<State>: Sendable {
  /// The state of the store.
  associatedtype State: Sendable

  /// Whether the changes it is notified of hold the previous state too. While it is attached, each commit
  /// then copies what it touches.
  var needsPrevious: Bool { get }

  /// Whether a new store calls its `attached(to:)` before those of middleware that does not ask for this.
  ///
  /// Middleware may dispatch as it is attached; this one knows its store by then. The order of `willReduce` and
  /// `didReduce` stays that of the list.
  var attachesFirst: Bool { get }

  /// Asked before an action is applied; a list is offered member by member, and what an asynchronous
  /// sequence yields as it comes.
  func willReduce(_ action: any Action, _ context: MiddlewareContext<State>) -> Verdict

  /// Told after each commit, in commit order; not of those of a replay.
  func didReduce(_ change: Change<State>)

  /// Told, once, which store it is part of, when that is made or the middleware is attached.
  ///
  /// Effects of a new store that begin with their installation begin after all of its middleware was told. Where a new
  /// store has such, what is dispatched here is delivered after that, also to subscriptions that are made here: so
  /// dispatch much of it from a task.
  ///
  /// It is given all of the store as a scope, which does not keep the store alive. Once the store has gone,
  /// `store.dispatchTarget.isOpen` is false, and what is dispatched does nothing. Where a handler of the store's warnings
  /// or errors holds the middleware, release the scope in `detached()`.
  func attached(to store: ScopedStore<State>)

  /// Notified, once for each `attached(to:)`, that its subscription has ended, or that its store was released.
  ///
  /// It runs without a lock, on the thread that ends the subscription or releases the store. When it has returned, the
  /// middleware can be part of another store.
  ///
  /// After the end of a subscription, each other thread may still make one call that it had decided on. After the
  /// release of a store, `didReduce` follows for the commits that are yet to be delivered.
  func detached()
}

extension Middleware {
  /// It does not need them.
  public var needsPrevious: Bool { false }

  /// It does not.
  public var attachesFirst: Bool { false }

  /// Lets every action proceed.
  public func willReduce(_ action: any Action, _ context: MiddlewareContext<State>) -> Verdict {
    .proceed
  }

  /// Does nothing.
  public func didReduce(_ change: Change<State>) {}

  /// Does nothing.
  public func attached(to store: ScopedStore<State>) {}

  /// Does nothing.
  public func detached() {}
}

/// What middleware can see when it judges an action.
///
/// ```swift
/// func willReduce(_ action: any Action, _ context: MiddlewareContext<AppState>) -> Verdict {
///   log("\(action) at \(context.site), with \(context.state.cart.count) in the cart")
///   return .proceed
/// }
/// ```
public struct MiddlewareContext<State: Sendable>: Sendable {
  let store: Boxed<StoreView<State>>
  /// Where the action was dispatched.
  public let site: CallSite

  /// The state at this moment.
  public var state: State { store.value.readAll() }
  /// The module and file in which the action was dispatched.
  public var fileID: String { site.fileID }
  /// The function that dispatched it.
  public var function: String { site.function }
  /// The line that dispatched it, from 1.
  public var line: UInt { site.line }
}

// MARK: Attached

extension StoreView {
  /// Attaches middleware, as the last one; `attached(to:)` is called later.
  ///
  /// - Returns: What removes it; nil when the store has gone.
  @discardableResult
  func attach(_ middleware: any Middleware<State>) -> (@Sendable () -> Void)? {
    middleware.noteAttached()
    // A thread that is about to make a call looks right before. So once it is set, another thread begins one call at
    // most: one that it had decided on.
    let isOver = SharedFlag()
    let (store, seen) = (Boxed(self), ChangeView(part))
    let listener = CommitListener(
      selection: .everyCommit,
      notify: { report, _, _ in
        if !isOver.isSet { middleware.didReduce(report.change(in: seen)) }
      }, needsPrevious: middleware.needsPrevious)
    let id = core.attach(
      Attachment(
        listeners: [listener], purpose: "attached middleware",
        judge: { action, site in
          isOver.isSet
            ? .proceed : middleware.willReduce(action, MiddlewareContext(store: store, site: site))
        },
        onRemove: {
          // First: once it is removed, it may be attached to another store.
          middleware.detached()
          middleware.noteDetached()
        }))
    guard let id else {
      middleware.noteDetached()
      return nil
    }
    return { [core] in
      isOver.set()
      core.detach(id)
    }
  }
}

/// The middleware objects that are part of some store.
private let attachedObjects = Locked<Set<ObjectIdentifier>>([])

extension Middleware {
  /// Notes that it is part of a store; traps if it is an object that is part of one already.
  fileprivate func noteAttached() {
    guard let identity else { return }
    guard attachedObjects.withLock({ $0.insert(identity).inserted }) else {
      fatalError(
        """
        Lensed: one instance of \(type(of: self)) was given to two stores, or to one store twice. \
        What it keeps would mix the commits: make an instance for each store, and give it once.
        """)
    }
  }

  fileprivate func noteDetached() {
    if let identity { _ = attachedObjects.withLock { $0.remove(identity) } }
  }

  private var identity: ObjectIdentifier? {
    Self.self is AnyObject.Type ? ObjectIdentifier(self as AnyObject) : nil
  }
}
