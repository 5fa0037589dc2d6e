extension RingBuffer {
  /// The element at a distance from the oldest one; nil where there is none.
  subscript(_ distance: Int) -> Element? {
    if distance < 0 || distance >= count { return nil }
    let index = head + distance
    return buffer[index < buffer.count ? index : index - buffer.count]
  }
}

extension RingBuffer {
  /// Empties the buffer.
  ///
  /// - Returns: Its elements, for the caller to release without a lock.
  mutating func removeAll() -> [Element] {
    var removed: [Element] = []
    while let next = popFirst() { removed.append(next) }
    return removed
  }
}
