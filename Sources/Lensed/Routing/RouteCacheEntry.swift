/// What the cache keeps of a route, in the form that the fast path needs.
///
/// Most types of action have one or two reducers, and most reducers always run. Those are *direct*: the fast
/// path jumps to one after the other and notes nothing but that they run. All other routes take the slow
/// path.
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

    /// Stands where there is no direct reducer; it is never run.
    static let placeholder = DirectReducer(.placeholder) { _, _ in }

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
    @inlinable
    @inline(__always)
    var flags: CommitFlags { record.edit(SlotRecord.self) { $0.flags } }
  }

  /// The type of action; none in an empty entry.
  let key: ObjectIdentifier?
  /// The same, if its reducers are direct.
  @usableFromInline
  let directKey: ObjectIdentifier?
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
  ///
  /// No reducer is direct where `isPlain` says that more than observers and readers are notified.
  init(_ key: ObjectIdentifier?, _ route: Route, index: Int = 0, isPlain: Bool = true) {
    (self.key, self.index) = (key, index)
    self.route = Unretained(route)
    let count = isPlain && route.count <= 2 ? route.count : 0
    let first = count > 0 ? DirectReducer(route.handler(0)) : nil
    let second = count > 1 ? DirectReducer(route.handler(1)) : first
    if let first, let second {
      (directKey, directCount, self.first, self.second) = (key, count, first, second)
    } else {
      (directKey, directCount) = (nil, 0)
      (self.first, self.second) = (.placeholder, .placeholder)
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

  /// The flags of a commit in which the direct reducers run; no reducer can change them.
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
