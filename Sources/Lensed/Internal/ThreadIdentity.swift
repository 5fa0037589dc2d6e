public import LensedThread

/// The id of the running thread: not zero, and different from that of every other live thread.
@usableFromInline
enum ThreadIdentity {
  @inlinable
  @inline(__always)
  static var current: UInt { lensed_thread_pointer() }
}
