extension StateStream {
  /// The stream of what `transform` makes of each value.
  @inlinable
  public func map<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) -> Output
  ) -> StateStream<Output> {
    let upstream = make
    return StateStream<Output> { wiring in
      let stage = upstream(&wiring)
      return { revision in stage(revision).map(transform) }
    }
  }

  /// The stream of what `transform` makes of each value, without the nils.
  @inlinable
  public func compactMap<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) -> Output?
  ) -> StateStream<Output> {
    let upstream = make
    return StateStream<Output> { wiring in
      let stage = upstream(&wiring)
      return { revision in stage(revision).flatMap(transform) }
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
  /// - Returns: The stream of what differs.
  @inlinable
  public func removeDuplicates(
    by areEquivalent: @escaping @Sendable (_ last: Element, _ next: Element) -> Bool
  ) -> StateStream {
    let upstream = make
    return StateStream { wiring in
      let stage = upstream(&wiring)
      var last: Element?
      return { revision in
        guard let next = stage(revision) else { return nil }
        if let last, areEquivalent(last, next) { return nil }
        last = next
        return next
      }
    }
  }

  /// The stream of the part that a lens reads of each value.
  @inlinable
  public func select<Part: Sendable>(_ lens: Lens<Element, Part>) -> StateStream<Part> {
    map { lens.get($0) }
  }

  /// The stream of the part that a lens reads of each value, when it differs from the one before.
  @inlinable
  public func select<Part: Sendable & Equatable>(
    _ lens: Lens<Element, Part>
  ) -> StateStream<Part> {
    map { lens.get($0) }.removeDuplicates()
  }

  /// The stream of the property at a key path of each value.
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

  /// The stream of what `transform` makes of the newest values of two streams.
  @inlinable
  public func combineLatest<Other, Output: Sendable>(
    _ other: StateStream<Other>,
    _ transform: @escaping @Sendable (Element, Other) -> Output
  ) -> StateStream<Output> {
    let (first, second) = (make, other.make)
    return StateStream<Output> { wiring in
      let (left, right) = (first(&wiring), second(&wiring))
      var (lastLeft, lastRight): (Element?, Other?) = (nil, nil)
      return { revision in
        let (newLeft, newRight) = (left(revision), right(revision))
        if newLeft == nil && newRight == nil { return nil }
        if let newLeft { lastLeft = newLeft }
        if let newRight { lastRight = newRight }
        guard let lastLeft, let lastRight else { return nil }
        return transform(lastLeft, lastRight)
      }
    }
  }
}

extension StateStream where Element: Equatable {
  /// The stream without the values that equal the one before.
  @inlinable
  public func removeDuplicates() -> StateStream {
    removeDuplicates { $0 == $1 }
  }
}
