internal import Lensed
public import Testing

/// Says of a test, or of all tests of a suite, that its stores warn on purpose, or report errors that nothing catches.
///
/// Both go to a handler that ignores them. Without it, a store that is given no handler writes them to the standard
/// error stream, in the middle of what `swift test` prints.
///
/// ```swift
/// @Test(.warnsOnPurpose) func `an action that nobody handles changes nothing`() throws {
/// ```
public struct WarnsOnPurpose: TestTrait, SuiteTrait, TestScoping {
  /// Runs a test, or a suite, so that what its stores report is ignored.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await StoreProbe.$current.withValue(StoreProbe(), operation: function)
  }
}

extension Trait where Self == WarnsOnPurpose {
  /// The stores of the test warn on purpose, or report errors that nothing catches.
  public static var warnsOnPurpose: WarnsOnPurpose { WarnsOnPurpose() }
}
