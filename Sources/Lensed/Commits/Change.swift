/// One commit of a store, as an observer of `changes` sees it.
///
/// ```swift
/// for await change in store.changes(keepingPrevious: true) where change.didChange(\.cart) {
///   log(change.revision, change.actions, change.origin, change.state.cart)
/// }
/// ```
///
/// A change holds its state: while you keep one, the next commit copies what it touches.
public struct Change<State: Sendable>: Sendable {
  /// What a commit came from.
  public typealias Cause = CommitCause

  private var snapshot: CommitSnapshot<State>
  /// The state after the commit.
  public var state: State { snapshot.state }
  /// The single actions that were applied, in order; empty after a replacement and after the outcome of an
  /// asynchronous reducer.
  ///
  /// A filter, a log and a history look at these. It makes no difference to them how the actions were dispatched:
  ///
  /// ```swift
  /// store.dispatch(Move(1))                      // actions: [Move(1)]
  /// store.dispatch([Move(1), Move(2)])           // actions: [Move(1), Move(2)]
  /// store.dispatch([Move(1), [Move(2), Turn()]]) // actions: [Move(1), Move(2), Turn()]
  ///
  /// change.actions.contains { $0 is Move }
  /// ```
  ///
  /// In a scope and in a feature, actions for its state are in its own terms: without their tag, without the id of
  /// the element, taken out of a wide action. All others are as they were dispatched.
  ///
  /// - Complexity: O(*k*) in the actions of the commit.
  public var actions: [any Action] {
    guard let translator = view.translator else { return members }
    return members.map { translator.translated($0) }
  }
  /// What was dispatched, in one piece: an array as an array, a list as an `ActionList`; nil when there was no action.
  ///
  /// To look for actions of a type, use `actions`: a member of an array is none of this. In a scope and in a feature
  /// it is in the terms of these, as `actions` are.
  public var action: (any Action)? {
    guard let dispatched = snapshot.record.actions.whole else { return nil }
    return view.translator?.translated(dispatched) ?? dispatched
  }
  /// What the commit came from.
  ///
  /// Of a replayed commit it is what the record says, also where that holds the state in place of the actions.
  public var cause: Cause { snapshot.record.told }
  /// What the store did: a commit that replays a state is a replacement, whatever `cause` says.
  var ownCause: Cause { snapshot.record.cause }
  /// Where the action was dispatched; nil when there was none.
  public var site: CallSite? { snapshot.record.site }
  /// What made the commit: a dispatch, an effect, a sequence.
  public var origin: CommitOrigin { snapshot.record.origin }
  /// The number of the commit that set off what made this one; nil where something from outside did.
  ///
  /// Of what an effect dispatches it is the commit that triggered the effect, of an outcome that of its event, of what
  /// an observer dispatches the commit that was being delivered to it. Of a replayed commit it is the commit in which
  /// the recorded parent was replayed; nil where the session does not have that.
  public var parent: UInt64? { snapshot.record.parent }
  /// The time from the making of the store to the commit, by the store's clock; nil where no recorder is attached.
  ///
  /// Of a replayed commit it is the time that was recorded.
  public var time: Duration? { snapshot.record.time }
  /// Whether the commit is one of a replay, which was made before.
  public var isReplayed: Bool { snapshot.record.isReplayed }
  /// The number of the commit, from 1 in each store.
  ///
  /// Commits that follow each other have numbers that do, so a gap shows.
  public var revision: UInt64 { snapshot.record.revision }
  /// Whether a reducer ran, or an asynchronous one was given the action.
  public var isHandled: Bool { snapshot.record.isHandled }
  /// How many changes the reader's buffer dropped since the change before this one.
  public internal(set) var droppedCount = 0
  /// The state before the commit, where the reader asked for it.
  public var previous: State? { former?.value }
  var former: Boxed<State>? { snapshot.previous }
  var isFirst = false
  var touched: TouchedParts { snapshot.record.touched }
  var home: StoreHome? { snapshot.record.home }
  /// The single actions, in order, as the store knows them.
  var members: [any Action] { snapshot.record.actions.members }
  /// What the reader sees of each commit.
  private let view: ChangeView<State>
  var part: PartPath<State> { view.part }
  /// What the feature is given, where an effect compares a value that is computed of it.
  var given: GivenValues? {
    get { own.given }
    set { own.given = newValue }
  }
  private var own = OwnFacts()

