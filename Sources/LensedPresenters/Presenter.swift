public import Lensed

/// Turns states into props: plain values with everything a view shows.
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
///   func props(for state: AppState, dispatch: Dispatcher) -> Props {
///     Props(text: "\(state.counter)", increase: dispatch.command(CounterAction.increase(1)))
///   }
/// }
/// let presentation = store.present(CounterPresenter()) { props in label.text = props.text }
/// presentation.start()
/// ```
///
/// A presenter has no state of its own, so it is tested without a view: `props` is a function.
/// A presentation calls it on the main actor, one call at a time, in commit order.
public protocol Presenter<State, Props>: Sendable {
  /// The state of the store or scope that is presented.
  associatedtype State: Sendable
  /// Everything the view shows, as a plain value.
  associatedtype Props: Equatable & Sendable

  /// Returns the reaction to a commit; by default, new props.
  ///
  /// It is called for every commit after the first props; in a scope, for the commits that touch
  /// the scope's part. The change holds the previous state, so `didChange` works.
  func reaction(to change: Change<State>) -> Reaction

  /// Returns the props for a state.
  ///
  /// - Parameters:
  ///   - state: The state after the presented commit.
  ///   - dispatch: Dispatches to the store; for the commands in the props.
  /// - Returns: Everything the view shows.
  func props(for state: State, dispatch: Dispatcher) -> Props

  /// Called for each `start()` of the presentation, before its first props, which are of the same state.
  ///
  /// A `stop()` within this call stops after it, without props.
  func onStart(_ state: State, dispatch: Dispatcher)

  /// Called once after each `onStart`: by `stop()`, or when the store or the receiver was released. While the
  /// presentation is paused, that is noticed by `resume()`.
  func onStop(_ state: State, dispatch: Dispatcher)
}

extension Presenter {
  /// Returns new props for every commit.
  public func reaction(to change: Change<State>) -> Reaction { .props }

  /// Does nothing.
  public func onStart(_ state: State, dispatch: Dispatcher) {}

  /// Does nothing.
  public func onStop(_ state: State, dispatch: Dispatcher) {}
}

/// A presenter's reaction to a commit.
public enum Reaction: Sendable, Equatable {
  /// The view does not change.
  case none
  /// The view receives new props.
  case props
  /// A command runs off the main actor, unless it was made to run there; later deliveries wait for it, so it
  /// should be quick.
  case command(Command)
  /// A command runs on the main actor, for example to show another view.
  case route(Command)
}
