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
}
