/// What has to be done with the state where its type is known.
@usableFromInline
struct StateWitness: Sendable {
  /// Copies the state out.
  @usableFromInline
  let copy: @Sendable (_ state: StateAddress) -> any Sendable
  /// Copies the state out, into a box.
  @usableFromInline
  let box: @Sendable (_ state: StateAddress) -> any AnyObject & Sendable
  /// Lends the state in a box that `box` made.
  @usableFromInline
  let lend: @Sendable (_ box: any AnyObject & Sendable, _ body: (StateAddress) -> Void) -> Void
  @usableFromInline
  let makeReport:
    @Sendable (
      _ state: StateAddress, _ record: CommitRecord,
      _ listeners: consuming PendingListeners?, _ previous: (any AnyObject & Sendable)?
    ) -> any CommitReport

  /// Lends a copy of the state in a box that `box` made, without its placeholders.
  @usableFromInline
  typealias Settle =
    @Sendable (
      _ box: any AnyObject & Sendable, _ placeholders: PlaceholderList,
      _ body: (_ copy: StateAddress) -> Void
    ) -> Void
  @usableFromInline
  let settle: Settle

  /// Copies the state out, into a box.
  ///
  /// It mutates nothing: a closure that is held inout is called without counting its context.
  @inline(__always)
  mutating func snapshot(_ state: StateAddress) -> any AnyObject & Sendable { box(state) }

  /// Copies the state out, into a report of the commit that led to it.
  @inline(__always)
  mutating func makeReport(
    _ state: StateAddress, of record: CommitRecord,
    to listeners: consuming PendingListeners?, previous: (any AnyObject & Sendable)?
  ) -> any CommitReport {
    makeReport(state, record, listeners, previous)
  }

  @inlinable
  init<State: Sendable>(_ type: State.Type) {
    // No closure passes the state on in an optional, nor casts to it: where the type is known, and a state is
    // 64 KB, the compiler would copy it word by word.
    copy = { $0.read(State.self) }
    box = { Boxed($0.read(State.self)) }
    lend = { box, body in
      StateAddress.reading(Boxed<State>.known(box).value, as: State.self, body)
    }
    settle = { box, placeholders, body in
      let cell = UnsafeCell(Boxed<State>.known(box).value)
      placeholders.restore(in: cell.place)
      body(cell.place)
    }
    makeReport = { state, record, listeners, previous in
      CommitSnapshot(
        state.read(State.self), of: record, listeners: listeners,
        previous: previous.flatMap { $0 as? Boxed<State> })
    }
  }
}
