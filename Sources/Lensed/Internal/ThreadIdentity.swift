private import LensedThread

/// Which thread is running, as a number that no other live thread has and that is never zero.
enum ThreadIdentity {
  static let nobody: UInt = 0

  @inline(__always)
  static var current: UInt { lensed_current_thread() }
}
