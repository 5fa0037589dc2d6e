import AllocationCounter

extension Memory {
  /// Adds up the bytes of what is allocated and stays; the figure is exact, and the same each time.
  func measure() throws -> MemoryResult {
    let make = try prepare(count)
    allocation_counter_counts_bytes(true)
    let kept = try make()
    let bytes = allocation_counter_bytes()
    allocation_counter_counts_bytes(false)
    withExtendedLifetime(kept) {}
    return MemoryResult(
      id: id, title: title, count: count,
      bytesPerObject: allocation_counter_available() ? Double(bytes) / Double(count) : nil,
      atMost: atMost)
  }
}
