public import Synchronization

/// The routes that were used, found by the address of the type of action: a table with open addressing.
///
/// One comparison under the lock finds most routes. Where the entries of two types meet, one lies behind the other: at
/// most half of the table is taken, so a few comparisons find that one, too. A store without routes has no table of its
/// own, one with one route an entry, one with a few a small table: a server makes stores by the thousand.
///
/// The lock of the store guards the entries. The address of an entry is computed before the lock is taken:
/// 1. *Writers.* The holder of the lock replaces the table by a larger one, and empties the old one.
/// 2. *Readers.* Any thread loads where the table lies, relaxed, and takes the lock before it looks there.
/// 3. *A stale table is harmless.* The router keeps it alive, and none of its entries matches. The new one was
///    filled before the lock was released that the reader takes.
@usableFromInline
struct RouteCache: ~Copyable, Sendable {
  /// The address of the entries, and in its lowest bits the logarithm of their number.
  @usableFromInline
  let table = Atomic<UInt>(Self.none.word)

  /// The table of every store without routes; nothing is ever written to it.
  private static let none = Table(count: 1)

  private static let (smallCount, greatestCount) = (8, 1 << 15)

  init() {}

  /// The address at which the entry for a type of action lies, or the first of those that it lies behind; of a
  /// `RouteCacheEntry`.
  @inlinable
  @inline(__always)
  func address(of key: ObjectIdentifier) -> StateAddress {
    let table = table.load(ordering: .relaxed)
    let index = Self.hash(of: key) & ((1 &<< (table & 15)) &- 1)
    return StateAddress(at: table & ~15, index: index, of: RouteCacheEntry.self)
  }

  /// The address of the entry of a type of action, if it is in the table and the fast path can run its reducers; under the lock.
  @usableFromInline
  @inline(never)
  func fastEntry(of key: ObjectIdentifier) -> StateAddress? {
    guard let entry = place(for: key) else { return nil }
    return entry.lend(RouteCacheEntry.self) { $0.fastKey } == key ? entry : nil
  }

  /// The address of the entry of a type of action, if it is in the table; under the lock.
  func entry(of key: ObjectIdentifier) -> StateAddress? {
    guard let entry = place(for: key) else { return nil }
    return entry.lend(RouteCacheEntry.self) { $0.key } == key ? entry : nil
  }

  /// The address of the entry of a type of action, or else of the empty one that it gets; under the lock.
  func place(for key: ObjectIdentifier) -> StateAddress? {
    let table = table.load(ordering: .relaxed)
    let mask = (1 &<< (table & 15)) &- 1
    let hash = Self.hash(of: key)
    var step: UInt = 0
    // No loop over a range: where nothing is optimised, each of its steps allocates.
    while step <= mask {
      let index = (hash &+ step) & mask
      let place = StateAddress(at: table & ~15, index: index, of: RouteCacheEntry.self)
      let met = place.lend(RouteCacheEntry.self) { $0.key }
      if met == key || met == nil { return place }
      step &+= 1
    }
    return nil
  }

  @inlinable
  @inline(__always)
  static func hash(of key: ObjectIdentifier) -> UInt {
    // Type metadata is apart by more than 16 bytes.
    let bits = UInt(bitPattern: key)
    return (bits >> 4) ^ (bits >> 10)
  }

  /// Makes room for a number of routes; under the lock.
  ///
  /// - Returns: The new table, which has to be kept alive; nil where there is room.
  func reserve(_ count: Int) -> Table? {
    let wanted = count == 1 ? 1 : min(max(2 * count, Self.smallCount), Self.greatestCount)
    let word = table.load(ordering: .relaxed)
    if word != Self.none.word && 1 << (word & 15) >= wanted { return nil }
    let new = Table(count: wanted)
    table.store(new.word, ordering: .relaxed)
    return new
  }

  /// The route in the entry at an address, and the sub-state whose direct reducer runs.
  static func running(at address: StateAddress) -> (route: Unretained<Route>, slot: Int) {
    address.edit(RouteCacheEntry.self) { entry in
      (entry.route, entry.route.lend(\.running))
    }
  }

  /// The memory of a table.
  struct Table: Sendable {
    private let entries: UnsafeCellRow<RouteCacheEntry>

    init(count: Int) {
      entries = UnsafeCellRow(repeating: RouteCacheEntry.empty, count: count)
    }

    fileprivate var word: UInt {
      let bits = entries.place(at: 0).bits
      precondition(bits & 15 == 0, "Lensed: the allocator aligns to less than 16 bytes.")
      return bits | UInt(entries.count.trailingZeroBitCount)
    }

