// An error comes to `onEffectError:` from three places, each of which asks first whether somebody else is told:
//
// - of the run of an effect: `EffectRunner.fail`
// - of an asynchronous reducer: `AsyncRunner.report`
// - of a sequence that nobody awaits: `StoreCore.report` in `StoreCore+Works`

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
  /// What set it off, the nearest commit first, as the store knew it when the error came.
  private let links: [CauseLink]

  /// The number of the commit that set it off; nil where none did.
  public var revision: UInt64? { links.first?.revision }

  /// What set it off, a sentence for each commit: the one that it ran for, then the one that set that off.
  ///
  /// The chain leads back to the dispatch from outside while the works are under way that it leads through; a `History`
  /// and a recorded session know all of it.
  public var causes: [String] { links.map(\.numbered) }

  init(
    effect: String, action: (any Action)?, underlying: any Error, causes: [CauseLink] = []
  ) {
    (self.effect, self.action, self.underlying, links) = (effect, action, underlying, causes)
  }

  /// The same error, by one who knows more of what set it off.
  package func setOff(by causes: [CauseLink]) -> EffectError {
    if causes.isEmpty { return self }
    return EffectError(effect: effect, action: action, underlying: underlying, causes: causes)
  }

  /// What failed, for which action, what set that off, and with what error.
  public var description: String {
    var trigger = CauseLink.clause(links)
    if let action {
      trigger =
        " for \(code: Redaction.hides(action) ? "\(type(of: action))" : String(reflecting: action))"
      // The first link is the commit of the action.
      if let maker = links.first?.maker, !maker.isEmpty { trigger += " \(maker)" }
      trigger += CauseLink.clause(links.dropFirst())
    }
    return "Lensed: \(effect) failed\(trigger): \(Self.sentence(of: underlying))"
  }

  /// The description of an error, with one full stop at its end.
  private static func sentence(of error: any Error) -> String {
    var text = "\(error)"
    while text.last?.isWhitespace == true { text.removeLast() }
    return text.last.map { ".!?…".contains($0) } ?? false ? text : text + "."
  }

  /// The description, and what to do where no handler is given the error.
  package var descriptionWithAdvice: String {
    "\(self) Give it a `catch:` or a `recover`, or the store an `onEffectError:`."
  }

  /// Writes one line to the standard error stream.
  static let report: EffectErrorHandler = { StandardError.write(line: $0.descriptionWithAdvice) }
}
