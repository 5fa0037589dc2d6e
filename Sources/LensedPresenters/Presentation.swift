internal import Lensed

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
///   start, before `start()` returns, whatever the presenter's `reaction` returns. No later commit is missed.
/// - Props, commands and routes are delivered in commit order, one at a time; none is conflated.
/// - After `stop()` or `pause()` has returned, nothing more is delivered; a
///   command off the main actor may finish.
/// - It does not keep the store alive. When the store is released, it delivers the commits so far
///   and ends.
/// - Releasing it stops it: nothing more is delivered, and `onStop` is called soon after.
///
/// **Cost.** A stopped or paused presentation costs the store nothing. A running one keeps the
/// state before each commit until that commit is presented, so commits copy the collections they
/// touch.
@MainActor
public final class Presentation {
  private let engine: any PresentationControl
  private let lifetime = PresentationLifetime()

  init<P: Presenter>(_ engine: PresentationEngine<P>) {
    self.engine = engine
    engine.lifetime = lifetime
  }

  deinit {
    Task { @MainActor [engine] in engine.stop() }
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
@MainActor
protocol PresentationControl: AnyObject, Sendable {
  func start()
  func stop()
  func pause()
  func resume()
}

/// Ends with the presentation: from then on nothing is delivered.
final class PresentationLifetime: Sendable {}

/// The receiver of props.
struct PropsReceiver<Props>: Sendable {
  /// Whether the receiver is still alive.
  let isAlive: @Sendable () -> Bool
  let receive: @MainActor @Sendable (Props) -> Void
}

/// The implementation of a presentation.
///
/// **Cycle.** `start` begins to read the changes, calls `onStart`, and delivers the first props. A task then asks the
/// presenter for a reaction to each commit after them, until the run ends: by a stop, a pause, or the end of the store.
///
/// **Mutable state.** All of it belongs to the main actor. What a run is still about to do asks whether the run is the
/// present one.
@MainActor
final class PresentationEngine<P: Presenter>: PresentationControl {
  /// From a start or a resume to a pause or a stop.
  private final class Run {
    var changes: StateChanges<P.State>.Iterator
    /// The first state, until it is presented.
    var state: P.State?
    /// The commit that left the first state.
    let revision: UInt64
    var task: Task<Void, Never>?

    init?(_ store: ScopedStore<P.State>) {
      // Registered first: a commit in between is in both, and its number tells that it is in the state already.
      changes = store.changes(keepingPrevious: true).makeAsyncIterator()
      guard store.dispatchTarget.isOpen else { return nil }
      (state, revision) = store.versioned
    }
  }

  private enum Phase {
    case stopped
    case running(Run)
    case paused
  }

  private let presenter: P
  private let store: ScopedStore<P.State>
  private let dispatch: Dispatcher
  /// Whether the part is the whole state, so that every commit concerns it.
  private let isWhole: Bool
  private let skipsEqualProps: Bool
  private let receiver: PropsReceiver<P.Props>
  weak var lifetime: PresentationLifetime?
  private var phase = Phase.stopped
  /// The props delivered last since the start, if equal props are skipped.
  private var delivered: P.Props?
  /// The calls of `onStart` and `onStop` that are due, and what follows them.
  private var calls: [() -> Void] = []
  private var isCalling = false

  init(
    _ presenter: P, _ store: ScopedStore<P.State>, isWhole: Bool, skippingEqualProps: Bool,
    _ receiver: PropsReceiver<P.Props>
  ) {
    (self.presenter, self.store, self.receiver) = (presenter, store, receiver)
    dispatch = Dispatcher(store)
    (self.isWhole, skipsEqualProps) = (isWhole, skippingEqualProps)
  }

  func start() {
    guard case .stopped = phase, let run = Run(store) else { return }
    phase = .running(run)
    call { [self] in
      delivered = nil
      if let state = run.state { presenter.onStart(state, dispatch: dispatch) }
      begin(run)
    }
  }

  func resume() {
    guard case .paused = phase else { return }
    guard let run = Run(store) else { return stop() }
    phase = .running(run)
    call { [self] in begin(run) }
  }

  func pause() {
    guard case .running(let run) = phase else { return }
    run.task?.cancel()
    phase = .paused
  }

  func stop() {
    if case .stopped = phase { return }
    pause()
    phase = .stopped
    call { [self] in presenter.onStop(store.state, dispatch: dispatch) }
  }

  /// Makes a call, after those that are being made: a presenter may start and stop its own presentation.
  private func call(_ body: @escaping () -> Void) {
    calls.append(body)
    if isCalling { return }
    isCalling = true
    while !calls.isEmpty { calls.removeFirst()() }
    isCalling = false
  }

  private func isCurrent(_ run: Run) -> Bool {
    if lifetime != nil, case .running(let current) = phase { current === run } else { false }
  }

  /// Delivers the first props of a run, and follows the store from then on.
  private func begin(_ run: Run) {
    guard isCurrent(run), let state = run.state.take() else { return }
    show(state, run)
    guard isCurrent(run) else { return }
    run.task = Task { await self.follow(run) }
  }

  private func follow(_ run: Run) async {
    while let change = await run.changes.next() {
      guard isCurrent(run), receiver.isAlive() else { break }
      if change.revision > run.revision, isWhole || change.touches(Lens<P.State, P.State>.identity)
      {
        await react(to: change.following, run)
      }
    }
    // Unless it was stopped or paused, it ends because its store or its receiver was released.
    if isCurrent(run) { stop() }
  }

  private func react(to change: Change<P.State>, _ run: Run) async {
    let reaction = presenter.reaction(to: change)
    // What the presenter has called may have stopped it.
    if !isCurrent(run) { return }
    switch reaction {
    case .none: break
    case .props: show(change.state, run)
    case .command(let command) where !command.isOnMain: await Self.call(command)
    case .command(let command), .route(let command): command.callOnMain()
    }
  }

  @concurrent
  private static func call(_ command: Command) async {
    command()
  }

  private func show(_ state: P.State, _ run: Run) {
    let props = presenter.props(for: state, dispatch: dispatch)
    let isRepeat = skipsEqualProps && delivered == props
    // What the presenter has called may have stopped it.
    if isRepeat || !isCurrent(run) { return }
    if skipsEqualProps { delivered = props }
    receiver.receive(props)
  }
}
