#if canImport(Testing)
  internal import Lensed
  package import Testing

  /// Records the issues of one entry point: a sentence, and lines that show the case.
  ///
  /// No other file records issues, so none goes unheard. Swift Testing knows by the running task which test an issue
  /// belongs to. Without such a test, as under XCTest, an issue would reach no report, so it traps with its text.
  ///
  /// A reporter is made where the entry point is called. What it reports later, from a detached task, is heard as well.
  struct Reporter: Sendable {
    private let name: String
    private let use: String
    private let handler = IssueHandler.current
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
      let issue = ReportedIssue(text: Self.text(sentence, lines), location: location, fails: true)
      if isHandled(issue) { return }
      if isHeard {
        Issue.record(Comment(rawValue: issue.text), sourceLocation: location)
        return
      }
      fatalError(
        """
        Lensed: \(name) reports to Swift Testing, and was \(use) outside of its tests: XCTest would not hear of \
        this. Move the test to a function that is marked @Test. A detached task, or a thread that the test starts, \
        is outside of it. At \(location): \(issue.text)
        """)
    }

    /// Shows something that fails nothing.
    func warning(_ sentence: String, _ lines: [String], at location: SourceLocation) {
      let issue = ReportedIssue(text: Self.text(sentence, lines), location: location, fails: false)
      if isHandled(issue) { return }
      if !isHeard {
        return StandardError.write(line: "Lensed: warning at \(location): \(issue.text)")
      }
      #if compiler(>=6.3)
        Issue.record(Comment(rawValue: issue.text), severity: .warning, sourceLocation: location)
      #endif
    }

    /// Attaches a file to the test, which has failed.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - location: Where the test is.
    ///   - makeContent: The bytes of the file; what it throws fails the test.
    func attach(_ name: String, at location: SourceLocation, _ makeContent: () throws -> [UInt8]) {
      // An attachment belongs to a test, as an issue does.
      guard isHeard else { return }
      do {
        let content = try makeContent()
        // Issues that are handled fail no test.
        if (IssueHandler.current ?? handler) != nil { return }
        Attachment.record(content, named: name, sourceLocation: location)
      } catch {
        issue("The session could not be attached: \(error)", at: location)
      }
    }

    private func isHandled(_ issue: ReportedIssue) -> Bool {
      // A test store may be made before its issues are handled, and released elsewhere.
      guard let handler = IssueHandler.current ?? handler else { return false }
      handler.handle(issue)
      return true
    }

    private static func text(_ sentence: String, _ lines: [String]) -> String {
      ([sentence] + lines.map { $0.isEmpty ? "" : "  " + $0 }).joined(separator: "\n")
    }
  }

  /// What the test kit reports.
  package struct ReportedIssue: Sendable {
    /// A sentence, and lines that show the case.
    package let text: String
    /// The line that it belongs to.
    package let location: SourceLocation
    /// Whether it fails the test; a warning does not.
    package let fails: Bool
  }

  /// Takes the issues of the test kit in place of Swift Testing: for tests of the test kit.
  package final class IssueHandler: Sendable {
    /// The handler of what is reported while this has a value.
    @TaskLocal package static var current: IssueHandler?

    fileprivate let handle: @Sendable (ReportedIssue) -> Void

    /// A handler; it is called on any thread.
    package init(_ handle: @escaping @Sendable (ReportedIssue) -> Void) {
      self.handle = handle
    }
  }
#endif
