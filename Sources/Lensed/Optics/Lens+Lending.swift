extension Lens {
  /// Lends the part for reading, without a copy of the root where the lens is in place.
  func lendReadOnly<Result>(_ root: StateAddress, _ body: (StateAddress) -> Result) -> Result {
    switch location {
    case .stored(let offset): body(root.advanced(by: offset))
    case .closures(let access): lendCopy(root, access, body)
    }
  }

  /// A function of its own, so that looking in place reserves no room for a copy on the stack.
  @inline(never)
  private func lendCopy<Result>(
    _ root: StateAddress, _ access: Access, _ body: (StateAddress) -> Result
  ) -> Result {
    StateAddress.reading(access.get(root.read(Root.self)), as: Value.self, body)
  }
}
