extension AsyncResult {
  /// The values of two results, computed side by side.
  ///
  /// The first failure wins and cancels the other. A placeholder for the pair is set anew, by `whileLoading`.
  public static func zip<A: Sendable, B: Sendable>(
    _ a: AsyncResult<A>, _ b: AsyncResult<B>
  ) -> AsyncResult<(A, B)> where Value == (A, B) {
    AsyncResult<(A, B)>(loading: nil, depth: max(a.chain.depth, b.chain.depth) + 1) {
      try await withThrowingTaskGroup(of: Half<A, B>.self) { group in
        group.addTask { .first(try await a.value()) }
        group.addTask { .second(try await b.value()) }
        defer { group.cancelAll() }
        var (first, second): (A?, B?) = (nil, nil)
        while let half = try await group.next() {
          switch half {
          case .first(let value): first = value
          case .second(let value): second = value
          }
        }
        guard let first, let second else { throw CancellationError() }
        return (first, second)
      }
    }
  }

  /// The values of three results, computed side by side.
  ///
  /// The first failure wins and cancels the others. A placeholder is set anew, by `whileLoading`.
  public static func zip<A: Sendable, B: Sendable, C: Sendable>(
    _ a: AsyncResult<A>, _ b: AsyncResult<B>, _ c: AsyncResult<C>
  ) -> AsyncResult<(A, B, C)> where Value == (A, B, C) {
    AsyncResult<((A, B), C)>.zip(.zip(a, b), c).map { ($0.0, $0.1, $1) }
  }

  /// The values of four results, computed side by side.
  ///
  /// The first failure wins and cancels the others. A placeholder is set anew, by `whileLoading`.
  public static func zip<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
    _ a: AsyncResult<A>, _ b: AsyncResult<B>, _ c: AsyncResult<C>, _ d: AsyncResult<D>
  ) -> AsyncResult<(A, B, C, D)> where Value == (A, B, C, D) {
    AsyncResult<((A, B), (C, D))>.zip(.zip(a, b), .zip(c, d)).map { ($0.0, $0.1, $1.0, $1.1) }
  }

  /// The values of five results, computed side by side.
  ///
  /// The first failure wins and cancels the others. A placeholder is set anew, by `whileLoading`.
  public static func zip<A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable>(
    _ a: AsyncResult<A>, _ b: AsyncResult<B>, _ c: AsyncResult<C>, _ d: AsyncResult<D>,
    _ e: AsyncResult<E>
  ) -> AsyncResult<(A, B, C, D, E)> where Value == (A, B, C, D, E) {
    AsyncResult<((A, B, C), (D, E))>.zip(.zip(a, b, c), .zip(d, e)).map {
      ($0.0, $0.1, $0.2, $1.0, $1.1)
    }
  }

  /// The values of any number of results, computed side by side, in the order of the results.
  ///
  /// The first failure wins and cancels the others. A placeholder is set anew, by `whileLoading`.
  public static func all<Element: Sendable>(
    _ results: [AsyncResult<Element>]
  ) -> AsyncResult<[Element]> where Value == [Element] {
    let depth = (results.map(\.chain.depth).max() ?? 0) + 1
    return AsyncResult<[Element]>(loading: nil, depth: depth) {
      try await withThrowingTaskGroup(of: (Int, Element).self) { group in
        for (index, result) in results.enumerated() {
          group.addTask { (index, try await result.value()) }
        }
        defer { group.cancelAll() }
        var values: [(index: Int, value: Element)] = []
        while let next = try await group.next() { values.append(next) }
        return values.sorted { $0.index < $1.index }.map(\.value)
      }
    }
  }
}

/// The value of one side of a zip.
private enum Half<First: Sendable, Second: Sendable>: Sendable {
  case first(First)
  case second(Second)
}
