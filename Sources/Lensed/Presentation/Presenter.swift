/// What stands between a state and a view: it makes plain props of the one for the other.
///
/// ```swift
/// struct CounterPresenter: Presenter {
///   struct Props: Equatable {
///     let text: String
///     let increase: Command
///   }
///
///   func reaction(to change: Change<AppState>) -> Reaction {
///     change.didChange(\.counter) ? .props : .none
///   }
///
///   func props(for state: AppState, dispatch: Dispatch) -> Props {
///     Props(text: "\(state.counter)", increase: dispatch.command(CounterAction.increase(1)))
///   }
/// }
/// let presentation = store.present(CounterPresenter()) { props in label.text = props.text }
/// presentation.start()
/// ```
///
/// A presenter holds no state of its own, so it is tested without a store: `props` is a function.
/// `reaction` and `props` run off the main actor, one call at a time, in commit order.
public protocol Presenter<State, Props>: Sendable {
  /// What it is made of: the state of a store, or of a scope.
  associatedtype State: Sendable
  /// All that the view needs to know, as a plain value.
  associatedtype Props: Equatable & Sendable

  /// What a commit means for the view; without an implementation, new props.
  ///
  /// It is asked for every commit after the first props. The change holds the state before it, so
  /// `didChange` works. In a scope it is asked for the commits that touch the scope's part.
  func reaction(to change: Change<State>) -> Reaction

  /// The props of a state.
  ///
  /// - Parameters:
  ///   - state: The state, as the commit that is reacted to left it.
  ///   - dispatch: The way back, for the commands in the props.
  /// - Returns: All that the view needs to know.
  func props(for state: State, dispatch: Dispatcher) -> Props

  /// Called for each `start()` of its presentation, before any of its props.
  ///
  /// Calls of `onStart` and `onStop` are made one at a time, in the order of the starts and stops.
  /// `start()` returns after it, unless another of these calls is running, on another thread or because
  /// it was that call that started: then it is made when that one has returned, by the same thread. The
  /// first props are of the same state, unless the presentation was paused and resumed in the meantime.
  func onStart(_ state: State, dispatch: Dispatcher)

  /// Called once for each `onStart`, after it: by `stop()`, or when the presentation ended with its
  /// store or its receiver.
  ///
  /// `stop()` returns after it, unless another of these calls is running: then it is made when that one
  /// has returned.
  func onStop(_ state: State, dispatch: Dispatcher)
}

extension Presenter {
  /// New props for every commit.
  public func reaction(to change: Change<State>) -> Reaction { .props }

  /// Does nothing.
  public func onStart(_ state: State, dispatch: Dispatcher) {}

  /// Does nothing.
  public func onStop(_ state: State, dispatch: Dispatcher) {}
}

/// What a presenter makes of a commit.
public enum Reaction: Sendable, Equatable {
  /// The view does not change.
  case none
  /// The view gets new props.
  case props
  /// A command is run off the main actor. What follows waits for it: let it be quick.
  case command(Command)
  /// A command is run on the main actor: to show another view.
  case route(Command)
}