    /// Empties every entry.
    ///
    /// - Returns: What is to be released without the lock.
    @discardableResult
    func clear() -> [RouteCacheEntry] {
      (0..<UInt(entries.count)).compactMap { index in
        entries.place(at: index).edit(RouteCacheEntry.self) { entry in
          guard entry.key != nil else { return nil }
          defer { entry = .empty }
          return entry
        }
      }
    }
  }
}

// MARK: One entry

/// How the fast path takes the actions of a route.
enum FastPath {
  /// Not: more than observers and readers are notified of their commits.
  case none
  /// Its handlers run, as long as nothing is under way in a child that they may dismiss.
  case handlers
  /// Its reducers run, without anything between where they are few and always run.
  case direct
}

/// What the cache keeps of a route, in the form that the fast path needs.
///
/// Most types of action have one or two reducers, and most reducers always run. Those are *direct*: the fast
/// path jumps to one after the other and notes nothing but that they run. Others may find their child missing, or
/// are more than two: the handlers of the route run them, on the fast path too. What listeners are notified of takes the
/// slow path, and so do actions without a reducer.
@usableFromInline
struct RouteCacheEntry: Sendable {
  /// A reducer that always runs, bound to the sub-state it owns.
  @usableFromInline
  struct DirectReducer: Sendable {
    /// Of a `SlotRecord`.
    @usableFromInline
    let record: StateAddress
    /// Of the state that the reducer is given.
    @usableFromInline
    let part: StateAddress
    @usableFromInline
    let reduce: ReducerCase.Run.Sure

    private init(_ handler: Handler, _ reduce: @escaping ReducerCase.Run.Sure) {
      (record, part, self.reduce) = (handler.record, handler.part, reduce)
    }

    /// Nil where the reducer does not always run.
    init?(_ handler: Handler) {
      guard case .always(let reduce) = handler.reduce else { return nil }
      self.init(handler, reduce)
    }

    /// Stands where there is no direct reducer; it has the flag that says that handlers run, and is never run.
    static let handlers = DirectReducer(.byHandlers) { _, _ in }

    /// Notes that the reducer runs, and runs it.
    ///
    /// It mutates nothing: a closure that is held inout is called without counting its context.
    @inlinable
    @inline(__always)
    mutating func run(_ action: StateAddress, _ revision: UInt64) {
      record.edit(SlotRecord.self) { $0.revision = revision }
      reduce(part, action)
    }

    /// The flags of a commit in which the reducer runs.
    ///
    /// They are read and not edited: stores share the record of `handlers`.
    @inlinable
    @inline(__always)
    var flags: CommitFlags { record.lend(SlotRecord.self) { $0.flags } }
  }

  /// The type of action; none in an empty entry.
  let key: ObjectIdentifier?
  /// The same, if the fast path can run its reducers.
  @usableFromInline
  let fastKey: ObjectIdentifier?
  /// The number of the route.
  let index: Int
  /// The route, which the router keeps alive.
  let route: Unretained<Route>
  /// How many reducers are direct: none, or all.
  @usableFromInline
  let directCount: Int
  @usableFromInline
  var first: DirectReducer
  @usableFromInline
  var second: DirectReducer

  /// The entry of a route; an empty one without a key.
  init(_ key: ObjectIdentifier?, _ route: Route, index: Int = 0, _ fastPath: FastPath = .direct) {
    (self.key, self.index) = (key, index)
    self.route = Unretained(route)
    let count = fastPath == .direct && route.count <= 2 ? route.count : 0
    let first = count > 0 ? DirectReducer(route.handler(0)) : nil
    let second = count > 1 ? DirectReducer(route.handler(1)) : first
    if let first, let second {
      (fastKey, directCount, self.first, self.second) = (key, count, first, second)
    } else {
      (fastKey, directCount) = (fastPath != .none && route.count > 0 ? key : nil, 0)
      (self.first, self.second) = (.handlers, .handlers)
    }
  }

  /// An entry without a route.
  static let empty = RouteCacheEntry(nil, nowhere)

  /// The route of an empty entry, which no dispatch takes; kept alive here.
  private static let nowhere: Route = {
    let anywhere = UnsafeCell(-1)
    return Route(
      ActionList.self, [], .empty, in: anywhere.place, noting: anywhere.place
    ) { _ in
      anywhere.place
    }
  }()

  /// The flags of a commit in which the direct reducers run, which no reducer can change; or that handlers run them.
  @inlinable
  @inline(__always)
  var flags: CommitFlags {
    // A sole reducer stands in both places.
    first.flags | second.flags
  }

  /// Runs the direct reducers.
  ///
  /// Each notes the commit before it runs, which shows which one does.
  @inlinable
  @inline(__always)
  mutating func reduce(_ action: StateAddress, _ revision: UInt64) {
    first.run(action, revision)
    if directCount > 1 { second.run(action, revision) }
  }
}
