/// What has to be done with the state where its type is known.
///
/// It is the type of the store's snapshots, and nothing else, so a store makes no closures for it. A static method of that
/// type has its metadata at hand, where any other function would look it up for each commit.
@usableFromInline
struct StateWitness: Sendable {
  private let type: any StateType.Type

  /// Lends a copy of the state in a box that `box` made, without its placeholders.
  typealias Settle =
    @Sendable (
      _ box: any AnyObject & Sendable, _ placeholders: PlaceholderList,
      _ body: (_ copy: StateAddress) -> Void
    ) -> Void

  @usableFromInline
  init<State: Sendable>(_ type: State.Type) {
    self.type = CommitSnapshot<State>.self
  }

  /// Copies the state out.
  func copy(_ state: StateAddress) -> any Sendable { type.copy(state) }

  /// Copies the state out, into a box.
  func box(_ state: StateAddress) -> any AnyObject & Sendable { type.box(state) }

  /// Lends the state in a box that `box` made.
  func lend(_ box: any AnyObject & Sendable, _ body: (StateAddress) -> Void) {
    type.lend(box, body)
  }

  /// Lends a copy of the state in a box that `box` made, without its placeholders.
  func settle(
    _ box: any AnyObject & Sendable, _ placeholders: PlaceholderList, _ body: (StateAddress) -> Void
  ) {
    type.settle(box, placeholders, body)
  }

  /// Copies the state out, into a report of the commit that led to it.
  func makeReport(
    _ state: StateAddress, of record: consuming CommitRecord,
    to listeners: consuming PendingListeners = .none,
    previous: (any AnyObject & Sendable)? = nil
  ) -> any CommitReport {
    type.makeReport(state, consume record, consume listeners, previous)
  }
}

/// The type of a state.
fileprivate protocol StateType: SendableMetatype {
  static func copy(_ state: StateAddress) -> any Sendable
  static func box(_ state: StateAddress) -> any AnyObject & Sendable
  static func lend(_ box: any AnyObject & Sendable, _ body: (StateAddress) -> Void)
  static func settle(
    _ box: any AnyObject & Sendable, _ placeholders: PlaceholderList, _ body: (StateAddress) -> Void
  )
  static func makeReport(
    _ state: StateAddress, _ record: consuming CommitRecord,
    _ listeners: consuming PendingListeners, _ previous: (any AnyObject & Sendable)?
  ) -> any CommitReport
}

// No function passes the state on in an optional, nor casts to it: where the type is known, and a state is 64 KB, the
// compiler would copy it word by word.
extension CommitSnapshot: StateType {
  static func copy(_ state: StateAddress) -> any Sendable { state.read(State.self) }

  static func box(_ state: StateAddress) -> any AnyObject & Sendable {
    Boxed(state.read(State.self))
  }

  static func lend(_ box: any AnyObject & Sendable, _ body: (StateAddress) -> Void) {
    StateAddress.reading(Boxed<State>.known(box).value, as: State.self, body)
  }

  static func settle(
    _ box: any AnyObject & Sendable, _ placeholders: PlaceholderList, _ body: (StateAddress) -> Void
  ) {
    let cell = UnsafeCell(Boxed<State>.known(box).value)
    placeholders.restore(in: cell.place)
    body(cell.place)
  }

  static func makeReport(
    _ state: StateAddress, _ record: consuming CommitRecord,
    _ listeners: consuming PendingListeners, _ previous: (any AnyObject & Sendable)?
  ) -> any CommitReport {
    let former: Boxed<State>? = if let previous { Boxed<State>.known(previous) } else { nil }
    return CommitSnapshot(
      state.read(State.self), of: consume record, listeners: consume listeners, previous: former)
  }
}
