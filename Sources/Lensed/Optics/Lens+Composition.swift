extension Lens {
  /// The lens to a part of this lens's part.
  ///
  /// It is in place where both are. Its name is both names with a dot between. A composition of more than 32
  /// lenses without a byte offset traps.
  public func appending<Leaf>(_ next: Lens<Value, Leaf>) -> Lens<Root, Leaf> {
    let labels = labels + next.labels
    if case .stored(let first) = location, case .stored(let second) = next.location {
      return Lens<Root, Leaf>(location: .stored(offset: first + second), labels: labels)
    }
    // Each level takes some of the stack, both when the part is reached and when the lens is released.
    let depth = location.depth + next.location.depth
    if depth > 32 {
      fatalError(
        """
        Lensed: more than 32 lenses without a byte offset were appended to each other. Make one of them with \
        Lens(name:get:modify:), which goes the whole way.
        """)
    }
    let outer = self
    let access = Lens<Root, Leaf>.Access(
      depth: depth,
      get: { next.get(outer.get($0)) },
      edit: { root, edit in
        StateAddress.editing(&root, as: Root.self) { place in
          outer.focus(place) { middle in next.focus(middle) { $0.edit(Leaf.self, edit) } }
        }
      })
    return Lens<Root, Leaf>(location: .closures(access), labels: labels)
  }

  /// The lens to the property at a key path within this lens's part.
  public func appending<Leaf>(
    path: any WritableKeyPath<Value, Leaf> & Sendable
  ) -> Lens<Root, Leaf> {
    appending(Lens<Value, Leaf>(path))
  }

  /// Not available: a lens writes, and this key path only reads.
  @available(*, unavailable, message: "a lens needs a WritableKeyPath; this one only reads")
  public func appending<Leaf>(path: any KeyPath<Value, Leaf> & Sendable) -> Lens<Root, Leaf> {
    ReadOnlyKeyPath.refuse(path)
  }
}
