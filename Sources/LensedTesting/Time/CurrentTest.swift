#if canImport(Testing)
  internal import Testing
#endif

/// The name of the test whose code is running, by which its clocks find its schedulers.
///
/// Nil outside of the tests of Swift Testing.
var currentTestName: String? {
  #if canImport(Testing)
    Test.current.map { "\($0.id)" }
  #else
    nil
  #endif
}