  init(_ snapshot: CommitSnapshot<State>, in view: ChangeView<State>) {
    (self.snapshot, self.view) = (snapshot, view)
  }

  /// A commit for a reader of a part that was read.
  init(
    _ commit: CommitRecord, state: State, previous: Boxed<State>? = nil,
    in view: ChangeView<State>
  ) {
    self.init(CommitSnapshot(state, of: commit, previous: previous), in: view)
  }

  mutating func show(_ state: State) {
    snapshot = CommitSnapshot(state, of: snapshot.record, previous: snapshot.previous)
  }

  /// Whether a reducer ran that owns a part of what the lens reads.
  ///
  /// It says who ran, not whether the value differs; `didChange(_:)` compares the values. After a
  /// replacement it is true, unless a part was replaced that the lens does not read. In the scope of a row it is
  /// false after actions that were for other rows alone, and gave none of them another id.
  public func touches<Value>(_ lens: some LensLike<State, Value>) -> Bool {
    touches(part.appending(PartPath(lens.asLens)).footprint)
  }

  /// Whether a reducer ran that owns a part of the property.
  ///
  /// It says who ran, not whether the value differs; `didChange(_:)` compares the values. After a
  /// replacement it is true, unless a part was replaced that the property is not in. In the scope of a row it is
  /// false after actions that were for other rows alone, and gave none of them another id.
  public func touches<Value>(_ keyPath: any KeyPath<State, Value> & Sendable) -> Bool {
    touches(part.appending(PartPath(keyPath)).footprint)
  }

  /// Whether the value differs from that in the state before; true on first delivery.
  ///
  /// ```swift
  /// for await change in store.changes(keepingPrevious: true) where change.didChange(\.counter) { … }
  /// ```
  ///
  /// It needs `changes(buffering:keepingPrevious:)` with `keepingPrevious: true`, and traps without.
  public func didChange<Value: Equatable>(_ keyPath: KeyPath<State, Value>) -> Bool {
    let former = requireFormer(for: "didChange(\(keyPath))")
    return isFirst || !isSameValue(former.value[keyPath: keyPath], state[keyPath: keyPath])
  }

  func requireFormer(for call: @autoclosure () -> String) -> Boxed<State> {
    if let former { return former }
    fatalError(
      """
      Lensed: \(call()) compares a change with the state before it, which was not kept. Ask for it where \
      the changes are read: changes(keepingPrevious: true).
      """)
  }

  func touches(_ footprint: Footprint) -> Bool {
    footprint.containsPart { part in
      snapshot.record.touches(part)
        && (part.isUndecided || part.isWhole || !isOfOtherRows(than: part))
    }
  }

  private func isOfOtherRows(than footprint: Footprint) -> Bool {
    if snapshot.record.isOfOtherRows { return true }
    guard ownCause == .action, footprint.row != nil, part.footprint.row == nil,
      let start = part.offset
    else { return false }
    return StateAddress.reading(state, as: State.self) { place in
      touched.areOfOtherRows(than: footprint, by: members) { place.advanced(by: $0 - start) }
    }
  }
}

/// What a change has for itself; in a type of its own, because an optional in a change would be released by a function
/// that looks its type up, where the type of the state is not known.
private struct OwnFacts: Sendable {
  var given: GivenValues?
}

