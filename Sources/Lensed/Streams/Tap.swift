/// How an asynchronous reader draws one part of the state: it keeps no snapshot, only the number of
/// the commit it has seen.
@usableFromInline
class Tap {
  enum Draught {
    /// A value newer than the last was read.
    case fresh
    /// Nothing has happened since.
    case stale
    /// Nothing will happen: the store has gone, and its last value was had.
    case over
  }

  let host: any StateHost
  private let footprint: Footprint?
  private var interest = Interest.everything
  private var ownership: UInt64?
  private var seen: UInt64?
  private var memory: StateStorage?

  init(_ host: any StateHost, _ footprint: Footprint?) {
    self.host = host
    self.footprint = footprint
  }

  func load(from state: StateAddress) {}

  /// Holds on to the state, so that the last one is there to be read when the store has gone.
  func attach(to table: ObserverTable) {
    memory = table.memory
  }

  /// Reads the part if it is newer than the last time.
  func draw(_ table: inout ObserverTable) -> Draught {
    guard let memory else { return .over }
    if ownership != table.ownership {
      ownership = table.ownership
      interest = table.interest(in: footprint)
    }
    let newest = table.newest(interest, in: footprint)
    if let seen, newest <= seen { return table.isClosed ? .over : .stale }
    seen = newest
    load(from: memory.place)
    return .fresh
  }

  /// Reads the part as it is now, newer or not.
  func redraw(_ table: inout ObserverTable) {
    seen = nil
    _ = draw(&table)
  }

  /// Has `signal` raised when `draw` is worth asking again.
  func enlist(_ signal: Signal, id: UInt64, in table: inout ObserverTable) {
    if !table.isClosed { table.enlist(signal, id: id, for: interest) }
  }

  /// Undoes `enlist`.
  func dismiss(id: UInt64, in table: inout ObserverTable) {
    if ownership == table.ownership { table.dismiss(id: id, from: interest) }
  }

  /// Lets the state go, which may run a `deinit` of the user's: not under the lock.
  func close() {
    memory = nil
  }
}

/// A tap that knows the type of what it draws.
@usableFromInline
final class TypedTap<Value: Sendable>: Tap {
  private let read: @Sendable (StateAddress) -> Value
  private var value: Value?

  @usableFromInline
  init(_ source: Source<Value>) {
    read = source.read
    super.init(source.host, source.outlet.footprint)
  }

  override func load(from state: StateAddress) {
    value = read(state)
  }

  /// What was drawn, once.
  @usableFromInline
  func take() -> Value? { value.take() }
}
