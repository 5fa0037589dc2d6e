// A scope is observed, and what is observed is a scope: the two stand together.

/// What can be read and observed: a store, and a scope of one.
///
/// ```swift
/// store.state                       // all of it
/// store.counter                     // one property, only that copied
/// store[nameLens]                   // what a lens focuses on
/// for await counter in store.states(\.counter) { … }
/// ```
///
/// The state can be read and not written: only actions change it. A property of the state that is
/// named like a member of the store (`state`, `versioned`, `settledState`, `isReplaying`, `states`, `changes`,
/// `dispatch`, `dispatchEach`, `scope`, `asScope`, `dispatchTarget`, `send`, `register`, `unregister`, `replace`,
/// `wiring`, `install`, `attach`, `replaceState`, `replay`, `settled`, `flush`, `request`; with LensedPresenters
/// `present`), or of the context of an effect (`change`, `given`, `next`, `until`), is reached through `state` or a lens.
@dynamicMemberLookup
public protocol StateObserving<State>: ActionDispatching {
  /// The state, or the feature's part of it.
  associatedtype State: Sendable

  /// All of it, as a scope, which does not keep the store alive.
  ///
  /// ```swift
  /// ProfileView(store: store.scope(\.profile))   // a view of a part
  /// AppView(store: store.asScope)                // the same for a view of all of it
  /// ```
  ///
  /// A type of yours that conforms hands out a scope here: it is read and observed through that, and
  /// `focusingOn:` dispatches to it; all other dispatches go through its own `send`.
  var asScope: ScopedStore<State> { get }
}

extension StateObserving {
  @inlinable
  @inline(__always)
  var view: StoreView<State> { asScope.view }
}

/// A part of a store for a feature that knows nothing of the app around it.
///
/// ```swift
/// let chat: ScopedStore<Chat> = store.scope(\.left, actions: .tagged(Left.self))
/// chat.dispatch(ChatAction.send("hi"))   // reaches the store as Tagged<Left, ChatAction>
/// chat.state                             // the feature's part
/// ```
///
/// It does not keep the store alive. After the store has gone, `state` is the last one there was,
/// streams end at once, and dispatches do nothing.
public struct ScopedStore<State: Sendable>: StateObserving {
  @usableFromInline
  let view: StoreView<State>
  @usableFromInline
  let sender: ActionSender

  init(view: StoreView<State>, sender: ActionSender) {
    self.view = view
    self.sender = sender
  }

  /// All of the state of a store.
  @usableFromInline
  init(_ view: StoreView<State>) {
    self.init(view: view, sender: ActionSender(view.core))
  }

  /// The scope itself.
  @inlinable
  @inline(__always)
  public var asScope: ScopedStore { self }

  /// Applies actions of one type, as the store knows them.
  public func send(_ batch: ActionBatch, from site: CallSite) -> DispatchTask {
    sender.send(batch, from: site)
  }

  /// Every commit of the store from now on, as the feature sees it: its part, and its own actions.
  ///
  /// Where the scope is of a child, a change after the child has gone has the value that the scope was made with.
  ///
  /// - Parameters:
  ///   - buffering: How many changes wait for a slow reader, and which are dropped.
  ///   - keepingPrevious: Whether each change holds the part before it too.
  /// - Returns: The changes; each iterator made of it registers on its own.
  public func changes(
    buffering: ChangeBuffering = .unbounded, keepingPrevious: Bool = false
  ) -> StateChanges<State> {
    StateChanges(
      core: view.core, part: view.part, buffering: buffering, keepsPrevious: keepingPrevious,
      translator: sender.transform)
  }

  /// Replaces the state of the store as a whole, as `Store.replaceState(_:)` does; does nothing once the store has gone.
  ///
  /// The scope is one of all of the store: `store.asScope`, or what `attached(to:)` of middleware is given. It traps in
  /// the scope of a part, which its reducers alone change.
  public func replaceState(_ state: State) {
    if !view.part.isWhole {
      fatalError(
        """
        Lensed: replaceState(_:) was called on the scope of the part `\(view.part.footprint.name)`. It replaces all \
        of a store: call it on the store, or on its `asScope`. To change a part, dispatch an action for it.
        """)
    }
    view.core.replaceState(choosing: { () -> State? in state })
  }
}

/// The former name of the scope that middleware is given.
@available(*, deprecated, renamed: "ScopedStore")
public typealias StoreHandle<State: Sendable> = ScopedStore<State>

// MARK: Its actions

/// How the actions of a scope are transformed on their way to the store.
///
/// ```swift
/// store.scope(\.left, actions: .tagged(Left.self))     // sent as Tagged<Left, …>
/// store.scope(\.profile, actions: .case(profileCase))  // sent as AppAction.profile(…)
/// ```
public struct ScopeActions: Sendable {
  /// The step; nil if the actions stay as they are.
  let step: (any ActionStep)?

  private init(_ step: (any ActionStep)?) {
    self.step = step
  }

  /// The actions stay as they are.
  public static var unchanged: ScopeActions { ScopeActions(nil) }

  /// Each action is tagged; in the scope of a row, after it was addressed to the row.
  public static func tagged<Tag>(_ tag: Tag.Type) -> ScopeActions { ScopeActions(TagStep<Tag>()) }

  /// The actions of `Narrow` are embedded in one wide action enum; others stay as they are.
  ///
  /// In the scope of a row the case holds actions for rows: `Narrow` is `ElementAction<ID, A>`. Make the prism once, as
  /// a `static let`.
  public static func `case`<Wide: Action, Narrow: Action>(
    _ prism: Prism<Wide, Narrow>
  ) -> ScopeActions {
    ScopeActions(EmbedStep(prism))
  }

  /// What tells it from others; nil if the actions stay as they are.
  var id: AnyID? { step.map { AnyID($0) } }
}
