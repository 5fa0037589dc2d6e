#if canImport(Testing)
  internal import Lensed
  internal import Testing

  /// Checks laws, and reports the first counter-example of each.
  struct LawCheck {
    let subject: String
    let location: SourceLocation
    private let reporter = Reporter("`expectLawful`")
    private var broken: Set<String> = []

    init(_ subject: String, at location: SourceLocation) {
      (self.subject, self.location) = (subject, location)
    }

    /// Checks one law for one choice of inputs.
    mutating func require(
      _ law: String, of inputs: KeyValuePairs<String, Any>, expected: Any, is actual: Any
    ) {
      let sameness = Sameness(expected: expected, actual: actual)
      if sameness.isSame || !broken.insert(law).inserted { return }
      reporter.issue(
        "\(subject) breaks a law: \(law).",
        inputs.map { "\($0.key): \(ShortText.text($0.value))" } + sameness.lines(root: "result"),
        at: location)
    }

    func reportNoMatch() {
      reporter.issue(
        "\(subject) was checked with no value: none of the samples matches, and there is no value to embed.",
        at: location)
    }

    func requireSamples(_ isEmpty: Bool) {
      if isEmpty {
        reporter.issue("\(subject) was checked over no samples, which shows nothing.", at: location)
      }
    }
  }
#endif
