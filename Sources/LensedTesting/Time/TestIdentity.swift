#if canImport(Testing)
  internal import Testing
#endif

/// The test whose code is running, so that its clocks find its schedulers.
struct TestIdentity: Sendable, Hashable {
  private let name: String

  /// Nil outside of the tests of Swift Testing.
  static var current: TestIdentity? {
    #if canImport(Testing)
      Test.current.map { TestIdentity(name: "\($0.id)") }
    #else
      nil
    #endif
  }
}
