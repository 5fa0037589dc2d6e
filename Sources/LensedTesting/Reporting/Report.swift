#if canImport(Testing)
  internal import Lensed
  internal import Testing

  /// Records issues: a sentence, and lines that show the case.
  enum Report {
    static func issue(
      _ sentence: String, _ lines: [String] = [], at location: SourceLocation
    ) {
      let text = ([sentence] + lines.map { $0.isEmpty ? "" : "  " + $0 }).joined(separator: "\n")
      Issue.record(Comment(rawValue: text), sourceLocation: location)
    }

    /// Shows something that fails nothing.
    static func warning(
      _ sentence: String, _ lines: [String], at location: SourceLocation
    ) {
      #if compiler(>=6.3)
        let text = ([sentence] + lines.map { "  " + $0 }).joined(separator: "\n")
        Issue.record(Comment(rawValue: text), severity: .warning, sourceLocation: location)
      #endif
    }

    /// A value, shortened if it is long.
    static func text(_ value: Any) -> String { ShortText.text(value) }
  }
#endif
