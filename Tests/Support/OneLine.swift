public import Testing

/// A text of several lines, as the argument of a test: `swift test` names it in one line.
public struct OneLine: Sendable, ExpressibleByStringLiteral, CustomTestStringConvertible {
  /// The text.
  public let text: String

  /// A text that is made.
  public init(_ text: String) {
    self.text = text
  }

  /// A text that is written in the test.
  public init(stringLiteral text: String) {
    self.text = text
  }

  /// The text, with a sign in place of each line break.
  public var testDescription: String {
    String(text.map { $0.isNewline ? "⏎" : $0 })
  }
}
