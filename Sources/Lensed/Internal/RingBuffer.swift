/// A first-in, first-out queue over one buffer that grows by doubling, and halves when a burst is over.
///
/// - Complexity: `append` and `popFirst` are O(1), amortised over growing and shrinking: a buffer
///   that was resized is at most half full. A quarter of its size has to come or go before it is resized
///   again. Once the buffer has had room for `lasting` elements, it allocates nothing below that number.
struct RingBuffer<Element> {
  var buffer: ContiguousArray<Element?> = []
  var head = 0
  var count = 0

  init() {}

  /// The capacity that is kept for good: four kilobytes, and four elements at least.
  static var lasting: Int { Swift.max(4, 4_096 / MemoryLayout<Element?>.stride) }

  var isEmpty: Bool { count == 0 }

  /// The oldest element.
  var first: Element? { count == 0 ? nil : buffer[head] }

  mutating func append(_ element: consuming Element) {
    if count == buffer.count { resize(to: Swift.max(4, count * 2)) }
    var tail = head + count
    if tail >= buffer.count { tail -= buffer.count }
    buffer[tail] = element
    count += 1
  }

  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = buffer[head].take()
    head = head + 1 == buffer.count ? 0 : head + 1
    count -= 1
    if buffer.count > Self.lasting && count <= buffer.count / 4 {
      resize(to: Swift.max(Self.lasting, buffer.count / 2))
    }
    return element
  }

  /// The element at a distance from the oldest one; nil where there is none.
  subscript(_ distance: Int) -> Element? {
    if distance < 0 || distance >= count { return nil }
    return buffer[place(of: distance)]
  }

  /// Lends the element at a distance from the oldest one, without a copy; nil where there is none.
  mutating func edit<Result>(_ distance: Int, _ body: (inout Element) -> Result) -> Result? {
    if distance < 0 || distance >= count { return nil }
    let place = place(of: distance)
    guard var element = buffer[place].take() else { return nil }
    let result = body(&element)
    buffer[place] = consume element
    return result
  }

  private func place(of distance: Int) -> Int {
    let index = head + distance
    return index < buffer.count ? index : index - buffer.count
  }

  /// Removes the newest element; the buffer keeps its size.
  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return buffer[place(of: count)].take()
  }

  /// Empties the buffer, and returns its elements for the caller to release without a lock.
  mutating func removeAll() -> [Element] {
    var removed: [Element] = []
    while let next = popFirst() { removed.append(next) }
    return removed
  }

  /// Moves the elements to a buffer that has room for `capacity`.
  @inline(never)
  mutating func resize(to capacity: Int) {
    var other = ContiguousArray<Element?>()
    other.reserveCapacity(capacity)
    for index in 0..<count { other.append(buffer[place(of: index)].take()) }
    while other.count < capacity { other.append(nil) }
    buffer = other
    head = 0
  }
}

extension RingBuffer: Sendable where Element: Sendable {}
