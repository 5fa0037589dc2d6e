/// The values that a state, or a part of it, takes: first the current one, then each newer one.
///
/// ```swift
/// for await counter in store.states(\.counter) { render(counter) }
/// ```
///
/// **Guarantees.**
/// - It starts with the current value, and nothing is missed between that one and the next.
/// - It conflates: a reader that is slower than the commits gets the newest value and skips what lay
///   between. Conflation comes before the operators. To see every commit, `subscribe`, or read the
///   store's `changes`.
/// - It never fails. It ends when the store goes away, after a reader that lags has had the newest
///   value, or when the reading task is cancelled. An iterator made later ends at once.
/// - It does not keep the store alive.
/// - Every iterator is independent, and belongs to one task.
///
/// A reader that is not waiting costs a dispatch nothing: it keeps the number of the commit it has
/// seen, never a snapshot, so no collection is copied for its sake.
public struct StateStream<Element: Sendable>: AsyncSequence, Sendable {
  /// A stream of states never fails.
  public typealias Failure = Never

  @usableFromInline
  let make: @Sendable (inout Wiring) -> Stage<Element>
  /// What is read, when no operator stands between.
  @usableFromInline
  let source: Source<Element>?

  @inlinable
  init(_ make: @escaping @Sendable (inout Wiring) -> Stage<Element>) {
    self.make = make
    source = nil
  }

  @inlinable
  init(_ source: Source<Element>) {
    self.source = source
    make = { wiring in wiring.connect(source) }
  }

  /// What draws the values, one at a time, for one task.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline
    let reader: Reader<Element>

    @usableFromInline
    init(reader: Reader<Element>) {
      self.reader = reader
    }

    /// The next value, or nil when there will be none.
    nonisolated(nonsending) public mutating func next() async -> Element? {
      await reader.next()
    }

    /// The next value, or nil when there will be none, without leaving the caller's actor.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> Element? {
      await reader.next()
    }
  }

  /// A reader of its own, which starts with the value that is newest when it is first asked.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: makeReader())
  }

  func makeReader() -> Reader<Element> {
    var wiring = Wiring(.pull)
    let stage = make(&wiring)
    return Reader(wiring, stage)
  }
}
