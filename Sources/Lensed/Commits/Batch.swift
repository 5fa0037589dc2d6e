extension StoreCore {
  /// Actions of one type that lie side by side.
  @usableFromInline
  struct Batch {
    let type: any Action.Type
    let first: StateAddress
    let count: Int
    let stride: Int
    /// Whether they were dispatched as an array.
    let isArray: Bool

    @usableFromInline
    init(_ type: any Action.Type, _ first: StateAddress, count: Int, stride: Int, isArray: Bool) {
      self.type = type
      self.first = first
      self.count = count
      self.stride = stride
      self.isArray = isArray
    }

    @usableFromInline
    static func one(_ type: any Action.Type, _ action: StateAddress) -> Batch {
      Batch(type, action, count: 1, stride: 0, isArray: false)
    }

    /// Runs the reducers for one action after another, and gives what all of that shows.
    func run(_ route: Route, _ revision: UInt64) -> CommitFlags {
      if count == 1 { return route.all(first, revision) }
      if route.bulk.isEmpty { return takeTurns(route.all, revision) }
      var signs: CommitFlags = []
      var index = 0
      while index < route.bulk.count {
        signs.formUnion(route.bulk[index](first, count: count, revision))
        index &+= 1
      }
      return signs
    }

    private func takeTurns(_ run: FusedHandlers.Run, _ revision: UInt64) -> CommitFlags {
      var (action, signs) = (first, CommitFlags())
      for _ in 0..<count {
        signs.formUnion(run(action, revision))
        action = action.advanced(by: stride)
      }
      return signs
    }

    /// What was dispatched, for those who want to see it.
    func boxed() -> any Action {
      func box<A: Action>(_ opened: A.Type) -> any Action {
        guard isArray else { return first.read(A.self) }
        return (0..<count).map { first.advanced(by: $0 * stride).read(A.self) }
      }
      return _openExistential(type, do: box)
    }
  }
}
