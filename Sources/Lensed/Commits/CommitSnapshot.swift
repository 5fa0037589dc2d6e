/// The state after a commit, the facts of the commit, and the listeners that are yet to be notified of it: one object,
/// because memory that one core allocates and another frees is most of the cost of an effect.
///
/// It goes through the `DeliveryQueue`, so every listener is notified in commit order. Code that does not know the type
/// of the state sees it as a `CommitReport`; a `Change` is made of it for a listener that asks. The deliverer takes the
/// listeners out, so that an effect that keeps the report keeps none of them.
final class CommitSnapshot<State: Sendable>: Sendable {
  // In front of the state, and so at the same place for every type of it.
  let record: CommitRecord
  private let listeners: Locked<PendingListeners>
  /// The state before the commit, where a listener needed it.
  let previous: Boxed<State>?
  let state: State

  // A part of its callers: the record would be moved once more for a call.
  @inline(__always)
  init(
    _ state: consuming State, of record: consuming CommitRecord,
    previous: Boxed<State>? = nil
  ) {
    self.record = consume record
    listeners = Locked(.none)
    self.previous = previous
    self.state = state
  }
}

extension CommitSnapshot: CommitReport {
  var cause: CommitCause { record.cause }
  var revision: UInt64 { record.revision }
  var actions: CommittedActions { record.actions }

  func setListeners(_ pending: consuming PendingListeners) {
    var pending = consume pending
    listeners.withLock { $0 = pending.take() }
  }

  func lendStates(_ body: (_ state: StateAddress, _ previous: StateAddress?) -> Void) {
    StateAddress.reading(state, as: State.self) { state in
      guard let previous else { return body(state, nil) }
      StateAddress.reading(previous.value, as: State.self) { body(state, $0) }
    }
  }

  func change<Seen: Sendable>(in view: ChangeView<Seen>) -> Change<Seen> {
    // The listeners of a store know the type of its state.
    if Seen.self != State.self {
      fatalError(
        "Lensed: a listener of another type of state was notified; this is a fault of Lensed.")
    }
    // The types of the states are one, so those of the snapshots are.
    return Change(known(self, as: CommitSnapshot<Seen>.self), in: view)
  }
}

extension CommitSnapshot: CommitNotification {
  /// Keeps the context of the dispatch for what the commit is going to start.
  func willBeQueued() {
    listeners.withLock { $0.work }?.captureContext()
  }

  /// Notifies the listeners; the work then depends on what they started.
  func notify(around observers: () -> Void) {
    switch listeners.withLock({ $0.take() }) {
    case .none: observers()
    case .ofEveryCommit(let early):
      early.notify(self, within: nil)
      observers()
    case .all(let early, let decisions, let late, let work):
      early.notify(self, within: work)
      for decide in decisions { decide(self, work) }
      observers()
      late.notify(self, within: work)
      work?.endClaim()
    }
  }
}

// MARK: Its type, as the witness of the state

/// What has to be done with the state where its type is known: static methods of the type of the store's snapshots.
///
/// So a store makes no closures for it. A static method of that type has its metadata at hand, where any other function
/// would look it up for each commit.
protocol StateWitness: SendableMetatype {
  /// Copies the state out.
  static func copy(_ state: StateAddress) -> any Sendable

  /// Copies the state out, into a box.
  static func box(_ state: StateAddress) -> any AnyObject & Sendable

  /// Lends a copy of the state in a box that `box` made, without its placeholders.
  static func settle(
    _ box: any AnyObject & Sendable, _ placeholders: Placeholders, _ body: (StateAddress) -> Void
  )

  /// Copies the state out, into a report of the commit that led to it.
  static func makeReport(
    _ state: StateAddress, of record: consuming CommitRecord,
    previous: (any AnyObject & Sendable)?
  ) -> any CommitReport
}

// No function passes the state on in an optional, nor casts to it: where the type is known, and a state is 64 KB, the
// compiler would copy it word by word.
extension CommitSnapshot: StateWitness {
  static func copy(_ state: StateAddress) -> any Sendable { state.read(State.self) }

  static func box(_ state: StateAddress) -> any AnyObject & Sendable {
    Boxed(state.read(State.self))
  }

  static func settle(
    _ box: any AnyObject & Sendable, _ placeholders: Placeholders, _ body: (StateAddress) -> Void
  ) {
    placeholders.settled(Boxed<State>.known(box), body)
  }

  static func makeReport(
    _ state: StateAddress, of record: consuming CommitRecord,
    previous: (any AnyObject & Sendable)?
  ) -> any CommitReport {
    let former: Boxed<State>? = if let previous { Boxed<State>.known(previous) } else { nil }
    return CommitSnapshot(state.read(State.self), of: consume record, previous: former)
  }
}
