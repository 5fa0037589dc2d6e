#if canImport(Darwin)
  private import Darwin
#elseif canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#endif

/// Which thread is running, as a number that no other live thread has and that is never zero.
enum ThreadIdentity {
  static let nobody: UInt = 0

  @inline(__always)
  static var current: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: unsafe pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }
}
