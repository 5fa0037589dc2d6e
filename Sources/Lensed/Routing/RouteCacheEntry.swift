/// What the cache keeps of a route, in the form in which a dispatch needs it.
///
/// Few types of action have more than two reducers, and most reducers always run: those *lead*, being
/// jumped to one after the other, with nothing noted but that they run. Where there are more, or some that
/// may not run, all are one function.
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

    /// Nil where the reducer may not run.
    init?(_ handler: Handler) {
      guard case .always(let reduce) = handler.reduce else { return nil }
      self.init(handler, reduce)
    }

    /// What stands where no reducer leads; it is never run.
    static let nobody = DirectReducer(.nobody) { _, _ in }

    /// Notes that the reducer runs, and runs it.
    ///
    /// It mutates nothing: a closure that is held inout is called without counting its context.
    @inlinable
    @inline(__always)
    mutating func run(_ action: StateAddress, _ revision: UInt64) {
      record.edit(SlotRecord.self) { $0.revision = revision }
      reduce(part, action)
    }

    /// What it shows that the reducer ran.
    @inlinable
    @inline(__always)
    var signs: CommitFlags { record.edit(SlotRecord.self) { $0.signs } }
  }

  /// The type of action; none in an empty line.
  let key: ObjectIdentifier?
  /// The same, if its reducers lead.
  @usableFromInline
  let leadKey: ObjectIdentifier?
  let index: Int
  /// Whether nobody but observers and readers hears of its commits.
  let isPlain: Bool
  /// The route, which the router keeps alive.
  let route: Unretained<Route>
  /// How many lead: none, or all.
  @usableFromInline
  let leadCount: Int
  @usableFromInline
  var first: DirectReducer
  @usableFromInline
  var second: DirectReducer
  /// All reducers, whether they lead or not.
  let all: FusedHandlers.Run

  /// Runs all reducers, and gives what that shows.
  ///
  /// It mutates nothing, as `DirectReducer.run` does not.
  @inline(__always)
  mutating func run(_ action: StateAddress, _ revision: UInt64) -> CommitFlags {
    all(action, revision)
  }

  /// Who is called for the route's commits, as it was drawn last.
  var drawn: CachedAudience?

  /// The line of a route; an empty one without a key.
  ///
  /// Nothing leads where `isPlain` says that more than observers and readers hear of it.
  init(_ key: ObjectIdentifier?, _ route: Route, index: Int = 0, isPlain: Bool = true) {
    let able = route.handlers.compactMap(DirectReducer.init)
    let canLead = isPlain && able.count == route.handlers.count && able.count <= 2
    let leads = canLead ? able : []
    (self.key, self.index, self.isPlain) = (key, index, isPlain)
    self.route = Unretained(route)
    leadCount = leads.count
    leadKey = leads.isEmpty ? nil : key
    first = leads.first ?? DirectReducer.nobody
    second = leads.dropFirst().first ?? first
    all = route.all
  }
}
