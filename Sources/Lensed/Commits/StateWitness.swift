/// What has to be done with the state where its type is known: static methods of the type of the store's snapshots.
///
/// So a store makes no closures for it. A static method of that type has its metadata at hand, where any other function
/// would look it up for each commit.
protocol StateWitness: SendableMetatype {
  /// Copies the state out.
  static func copy(_ state: StateAddress) -> any Sendable

  /// Copies the state out, into a box.
  static func box(_ state: StateAddress) -> any AnyObject & Sendable

  /// Lends the state in a box that `box` made.
  static func lend(_ box: any AnyObject & Sendable, _ body: (StateAddress) -> Void)

  /// Lends a copy of the state in a box that `box` made, without its placeholders.
  static func settle(
    _ box: any AnyObject & Sendable, _ placeholders: [Placeholder], _ body: (StateAddress) -> Void
  )

  /// Copies the state out, into a report of the commit that led to it.
  static func makeReport(
    _ state: StateAddress, of record: consuming CommitRecord,
    to listeners: consuming PendingListeners, previous: (any AnyObject & Sendable)?
  ) -> any CommitReport
}

// No function passes the state on in an optional, nor casts to it: where the type is known, and a state is 64 KB, the
// compiler would copy it word by word.
extension CommitSnapshot: StateWitness {
  static func copy(_ state: StateAddress) -> any Sendable { state.read(State.self) }

  static func box(_ state: StateAddress) -> any AnyObject & Sendable {
    Boxed(state.read(State.self))
  }

  static func lend(_ box: any AnyObject & Sendable, _ body: (StateAddress) -> Void) {
    StateAddress.reading(Boxed<State>.known(box).value, as: State.self, body)
  }

  static func settle(
    _ box: any AnyObject & Sendable, _ placeholders: [Placeholder], _ body: (StateAddress) -> Void
  ) {
    let cell = UnsafeCell(Boxed<State>.known(box).value)
    placeholders.restore(in: cell.place)
    body(cell.place)
  }

  static func makeReport(
    _ state: StateAddress, of record: consuming CommitRecord,
    to listeners: consuming PendingListeners, previous: (any AnyObject & Sendable)?
  ) -> any CommitReport {
    let former: Boxed<State>? = if let previous { Boxed<State>.known(previous) } else { nil }
    return CommitSnapshot(
      state.read(State.self), of: consume record, listeners: consume listeners, previous: former)
  }
}
