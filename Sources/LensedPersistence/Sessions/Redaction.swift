internal import Foundation
internal import Lensed

extension Redaction {
  /// How many characters a text of a session has at most.
  static let maximum = 4_000

  /// A value as the text of a session; one with something `NotLogged` in it by the name of its type alone.
  static func sessionText(_ value: Any) -> String {
    if hides(value) { return "\(type(of: value))" }
    let text = "\(value)"
    return text.count <= maximum ? text : text.prefix(maximum) + "…"
  }

  /// How many characters the text of an error of a coder has at most.
  private static let longest = 300

  /// What an encoder, a decoder or a migration threw, without the value that it was about.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - type: The type of the whole. Of one that is `NotLogged` only the kind of the error and the path are said:
  ///     what a decoder says of a case that is not there any more has the value in it.
  /// - Returns: A text without a full stop.
  package static func coding(_ error: any Error, of type: (any Any.Type)? = nil) -> String {
    let isHidden = type.map(hides) ?? false
    let text =
      switch error {
      case EncodingError.invalidValue(let value, let context):
        text("\(code: Swift.type(of: value)) cannot be encoded", context, hides: isHidden)
      case DecodingError.dataCorrupted(let context) where isHidden:
        text("a value is not as its type wants it", context, hides: true)
      case _ where isHidden && !(error is DecodingError), _ where hides(error):
        "an error of the type \(code: Swift.type(of: error))"
      default: "\(error)"
      }
    if text.count > longest { return text.prefix(longest) + "…" }
    return String(text.hasSuffix(".") ? text.dropLast() : text[...])
  }

  private static func hides(_ type: any Any.Type) -> Bool {
    if type is any NotLogged.Type { return true }
    return (type as? any Holding.Type)?.held.contains(where: hides) ?? false
  }

  private static func text(
    _ what: String, _ context: some CodingContext, hides: Bool
  ) -> String {
    var text = what
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
    if !path.isEmpty { text += " at \(code: path.joined(separator: "."))" }
    if hides { return text }
    if !context.debugDescription.isEmpty { text += ": \(context.debugDescription)" }
    if let cause = context.underlyingError { text += " (\(coding(cause)))" }
    return text
  }
}

private protocol CodingContext {
  var codingPath: [any CodingKey] { get }
  var debugDescription: String { get }
  var underlyingError: (any Error)? { get }
}

extension EncodingError.Context: CodingContext {}
extension DecodingError.Context: CodingContext {}
