/// Handles an error that an effect or an asynchronous reducer threw and did not catch.
public typealias EffectErrorHandler = @Sendable (EffectError) -> Void

/// An error that an effect, an asynchronous reducer or a sequence of actions threw and did not catch.
///
/// The store hands it to its `onEffectError:`, and prints it where there is none. Cancellation is no error
/// and is never reported.
///
/// ```swift
/// let store = try Store(
///   initialState: AppState(),
///   onEffectError: { error in print("\(error.effect): \(error.underlying)") }
/// ) {
///   Mutator(\.counter, counterReducer)
/// }
/// ```
public struct EffectError: Error, Sendable, CustomStringConvertible {
  /// The name of the effect, of the asynchronous reducer with its property, or of the sequence.
  public let effect: String
  /// The action that it ran for; nil for an effect of a changed value.
  public let action: (any Action)?
  /// What was thrown.
  public let underlying: any Error

  init(effect: String, action: (any Action)?, underlying: any Error) {
    self.effect = effect
    self.action = action
    self.underlying = underlying
  }

  /// What failed, for which action, with what error, and what to do.
  public var description: String {
    let trigger =
      action.map { " for `\(Redaction.hides($0) ? "\(type(of: $0))" : String(reflecting: $0))`" }
      ?? ""
    return """
      Lensed: \(effect) failed\(trigger): \(Self.sentence(of: underlying)) Give it a `catch:` or a \
      `recover`, or the store an `onEffectError:`.
      """
  }

  /// The description of an error, with one full stop at its end.
  private static func sentence(of error: any Error) -> String {
    var text = "\(error)"
    while text.last?.isWhitespace == true { text.removeLast() }
    return text.last.map { ".!?…".contains($0) } ?? false ? text : text + "."
  }

  /// Writes one line to the standard error stream.
  static let report: EffectErrorHandler = { StandardError.write(line: "\($0)") }
}
