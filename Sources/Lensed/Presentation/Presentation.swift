/// One presenter at work: it follows a store, and delivers props to a view on the main actor.
///
/// ```swift
/// let presentation = store.present(presenter, to: controller) { controller, props in
///   controller.render(props)
/// }
/// presentation.start()   // when the view appears
/// presentation.stop()    // when it disappears
/// ```
///
/// **Guarantees.**
/// - Nothing is delivered before `start()`. The first delivery after it is props, whatever the
///   presenter's `reaction` says; they are of the state at the start, and no commit after that is
///   missed.
/// - `onStart` comes before the first of these, and `onStop` after its `onStart`, whichever threads start
///   and stop.
/// - Props, commands and routes come in commit order, one at a time; none is conflated.
/// - After `stop()` or `pause()` returned nothing more is delivered, if it was called on the main
///   actor; called elsewhere, a delivery that is running may finish.
/// - It does not keep the store alive, and ends with it, once the commits before are delivered.
/// - Releasing it stops it.
///
/// A presentation that is stopped or paused costs the store nothing. One that runs has the state
/// before each commit kept until the commit was presented, so commits copy what they touch.
public final class Presentation: Sendable {
  private let engine: any PresentationControl

  init(_ engine: any PresentationControl) {
    self.engine = engine
  }

  deinit {
    engine.stop()
  }

  /// Begins to present: `onStart`, then props, then whatever the presenter makes of each commit.
  ///
  /// Started already, also where it is paused, it does nothing.
  public func start() { engine.start() }

  /// Ends presenting, and calls `onStop`; it may be started again.
  public func stop() { engine.stop() }

  /// Lets changes go by unseen until `resume()`, as for a view that is covered by another.
  public func pause() { engine.pause() }

  /// Goes on after a `pause()`: with props of the state as it is then.
  public func resume() { engine.resume() }
}

/// What a presentation can be told, with the types of its presenter erased.
protocol PresentationControl: Sendable {
  func start()
  func stop()
  func pause()
  func resume()
}
