/// A first-in, first-out queue over one buffer that grows by doubling and is then reused.
///
/// - Complexity: `append` and `popFirst` are O(1), amortised over growth. Nothing is allocated while
///   the number of elements stays within the largest it has been.
@usableFromInline
struct Ring<Element> {
  @usableFromInline
  var buffer: ContiguousArray<Element?> = []
  @usableFromInline
  var head = 0
  @usableFromInline
  var count = 0

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { count == 0 }

  /// The oldest element.
  @inlinable
  var first: Element? { count == 0 ? nil : buffer[head] }

  @inlinable
  mutating func append(_ element: consuming Element) {
    if count == buffer.count { grow() }
    var tail = head + count
    if tail >= buffer.count { tail -= buffer.count }
    buffer[tail] = element
    count += 1
  }

  @inlinable
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = buffer[head].take()
    head = head + 1 == buffer.count ? 0 : head + 1
    count -= 1
    return element
  }

  @usableFromInline
  mutating func grow() {
    var larger = ContiguousArray<Element?>()
    let capacity = Swift.max(4, buffer.count * 2)
    larger.reserveCapacity(capacity)
    for index in 0..<count {
      let position = head + index
      larger.append(buffer[position < buffer.count ? position : position - buffer.count])
    }
    while larger.count < capacity { larger.append(nil) }
    buffer = larger
    head = 0
  }
}

extension Ring: Sendable where Element: Sendable {}
