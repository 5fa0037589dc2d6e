extension ActionBatch {
  /// The same bytes, as actions for one of several instances.
  ///
  /// A tagged action has the action as its only stored property, so both have one layout.
  func tagged<Tag>(_ tag: Tag.Type) -> ActionBatch {
    ActionBatch(type.tagged(tag), first, count: count, stride: stride, isArray: isArray)
  }

  /// The action as it was dispatched: an array as an array.
  func boxed() -> any Action {
    func box<A: Action>(_ opened: A.Type) -> any Action {
      isArray ? actions(as: A.self) : first.read(A.self)
    }
    return _openExistential(type, do: box)
  }

  /// The actions in it, whose type is `type`.
  func actions<A: Action>(as type: A.Type) -> [A] {
    (0..<count).map { first.advanced(by: $0 * stride).read(A.self) }
  }

  /// The single actions in it.
  func members() -> [any Action] { (0..<count).map(member) }

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
}
