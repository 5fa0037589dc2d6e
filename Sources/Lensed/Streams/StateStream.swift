/// The values that a state, or a part of it, takes: first the current one, then each newer one.
///
/// ```swift
/// for await counter in store.states(\.counter) { render(counter) }
/// ```
///
/// **Guarantees.**
/// - It starts with the current value, and nothing is missed between that one and the next.
/// - It conflates: a reader that is slower than the commits gets the newest value and skips the ones in
///   between. Conflation comes before the operators. To see every commit, `subscribe`, or read the
///   store's `changes`.
/// - It never fails. It ends when the store goes away, after a reader that lags has had the newest
///   value, or when the reading task is cancelled. An iterator made later ends at once.
/// - It does not keep the store alive.
/// - Every iterator is independent, and belongs to one task.
/// - It keeps no actor: read on an actor, it lets the other jobs of that actor run after 16 values, though newer ones
///   are there each time.
///
/// A reader that is not waiting costs a dispatch nothing: it keeps the number of the commit it has
/// seen, never a snapshot, so no collection is copied for its sake.
public struct StateStream<Element: Sendable>: AsyncSequence, Sendable {
  /// A stream of states never fails.
  public typealias Failure = Never

  /// Compares the value that was emitted last with the next; it runs outside of every lock.
  @usableFromInline
  typealias Comparison = @Sendable (_ last: Element, _ next: Element) -> Bool

  @usableFromInline
  enum Origin: Sendable {
    /// A part of a store's state; without its repeats, if there is a comparison.
    case part(any StateHost, PartPath<Element>, areEquivalent: Comparison?)
    /// Operators, which each reader and each subscription connects anew.
    case operators(@Sendable (inout Pipeline) -> Operator<Element>)
  }

  @usableFromInline
  let origin: Origin

  @inlinable
  init(_ connect: @escaping @Sendable (inout Pipeline) -> Operator<Element>) {
    origin = .operators(connect)
  }

  @inlinable
  init(_ host: any StateHost, _ path: PartPath<Element>, without areEquivalent: Comparison? = nil) {
    guard let child = path.child else {
      origin = .part(host, path, areEquivalent: areEquivalent)
      return
    }
    // What stands for a child that is not there is emitted first, or not at all.
    let present = PartPath<(value: Element, isThere: Bool)>(
      .computed { (path.read($0), child.isThere($0)) }, labels: path.labels, in: child)
    origin = .operators { pipeline in
      let part = pipeline.connect(present, of: host)
      let isFirst = UnsafeCell(true)
      let values: Operator<Element> = { revision in
        guard let next = part.takeValue(at: revision) else { return nil }
        if !next.isThere && !isFirst.value { return nil }
        isFirst.value = false
        return next.value
      }
      return areEquivalent.map { Self.withoutRepeats(values, $0) } ?? values
    }
  }

  /// Connects a pipeline to what the stream reads.
  @inlinable
  func connect(_ pipeline: inout Pipeline) -> Operator<Element> {
    if case .operators(let connect) = origin { return connect(&pipeline) }
    return connectPart(&pipeline)
  }

  /// Connects a pipeline to a part; a function of its own, so that operators nest with little stack.
  @inlinable
  @inline(never)
  func connectPart(_ pipeline: inout Pipeline) -> Operator<Element> {
    guard case .part(let host, let path, let areEquivalent) = origin else { return { _ in nil } }
    let part = pipeline.connect(path, of: host)
    let values: Operator<Element> = { part.takeValue(at: $0) }
    return areEquivalent.map { Self.withoutRepeats(values, $0) } ?? values
  }

  /// The operator that leaves out the values that are equivalent to the one before.
  @inlinable
  static func withoutRepeats(
    _ upstream: @escaping Operator<Element>, _ areEquivalent: @escaping Comparison
  ) -> Operator<Element> {
    let last = UnsafeCell<Element?>(nil)
    return { revision in
      guard let next = upstream(revision) else { return nil }
      return isRepeat(next, of: last, areEquivalent) ? nil : next
    }
  }

  /// Whether a value is equivalent to the last one; remembers it otherwise.
  ///
  /// The thread that calls the operators of the pipeline guards `last`.
  @inlinable
  @inline(__always)
  static func isRepeat(
    _ next: Element, of last: UnsafeCell<Element?>, _ areEquivalent: Comparison
  ) -> Bool {
    if let former = last.value, areEquivalent(former, next) { return true }
    last.value = next
    return false
  }

  /// Reads the values, one at a time, for one task.
  public struct Iterator: AsyncIteratorProtocol {
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
  @inlinable
  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: makeReader())
  }

  @inlinable
  func makeReader() -> Reader<Element> {
    var pipeline = Pipeline()
    let element = connect(&pipeline)
    return Reader(pipeline, element)
  }
}
