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
/// At most 1,000 operators stand behind each other, and `select` counts as two; one more traps. `combineLatest` stands
/// behind the longer of its two streams. On a thread with a stack of 512 KB, a debug build holds 400: measured on Linux,
/// 525 of `combineLatest`, and 748 or more of the others.
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

  /// How many operators stand behind each other: each takes some of the stack, as a value comes and as the stream is
  /// released.
  @usableFromInline
  let depth: Int

  /// A stream of one more operator, behind so many others.
  @inlinable
  init(behind depth: Int, _ connect: @escaping @Sendable (inout Pipeline) -> Operator<Element>) {
    if depth >= 1_000 { trapDeepStream(of: Element.self) }
    origin = .operators(connect)
    self.depth = depth + 1
  }

  @inlinable
  init(_ host: any StateHost, _ path: PartPath<Element>, without areEquivalent: Comparison? = nil) {
    depth = 0
    guard let child = path.child else {
      origin = .part(host, path, areEquivalent: areEquivalent)
      return
    }
    // What stands for a child that is not there is emitted first, or not at all.
    let present = PartPath<(value: Element, isThere: Bool)>(way: path.way, in: child) {
      (path.read($0), child.isThere($0))
    }
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

// MARK: Operators

@usableFromInline
@inline(never)
func trapDeepStream(of element: any Any.Type) -> Never {
  fatalError(
    """
    Lensed: more than 1,000 operators stand behind each other in a stream of \(code: element). Each takes some of the \
    stack. Do in one `map` or `compactMap` what several do, and combine many streams as a tree, in pairs, or observe \
    one part or derived value that has all of them.
    """)
}

extension StateStream {
  /// The stream of the results of `transform`, one for each value.
  @inlinable
  public func map<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) -> Output
  ) -> StateStream<Output> {
    StateStream<Output>(behind: depth) { pipeline in
      let upstream = connect(&pipeline)
      return { revision in upstream(revision).map(transform) }
    }
  }

  /// The stream of the results of `transform`, without the nils.
  @inlinable
  public func compactMap<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) -> Output?
  ) -> StateStream<Output> {
    StateStream<Output>(behind: depth) { pipeline in
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
    return StateStream(behind: depth) { pipeline in
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
    StateStream<Output>(behind: Swift.max(depth, other.depth)) { pipeline in
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

// MARK: Subscribing

extension StateStream {
  /// Calls back with the current value now, and with every later one, synchronously.
  ///
  /// ```swift
  /// let subscription = store.states(\.counter).subscribe { counter in log(counter) }
  /// ```
  ///
  /// The first call is made before this returns, on the calling thread. The others are made by the
  /// threads that dispatch, for every commit that passes the operators, in commit order and one at a
  /// time. While another thread is delivering, a dispatch may return before its calls are made. A
  /// dispatch delivers 16 commits of other threads at most, a subscriber none: a task makes the calls
  /// that no thread comes to make.
  ///
  /// - Parameter body: Is free to dispatch, subscribe and cancel; what it dispatches is delivered after the
  ///   current commit.
  /// - Returns: The subscription, which keeps the calls coming; releasing it ends them.
  @inlinable
  public func subscribe(
    _ body: @escaping @Sendable (_ value: Element) -> Void
  ) -> StoreSubscription {
    var pipeline = Pipeline()
    switch origin {
    case .part(let host, let path, nil):
      let part = pipeline.connect(path, of: host)
      return pipeline.subscribe { revision, _ in
        if let value = part.takeValue(at: revision) { body(value) }
      }
    case .part(let host, let path, let areEquivalent?):
      // The same as its operator, in one function.
      let part = pipeline.connect(path, of: host)
      let last = UnsafeCell<Element?>(nil)
      return pipeline.subscribe { revision, handle in
        guard let value = part.takeValue(at: revision) else { return }
        if !Self.isRepeat(value, of: last, areEquivalent), handle.isOpen { body(value) }
      }
    case .operators(let connect):
      let next = connect(&pipeline)
      return pipeline.subscribe { revision, handle in
        // Checked again after the operators, which may have taken a while.
        if let element = next(revision), handle.isOpen { body(element) }
      }
    }
  }

  /// Calls back on the main actor: in order, conflated like every asynchronous reader.
  ///
  /// The newest value comes even if the store goes before the main actor makes the first call.
  /// After 16 values in a row, which a writer that never rests has ready, it lets the other jobs of the main actor run.
  ///
  /// - Parameter body: Is not called again once the subscription was cancelled on the main actor.
  /// - Returns: The subscription, which keeps the calls coming; releasing it ends them.
  public func subscribe(
    onMain body: @escaping @MainActor @Sendable (_ value: Element) -> Void
  ) -> StoreSubscription {
    let reader = makeReader()
    let hosts = reader.hosts
    let task = Task { @MainActor in
      while let value = await reader.next() {
        if Task.isCancelled { return }
        body(value)
      }
    }
    return StoreSubscription(end: {
      for host in hosts { host.checkEntry("cancelled a subscription") }
      task.cancel()
    })
  }
}

extension Pipeline {
  /// Has `deliver` called with zero now, and with the number of each commit of interest.
  @usableFromInline
  func subscribe(
    _ deliver: @escaping @Sendable (_ revision: UInt64, _ handle: ObserverHandle) -> Void
  ) -> StoreSubscription {
    switch stores {
    case .none:
      return StoreSubscription {}
    case .one(let store):
      guard let observer = Observer.subscribe(store.captures, on: store.host, deliver) else {
        return StoreSubscription {}
      }
      observer.start()
      return StoreSubscription(observer.handle)
    case .several(let stores):
      return .across(stores, deliver)
    }
  }
}
