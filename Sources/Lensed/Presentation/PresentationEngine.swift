/// The implementation of a presentation: the machine, its lock, and the task that follows the
/// store.
///
/// **Cycle.** `start` makes a run and calls `onStart`. The run's task then delivers the first
/// props, and asks the presenter for a reaction to each commit, until the run is cancelled or the
/// store is released. The task of the next run starts when this one has ended.
///
/// **Mutable state.** `machine` has a lock of its own, and so has `delivered`. The presenter and
/// the receiver are never called under either.
final class PresentationEngine<P: Presenter>: PresentationControl {
  typealias Run = PresentationRun<P.State>

  private let presenter: P
  private let view: StoreView<P.State>
  private let sender: ActionSender
  private let dispatch: Dispatcher
  /// Whether the part is the whole state, so that every commit concerns it.
  private let isWhole: Bool
  private let skipsEqualProps: Bool
  private let receiver: PropsReceiver<P.Props>
  private let machine = Locked(PresentationMachine<Run>())
  /// The props delivered last and the number of their start, if equal props are skipped.
  private let delivered = Locked<(start: Int, props: P.Props)?>(nil)

  init(
    _ presenter: P, _ scope: ScopedStore<P.State>, isWhole: Bool, skippingEqualProps: Bool,
    _ receiver: PropsReceiver<P.Props>
  ) {
    self.presenter = presenter
    view = scope.view
    sender = scope.sender
    dispatch = Dispatcher(scope)
    self.isWhole = isWhole
    skipsEqualProps = skippingEqualProps
    self.receiver = receiver
  }

  func start() {
    guard let run = Run(view) else { return }
    guard machine.withLock({ $0.start(run) }) else { return run.cancel() }
    callPresenter()
  }

  func resume() {
    // Without a run, the store was released meanwhile. A pause does not notice that, `resume` does.
    let run = Run(view)
    if machine.withLock({ $0.resume(run) }) { callPresenter() } else { run?.cancel() }
  }

  func pause() {
    machine.withLock { $0.pause() }?.cancel()
  }

  func stop() {
    machine.withLock { $0.stop() }?.cancel()
    callPresenter()
  }

  /// Makes the calls that are due, and then follows the current run, if that is due.
  ///
  /// If another thread is making calls, that one makes these, too.
  private func callPresenter() {
    while let call = machine.withLock({ $0.beginCall() }) {
      switch call {
      case .start(let run):
        // It is presented once this has returned.
        if let state = run.firstState { presenter.onStart(state, dispatch: dispatch) }
      case .stop: presenter.onStop(view.readAll(), dispatch: dispatch)
      }
      machine.withLock { $0.endCall(call) }
    }
    followNext()
  }

  private func followNext() {
    if let run = machine.withLock({ $0.beginFollowing() }) { follow(run) }
  }

  private func isCurrent(_ run: Run) -> Bool {
    start(of: run) != nil
  }

  private func start(of run: Run) -> Int? {
    machine.withLock { $0.start(of: run) }
  }

  private func follow(_ run: Run) {
    run.startTask { await self.present(run) }
  }

  @concurrent
  private func present(_ run: Run) async {
    if let state = run.takeFirstState() { await show(state, run) }
    var turn = JobTurn()
    while let change = await run.feed.next() {
      if turn.isOver(on: nil) { await Task.yield() }
      guard isCurrent(run), receiver.isAlive() else { break }
      if concerns(change, run) { await react(to: change, run) }
    }
    // Unless it was stopped or paused, it ends because its store or its receiver was released.
    if machine.withLock({ $0.endFollowing(run) }) {
      run.cancel()
      callPresenter()
    } else {
      // What it was stopped by calls `onStop` before it returns: that call is not this task's.
      followNext()
    }
  }

  private func concerns(_ change: Change<P.State>, _ run: Run) -> Bool {
    change.revision > run.revision && (isWhole || change.touches(Lens.identity))
  }

  private func react(to change: Change<P.State>, _ run: Run) async {
    var change = change
    // The first delivery was the first props, so no change is the first.
    change.isFirst = false
    change.translator = sender.transform
    switch presenter.reaction(to: change) {
    case .none: break
    case .props: await show(change.state, run)
    case .command(let command) where !command.isOnMain: if isCurrent(run) { command() }
    case .command(let command): await route(command, run)
    case .route(let command): await route(command, run)
    }
  }

  private func show(_ state: P.State, _ run: Run) async {
    let props = presenter.props(for: state, dispatch: dispatch)
    if skipsEqualProps, let last = delivered.withLock({ $0 }), last.start == start(of: run),
      isSameValue(last.props, props)
    {
      return
    }
    await deliver(props, run)
  }

  @MainActor
  private func deliver(_ props: P.Props, _ run: Run) {
    guard let start = start(of: run) else { return }
    if skipsEqualProps {
      // The replaced props are released after the lock: they may run a user's `deinit`.
      _ = delivered.withLock { exchange(&$0, with: (start, props)) }
    }
    receiver.receive(props)
  }

  @MainActor
  private func route(_ command: Command, _ run: Run) {
    if isCurrent(run) { command.callOnMain() }
  }
}

/// The receiver of props.
struct PropsReceiver<Props>: Sendable {
  /// Whether the receiver is still alive.
  let isAlive: @Sendable () -> Bool
  let receive: @MainActor @Sendable (Props) -> Void
}
