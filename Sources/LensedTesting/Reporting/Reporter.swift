#if canImport(Testing)
  internal import Lensed
  internal import Testing

  /// Records the issues of one entry point: a sentence, and lines that show the case.
  ///
  /// No other file records issues, so none goes unheard. Swift Testing knows by the running task which test an issue
  /// belongs to. Without such a test, as under XCTest, an issue would reach nobody, so it traps with its text.
  ///
  /// A reporter is made where the entry point is called. What it reports later, from a detached task, is heard as well.
  struct Reporter: Sendable {
    private let name: String
    private let use: String
    /// Whether a test of Swift Testing was running when the reporter was made.
    let isHeard = Test.current != nil

    /// The reporter of an entry point that is being used.
    ///
    /// - Parameters:
    ///   - name: The entry point, as the subject of a sentence.
    ///   - use: What the test does with it, as a participle.
    init(_ name: String, _ use: String = "called") {
      (self.name, self.use) = (name, use)
    }

    /// Fails the test.
    func issue(_ sentence: String, _ lines: [String] = [], at location: SourceLocation) {
      let text = Self.text(sentence, lines)
      if isHeard {
        Issue.record(Comment(rawValue: text), sourceLocation: location)
        return
      }
      fatalError(
        """
        Lensed: \(name) reports to Swift Testing, and was \(use) outside of its tests: XCTest would not hear of \
        this. Move the test to a function that is marked @Test. A detached task, or a thread that the test starts, \
        is outside of it. At \(location): \(text)
        """)
    }

    /// Shows something that fails nothing.
    func warning(_ sentence: String, _ lines: [String], at location: SourceLocation) {
      let text = Self.text(sentence, lines)
      if !isHeard { return StandardError.write(line: "Lensed: warning at \(location): \(text)") }
      #if compiler(>=6.3)
        Issue.record(Comment(rawValue: text), severity: .warning, sourceLocation: location)
      #endif
    }

    private static func text(_ sentence: String, _ lines: [String]) -> String {
      ([sentence] + lines.map { $0.isEmpty ? "" : "  " + $0 }).joined(separator: "\n")
    }
  }
#endif
