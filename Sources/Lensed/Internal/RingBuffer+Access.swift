extension RingBuffer {
  /// The element at a distance from the oldest one; nil where there is none.
  subscript(_ distance: Int) -> Element? {
    if distance < 0 || distance >= count { return nil }
    let index = head + distance
    return buffer[index < buffer.count ? index : index - buffer.count]
  }
}

extension RingBuffer {
  /// Removes the newest element; the buffer keeps its size.
  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    let index = head + count
    return buffer[index < buffer.count ? index : index - buffer.count].take()
  }

  /// Empties the buffer.
  ///
  /// - Returns: Its elements, for the caller to release without a lock.
  mutating func removeAll() -> [Element] {
    var removed: [Element] = []
    while let next = popFirst() { removed.append(next) }
    return removed
  }
}
