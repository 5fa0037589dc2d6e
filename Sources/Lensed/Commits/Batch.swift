/// Actions of one type, side by side in memory that the caller lends.
@usableFromInline
struct Batch {
  @usableFromInline
  let type: any Action.Type
  @usableFromInline
  let first: StateAddress
  @usableFromInline
  let count: Int
  @usableFromInline
  let stride: Int
  /// Whether the actions were dispatched as an array.
  @usableFromInline
  let isArray: Bool

  @inlinable
  @inline(__always)
  init(
    _ type: any Action.Type, _ first: StateAddress, count: Int = 1, stride: Int = 0,
    isArray: Bool = false
  ) {
    self.type = type
    self.first = first
    self.count = count
    self.stride = stride
    self.isArray = isArray
  }

  /// Runs the reducers of a route for one action after another.
  ///
  /// - Returns: The flags of all that.
  func run(_ route: Route, _ revision: UInt64) -> CommitFlags {
    if count == 1 { return route.run(first, revision) }
    if route.canRunInBulk { return route.runAll(first, count: count, stride: stride, revision) }
    return takeTurns(route, revision)
  }

  private func takeTurns(_ route: Route, _ revision: UInt64) -> CommitFlags {
    var (action, flags) = (first, CommitFlags())
    for _ in 0..<count {
      flags.formUnion(route.run(action, revision))
      action = action.advanced(by: stride)
    }
    return flags
  }

  /// The action as it was dispatched: an array as an array.
  func boxed() -> any Action {
    func box<A: Action>(_ opened: A.Type) -> any Action {
      guard isArray else { return first.read(A.self) }
      return (0..<count).map { first.advanced(by: $0 * stride).read(A.self) }
    }
    return _openExistential(type, do: box)
  }

  /// The actions in it, whose type is `type`.
  func actions<A: Action>(as type: A.Type) -> [A] {
    (0..<count).map { first.advanced(by: $0 * stride).read(A.self) }
  }

  /// The single actions in it.
  func members() -> [any Action] {
    func box<A: Action>(_ opened: A.Type) -> [any Action] {
      (0..<count).map { first.advanced(by: $0 * stride).read(A.self) }
    }
    return _openExistential(type, do: box)
  }

  /// One of the single actions in it.
  func member(_ number: Int) -> any Action {
    func box<A: Action>(_ opened: A.Type) -> any Action {
      first.advanced(by: number * stride).read(A.self)
    }
    return _openExistential(type, do: box)
  }

  /// The list that was dispatched, if it is one that holds no other list.
  var flatList: ActionList? {
    guard type == ActionList.self, !isArray else { return nil }
    let list = first.read(ActionList.self)
    return list.isFlat && !list.actions.isEmpty ? list : nil
  }

  /// Whether the actions stand for others, which are routed by their own types.
  var isList: Bool { Routability(of: type) == .list }
}
