/// One commit, as its listeners are notified of it, whatever the type of the state.
protocol CommitReport: CommitNotification {
  var record: CommitRecord { get }
  var cause: CommitCause { get }
  var revision: UInt64 { get }

  var actions: CommittedActions { get }

  /// Sets the listeners that are yet to be notified of it.
  func setListeners(_ pending: consuming PendingListeners)

  /// Lends the state after the commit, and the one before it where that was kept.
  func lendStates(_ body: (_ state: StateAddress, _ previous: StateAddress?) -> Void)

  /// The commit for a reader; made anew each time, because few listeners ask for it.
  func change<Seen: Sendable>(in view: ChangeView<Seen>) -> Change<Seen>
}

extension CommitReport {
  /// What was dispatched, as a whole.
  var action: (any Action)? { actions.whole }

  /// The single actions of the commit, in order.
  var members: [any Action] { actions.members }

  /// What a listener makes of the state after the commit.
  func read<Result>(_ body: (_ state: StateAddress) -> Result) -> Result {
    var result: Result?
    lendStates { state, _ in result = body(state) }
    return PartPath.lent(result)
  }

  /// How many collections deep the commit touched nothing but the elements that its actions name.
  var elementDepth: Int { record.elementDepth }

  /// Whether there was no commit, and the listener is notified of the state in which it was attached.
  var isInstallation: Bool { record.isInstallation }
}
