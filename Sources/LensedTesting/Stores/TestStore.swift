#if canImport(Testing)
  public import Lensed
  internal import Testing

  /// A store whose test says step by step what happens in it.
  ///
  /// ```swift
  /// let test = try TestStore(initialState: Search(), search(api: .stub, clock))
  /// await test.dispatch(QueryChanged("ab")) { $0.query = "ab" }  // what the action changes
  /// await clock.advance(by: .milliseconds(300))  // returns when what it woke rests
  /// await test.receive(Found.self) { $0.results = ["abc"] }  // in commit order
  /// await test.finish()  // nothing unseen, nothing under way
  /// ```
  ///
  /// **Steps.** `dispatch` and `perform` are given what their own commit changes. `receive` takes the commits that
  /// others make, in commit order: effects, sequences, outcomes of asynchronous mutators, observers, and code
  /// that dispatches to `store`. `finish` ends the test. A step returns when what it set off rests.
  ///
  /// **Exhaustive.** A test says everything that happens, part by part: see `Exhaustivity`. What it does not say is an
  /// issue at the line of the step: a change, a commit that no step receives, an effect still under way, an
  /// unhandled action, an uncaught error. The issue shows the difference of the part alone, the action,
  /// and where it was dispatched. The next step is judged by itself, against the state that is.
  ///
  /// **No time-outs.** The effects run on a `TestScheduler`, one job at a time, and the store knows what is under way.
  /// So "nothing more will come" is known, where effects wait for a `ManualClock`, a `Gate`, the store, or each other.
  /// An effect may also wait for something that the test cannot see: another clock, a task of its own, a network. Then
  /// `receive` and `finish` wait as long as that takes, and after `patience` they fail and name the effect. Only the
  /// patience tells an effect without end from one that takes long.
  ///
  /// **What a failure leaves.** A test with an issue has its session attached at its end, as `session.lensed`, for
  /// `lensed-inspect`, and where the state is `Codable` for `Store.replay` and `explore`: see `attachSession(by:)`.
  ///
  /// **Comparing.** `Equatable` values are compared by `==`, other ones by reflection, to a depth of eight: functions
  /// count as equal, and so do objects of one class.
  ///
  /// It needs Swift Testing, and is made in a test: in the task of the test or in one that inherits from it. No issue
  /// reaches XCTest, so there, and where a detached task makes the store, a failing step traps with its message.
  /// Once made, use it from any task and any isolation. Steps of several tasks are made one after another, in the
  /// order in which they came.
  public final class TestStore<State: Sendable>: Sendable {
    /// The store: a store like any other.
    public let store: Store<State>
    /// The scheduler of its effects.
    public let scheduler: TestScheduler

    private struct Settings: Sendable {
      var exhaustivity: Exhaustivity<State>
      var issueCount = 0
      var isFinished = false
      /// Whether steps have followed the end, so that the test has to end again.
      var goesOn = false
      /// Whether effects were left under way at the end, which go on to commit.
      var leavesEffects = false
      /// The file that the test leaves if it fails; nil once it was left.
      var file: SessionFile<State>? = SessionFile(registry: nil)
    }

    let log: StepLog<State>
    let turns = StepTurns()
    let patience: Duration
    private let settings: Locked<Settings>
    private let initialState: State
    private let origin: SourceLocation
    private let reporter = Reporter("a TestStore", "made")

    init(
      _ store: Store<State>, on scheduler: TestScheduler, _ log: StepLog<State>,
      exhaustivity: Exhaustivity<State>, patience: Duration, at origin: SourceLocation
    ) {
      (self.store, self.scheduler, self.log) = (store, scheduler, log)
      (self.patience, self.origin) = (patience, origin)
      settings = Locked(Settings(exhaustivity: exhaustivity))
      initialState = store.logCommits(from: { [log] in log.begin(with: $0) }) { [log] in
        log.append($0)
      }
    }

    deinit {
      let (isFinished, leavesEffects, goesOn) = settings.withLock {
        ($0.isFinished, $0.leavesEffects, $0.goesOn)
      }
      if isFinished && !leavesEffects { reportLate() }
      if isFinished != goesOn { return attachSession() }
      if !exhaustivity.isOff && issueCount == 0 && !log.session.isEmpty {
        let moment = goesOn ? "after a step that follows `finish()`" : "before `finish()`"
        report(
          """
          A TestStore was released \(moment), so nothing says that nothing more came. End the test with \
          `await test.finish()`, if no error has ended it early.
          """, at: goesOn ? log.lastStep : origin)
      }
      attachSession()
    }

    /// Reports what came after the test had ended.
    private func reportLate() {
      let exhaustivity = exhaustivity
      for tested in log.pending where exhaustivity.mustBeReceived(tested) {
        report(
          "\(tested.commit.sentence) came after `finish()`:", log.lines(of: tested), at: tested.step
        )
      }
      for error in log.takeErrors() {
        report(
          "An error was caught by nobody, after `finish()`. \(log.whole(error.value).descriptionWithAdvice)",
          at: error.step)
      }
    }

    /// The state of the store.
    public var state: State { store.state }

    /// What the steps from now on have to say.
    public var exhaustivity: Exhaustivity<State> {
      get { settings.withLock { $0.exhaustivity } }
      set { settings.withLock { $0.exhaustivity = newValue } }
    }

    var issueCount: Int { settings.withLock { $0.issueCount } }

    /// Makes a step that does not end the test, once all that came before it have been made.
    nonisolated(nonsending) func step<Result>(
      _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
      try await turns.step {
        settings.withLock { $0.goesOn = $0.isFinished }
        return try await body()
      }
    }

    /// Notes that the test has ended.
    func end(leavingEffects: Bool) {
      settings.withLock {
        ($0.isFinished, $0.leavesEffects, $0.goesOn) = (true, leavingEffects, false)
      }
    }

    /// Records an issue at a step.
    func report(_ sentence: String, _ lines: [String] = [], at location: SourceLocation) {
      settings.withLock { $0.issueCount += 1 }
      reporter.issue(sentence, lines, at: location)
    }

    /// Records an issue that is none where a test need say nothing, and is shown where that is asked for.
    func fail(_ sentence: String, _ lines: [String] = [], at location: SourceLocation) {
      let exhaustivity = exhaustivity
      if !exhaustivity.isOff { return report(sentence, lines, at: location) }
      if exhaustivity.showsSkipped { reporter.warning(sentence, lines, at: location) }
    }

    /// Shows what the exhaustivity skips, where that is asked for.
    func showSkipped(_ sentence: String, _ lines: [String], at location: SourceLocation) {
      if lines.isEmpty || !exhaustivity.showsSkipped { return }
      reporter.warning(sentence, lines, at: location)
    }

    /// Notes the file that the test leaves if it fails.
    func leave(_ file: SessionFile<State>) {
      settings.withLock { $0.file = file }
    }

    /// Attaches the session to the test, if a step has failed.
    func attachSession() {
      let file = settings.withLock { settings -> SessionFile<State>? in
        if settings.issueCount == 0 { return nil }
        defer { settings.file = nil }
        return settings.file
      }
      guard let file else { return }
      file.attach(log.session, from: initialState, reporter, at: origin)
    }
  }
#endif