/// What a reader sees of each commit; one for all of its changes, so that each is a few words.
final class ChangeView<State: Sendable>: Sendable {
  /// The path from the state of the store to that of its changes.
  let part: PartPath<State>
  /// Knows the actions of the feature that its changes are for, and is asked when these are read; nil for the store's.
  let translator: ActionTransform?

  init(_ part: PartPath<State>, in translator: ActionTransform? = nil) {
    (self.part, self.translator) = (part, translator)
  }
}

// MARK: Rows

extension Change {
  /// Which rows of a collection were inserted, removed, edited, since the state before.
  ///
  /// ```swift
  /// for await change in store.changes(keepingPrevious: true) {
  ///   let difference = change.difference(of: \.rows)
  ///   list.reload(difference.edited)
  /// }
  /// ```
  ///
  /// Of an action for one row, or an array of them, only these rows are compared. Of any other commit that touches
  /// the collection, `Entities` and their sorted form compare what they do not share with the state before, and other
  /// collections all. The ids are in the order of the rows, or in that of such actions. In a dictionary the order of the
  /// ids is any, and nothing counts as moved.
  ///
  /// It needs `changes(buffering:keepingPrevious:)` with `keepingPrevious: true`, and traps without.
  ///
  /// - Complexity: O(*k*) for actions for *k* rows; otherwise O(*d* log *n*) in what differs between two versions of
  ///   `Entities`, and O(*n*) for other collections; O(1) if nothing touched the collection.
  public func difference<Rows: RowCollection>(
    of keyPath: any KeyPath<State, Rows> & Sendable
  ) -> EntitiesDifference<Rows.RowID> where Rows.Row: Equatable {
    difference(of: keyPath, by: { isSameValue($1, $0) })
  }

  /// Which rows of a collection were inserted, removed, edited, by a comparison of rows.
  public func difference<Rows: RowCollection>(
    of keyPath: any KeyPath<State, Rows> & Sendable,
    by areEquivalent: (_ newer: Rows.Row, _ older: Rows.Row) -> Bool
  ) -> EntitiesDifference<Rows.RowID> {
    let former = requireFormer(for: "difference(of: \(keyPath))")
    var difference = EntitiesDifference<Rows.RowID>()
    if !touches(keyPath) { return difference }
    let (rows, formerRows) = (state[keyPath: keyPath], former.value[keyPath: keyPath])
    guard !(Rows.self is any MovingRows.Type), let ids = editedRows(of: keyPath),
      // Where a named row is not there, one may have got its id meanwhile, or another id.
      ids.allSatisfy({ rows.row(id: $0) != nil })
    else { return rows.difference(fromRows: formerRows, by: areEquivalent) }
    difference.edited = ids.filter { id in
      guard let row = rows.row(id: id), let former = formerRows.row(id: id) else { return false }
      return !areEquivalent(row, former)
    }
    return difference
  }

  /// The ids of the rows that the commit can have edited, each once; nil where it can have done anything else.
  private func editedRows<Rows: RowCollection>(
    of keyPath: any KeyPath<State, Rows> & Sendable
  ) -> [Rows.RowID]? {
    let path = part.appending(PartPath(keyPath))
    let footprint = path.footprint
    // Behind a row or another child, the ids that an action names may be those of what holds it: a type can contain
    // itself. What lies at an offset has nothing of the sort before it.
    guard ownCause == .action, path.offset != nil, let bytes = footprint.bytes else { return nil }
    var (ids, seen) = ([Rows.RowID](), Set<Rows.RowID>())
    let areNamed = touched.allNamedElements(
      of: footprint, in: ObjectIdentifier(Rows.self), at: bytes.lowerBound, by: members
    ) { element, action in
      func id<A: Action>(in action: A) -> Rows.RowID {
        StateAddress.reading(action, as: A.self) { element.id(in: $0, as: Rows.RowID.self) }
      }
      let id = id(in: action)
      if seen.insert(id).inserted { ids.append(id) }
      return true
    }
    return areNamed ? ids : nil
  }
}
