extension StateStream {
  /// The stream of the results of `transform`, one for each value.
  @inlinable
  public func map<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) -> Output
  ) -> StateStream<Output> {
    StateStream<Output> { pipeline in
      let upstream = connect(&pipeline)
      return { revision in upstream(revision).map(transform) }
    }
  }

  /// The stream of the results of `transform`, without the nils.
  @inlinable
  public func compactMap<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) -> Output?
  ) -> StateStream<Output> {
    StateStream<Output> { pipeline in
      let upstream = connect(&pipeline)
      return { revision in upstream(revision).flatMap(transform) }
    }
  }

  /// The stream of the values for which `isIncluded` holds.
  @inlinable
  public func filter(_ isIncluded: @escaping @Sendable (Element) -> Bool) -> StateStream {
    compactMap { isIncluded($0) ? $0 : nil }
  }

  /// The stream without the values that are equivalent to the one before.
  ///
  /// - Parameter areEquivalent: Compares the value that was emitted last with the next; it runs
  ///   outside of every lock.
  /// - Returns: The stream of the values that differ.
  @inlinable
  public func removeDuplicates(
    by areEquivalent: @escaping @Sendable (_ last: Element, _ next: Element) -> Bool
  ) -> StateStream {
    if case .part(let host, let path, nil) = origin {
      return StateStream(host, path, without: areEquivalent)
    }
    return StateStream { pipeline in
      Self.withoutRepeats(connect(&pipeline), areEquivalent)
    }
  }

  /// The stream of the part that a lens reads of each value.
  @_disfavoredOverload
  @inlinable
  public func select<Part: Sendable>(
    _ lens: some LensLike<Element, Part>
  ) -> StateStream<Part> {
    let lens = lens.asLens
    return map { lens.get($0) }
  }

  /// The stream of the part that a lens reads of each value, when it differs from the one before.
  @inlinable
  public func select<Part: Sendable & Equatable>(
    _ lens: some LensLike<Element, Part>
  ) -> StateStream<Part> {
    let lens = lens.asLens
    return map { lens.get($0) }.removeDuplicates()
  }

  /// The stream of the property at a key path of each value.
  @_disfavoredOverload
  @inlinable
  public func select<Part: Sendable>(
    _ keyPath: any KeyPath<Element, Part> & Sendable
  ) -> StateStream<Part> {
    map { $0[keyPath: keyPath] }
  }

  /// The stream of the property at a key path of each value, when it differs from the one before.
  @inlinable
  public func select<Part: Sendable & Equatable>(
    _ keyPath: any KeyPath<Element, Part> & Sendable
  ) -> StateStream<Part> {
    map { $0[keyPath: keyPath] }.removeDuplicates()
  }

  /// The stream of the newest values of two streams, as pairs.
  ///
  /// It emits when either does and both have. One commit that touches both emits once, and the pair
  /// is of that commit. The streams may be of different stores; these keep no order between them.
  @inlinable
  public func combineLatest<Other>(
    _ other: StateStream<Other>
  ) -> StateStream<(Element, Other)> {
    combineLatest(other) { ($0, $1) }
  }

  /// The stream of the results of `transform`, applied to the newest values of two streams.
  @inlinable
  public func combineLatest<Other, Output: Sendable>(
    _ other: StateStream<Other>,
    _ transform: @escaping @Sendable (Element, Other) -> Output
  ) -> StateStream<Output> {
    StateStream<Output> { pipeline in
      let (left, right) = (connect(&pipeline), other.connect(&pipeline))
      let last = UnsafeCell<(left: Element?, right: Other?)>((nil, nil))
      return { revision in
        let (newLeft, newRight) = (left(revision), right(revision))
        if newLeft == nil && newRight == nil { return nil }
        if let newLeft { last.value.left = newLeft }
        if let newRight { last.value.right = newRight }
        guard let left = last.value.left, let right = last.value.right else { return nil }
        return transform(left, right)
      }
    }
  }
}

extension StateStream where Element: Equatable {
  /// The stream without the values that equal the one before, or have the same bytes, as a NaN that was written back.
  @inlinable
  public func removeDuplicates() -> StateStream {
    removeDuplicates { isSameValue($0, $1) }
  }
}
