public import LensedThreadPointer

/// Which thread is running, as a number that no other live thread has and that is never zero.
@usableFromInline
enum ThreadIdentity {
  @inlinable
  @inline(__always)
  static var current: UInt { lensed_thread_pointer() }
}
