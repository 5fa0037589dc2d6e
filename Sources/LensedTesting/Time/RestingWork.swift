internal import Lensed

/// Tells the store of the running effect that the effect rests, and by whose hand it goes on.
enum RestingWork {
  /// The name of the running effect.
  static var currentName: String? { nil }

  /// Runs a wait that a test ends.
  nonisolated(nonsending) static func sleeping(
    _ wait: () async throws -> Void
  ) async rethrows {
    try await wait()
  }
}
