extension StoreCore {
  /// Actions of one type that lie side by side.
  @usableFromInline
  struct Batch {
    let type: any Action.Type
    let first: Place
    let count: Int
    let stride: Int
    /// Whether they were dispatched as an array.
    let isArray: Bool

    @usableFromInline
    init(_ type: any Action.Type, _ first: Place, count: Int, stride: Int, isArray: Bool) {
      self.type = type
      self.first = first
      self.count = count
      self.stride = stride
      self.isArray = isArray
    }

    @usableFromInline
    static func one(_ type: any Action.Type, _ action: Place) -> Batch {
      Batch(type, action, count: 1, stride: 0, isArray: false)
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
