/// A running presenter: it follows a store and delivers props to a view on the main actor.
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
/// - Nothing is delivered before `start()`. The first delivery is the props of the state at the
///   start, whatever the presenter's `reaction` returns. No later commit is missed.
/// - `onStart` is called before the first delivery, and `onStop` after its `onStart`, whichever
///   threads start and stop.
/// - Props, commands and routes are delivered in commit order, one at a time; none is conflated.
/// - After `stop()` or `pause()` on the main actor has returned, nothing more is delivered; a
///   command off the main actor may finish. Called on another thread, a running delivery may finish.
/// - It does not keep the store alive. When the store is released, it delivers the commits so far
///   and ends.
/// - Releasing it stops it.
///
/// **Cost.** A stopped or paused presentation costs the store nothing. A running one keeps the
/// state before each commit until that commit is presented, so commits copy the collections they
/// touch.
public final class Presentation: Sendable {
  private let engine: any PresentationControl

  init(_ engine: any PresentationControl) {
    self.engine = engine
  }

  deinit {
    engine.stop()
  }

  /// Starts presenting: calls `onStart`, then delivers props, then presents each commit.
  ///
  /// If it was started already, even if it is paused, it does nothing.
  public func start() { engine.start() }

  /// Stops presenting and calls `onStop`; it can be started again.
  public func stop() { engine.stop() }

  /// Ignores commits until `resume()`, for example while another view covers this one.
  public func pause() { engine.pause() }

  /// Continues after a `pause()`, beginning with the props of the current state.
  ///
  /// If the store was released meanwhile, it stops.
  public func resume() { engine.resume() }
}

/// The controls of a presentation, with the types of its presenter erased.
protocol PresentationControl: Sendable {
  func start()
  func stop()
  func pause()
  func resume()
}
