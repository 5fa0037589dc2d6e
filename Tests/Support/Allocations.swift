internal import AllocationCounter

/// How often the calling thread allocates while `body` runs `count` times, once it has run 20 times.
///
/// For a process of its own: beside other tests a thread might be the first that needs a table of the runtime, or be
/// given a delivery of others. In debug builds closures are boxed, which counts too.
///
/// ```swift
/// await #expect(processExitsWith: .success) {
///   let store = try Desk.makeStore()
///   #expect(allocations { store.dispatch(CountAction.add(1)) } == 0)
/// }
/// ```
public func allocations(_ count: Int = 200, _ body: () -> Void) -> UInt64 {
  for _ in 0..<20 { body() }
  return allocationsOfOneRun { for _ in 0..<count { body() } }
}

/// How often the calling thread allocates while `body` runs, for the first time.
public func allocationsOfOneRun(_ body: () throws -> Void) rethrows -> UInt64 {
  let before = allocation_counter_thread()
  try body()
  return allocation_counter_thread() - before
}

/// How many bytes the calling thread asks of the allocator while `body` runs.
///
/// A table that is copied shows here by its length, where the number of allocations stays the same.
public func allocatedBytes(_ body: () throws -> Void) rethrows -> UInt64 {
  let before = bytesOfThisThread
  try body()
  return bytesOfThisThread - before
}

/// How many bytes the calling thread has asked of the allocator so far.
public var bytesOfThisThread: UInt64 { allocation_counter_thread_bytes() }

/// How many bytes of the heap are in use beyond those before, whichever thread asks for them: at most while `body` runs,
/// and at its end, by what it returns.
///
/// For a process of its own.
public func bytesInUse<Kept>(
  _ body: () throws -> Kept
) rethrows -> (most: UInt64, kept: UInt64) {
  allocation_counter_peak_begin()
  defer { _ = allocation_counter_peak_end() }
  let result = try body()
  let now = allocation_counter_peak_now()
  let most = allocation_counter_peak_end()
  withExtendedLifetime(result) {}
  return (most, UInt64(max(0, now)))
}

/// Whether allocations are counted in this build: not under a sanitizer, and with glibc alone.
public var countsAllocations: Bool { allocation_counter_available() }
