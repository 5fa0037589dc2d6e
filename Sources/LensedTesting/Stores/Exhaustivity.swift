#if canImport(Testing)
  internal import Lensed

  /// What a test of a `TestStore` has to say.
  ///
  /// Where a test is exhaustive, it says all that changes, receives every commit, and ends when nothing is under way.
  public struct Exhaustivity<State>: Sendable {
    private enum Extent: Sendable {
      case all, none
      case only([[String]]), except([[String]])
    }

    private let extent: Extent
    /// Whether what a test skips is shown as a warning.
    let showsSkipped: Bool

    private init(_ extent: Extent, showsSkipped: Bool = false) {
      self.extent = extent
      self.showsSkipped = showsSkipped
    }

    /// Everything has to be said.
    public static var on: Exhaustivity { Exhaustivity(.all) }

    /// What a test says has to hold, and it need say nothing.
    ///
    /// A step says each part to which it gives another value than it had before the commit. Its closure is called once,
    /// on a copy of the state before; so a part that it writes as it was is not said, and has to hold only where an
    /// exhaustivity covers it, as `on` and `only` do. Elsewhere, look after the step:
    ///
    /// ```swift
    /// await test.dispatch(Reload()) { $0.isLoading = true }
    /// #expect(test.state.query == "ab")
    /// ```
    public static var off: Exhaustivity { Exhaustivity(.none) }

    /// What a test says has to hold, and what it skips is shown as warnings, which fail nothing.
    ///
    /// Compilers before Swift 6.3 know no warnings of tests, and show nothing.
    public static var offShowingSkipped: Exhaustivity { Exhaustivity(.none, showsSkipped: true) }

    /// Everything about some parts of the state has to be said, and nothing about the others.
    ///
    /// Commits that change none of these parts need not be received.
    public static func only(_ parts: any PartialKeyPath<State> & Sendable...) -> Exhaustivity {
      Exhaustivity(.only(parts.map(names)))
    }

    /// Everything has to be said but for some parts of the state.
    ///
    /// Commits that change only these parts need not be received.
    public static func except(_ parts: any PartialKeyPath<State> & Sendable...) -> Exhaustivity {
      Exhaustivity(.except(parts.map(names)))
    }

    /// Whether everything has to be said.
    var isOn: Bool { if case .all = extent { true } else { false } }

    /// Whether nothing need be said.
    var isOff: Bool { if case .none = extent { true } else { false } }

    /// Whether a change of a field has to be said.
    func covers(_ path: [String]) -> Bool {
      switch extent {
      case .all: true
      case .none: false
      case .only(let parts): parts.contains { $0.touches(path) }
      case .except(let parts): !parts.contains { path.starts(with: $0) }
      }
    }

    /// Whether a commit that made one state of another has to be received.
    func coversCommit(from before: State, to after: State) -> Bool {
      func differs(where isWanted: ((_ path: [String]) -> Bool)? = nil) -> Bool {
        !StateDifference.entries(from: before, to: after, limit: 0, where: isWanted).isEmpty
      }
      return switch extent {
      case .all: true
      case .none: false
      case .only: differs(where: covers)
      case .except: differs(where: covers) || !differs()
      }
    }

    private static func names(_ part: any PartialKeyPath<State> & Sendable) -> [String] {
      if let names = propertyNames(of: part) { return names }
      fatalError(
        """
        Lensed: an Exhaustivity names parts by their stored properties, and \(part) is none. Name the \
        properties that it is made of.
        """)
    }
  }

  extension [String] {
    /// Whether one path leads through the other.
    func touches(_ other: [String]) -> Bool { starts(with: other) || other.starts(with: self) }
  }

  // MARK: What a step says

  // Compares what a step says with what a commit did.
  extension Exhaustivity where State: Sendable {
    /// What differs from what the step says.
    ///
    /// - Parameters:
    ///   - before: The state before.
    ///   - expected: The state as the step says it.
    ///   - actual: The state after.
    /// - Returns: The differences that fail the step, and those that the exhaustivity skips.
    func compare(
      _ before: State, _ expected: State, _ actual: State
    ) -> (failing: Sameness, skipped: Sameness) {
      let all = Sameness(expected: expected, actual: actual)
      if all.isSame || isOn { return (all, Sameness([])) }
      let said = SaidParts(from: before, to: expected)
      let mustHold = { part in covers(part) || said.touch(part) }
      // Chosen before they are counted: many differences that are skipped hide none that fails.
      let failing = Sameness(expected: expected, actual: actual, where: mustHold)
      let skipped = showsSkipped ? skipped(of: all, expected, actual, mustHold) : []
      return (failing, Sameness(skipped))
    }

    /// The differences, and of those shown whole that fail in part, the others.
    private func skipped(
      of all: Sameness, _ expected: State, _ actual: State, _ mustHold: (_ part: [String]) -> Bool
    ) -> [DifferenceEntry] {
      let parts = StateDifference.entries(
        from: expected, to: actual, limit: all.entries.count + Sameness.limit, showsWhole: false
      ).filter { !mustHold($0.part) }
      return all.entries.flatMap { entry in
        if !mustHold(entry.part) { return [entry] }
        guard case .changed = entry.kind else { return [] }
        return parts.filter { $0.path.starts(with: entry.path) }
      }
    }

    /// Whether a commit has to be received, and no step was told so yet.
    func mustBeReceived(_ tested: TestedCommit<State>) -> Bool {
      !tested.wasReported && coversCommit(from: tested.before, to: tested.commit.state)
    }
  }

  /// The parts of all that a step says to change.
  ///
  /// They are found by their values. To call the step again, on the state after, would also find a value that it writes
  /// as it was; but a step is written for the state before, and may trap or fail in any other.
  private struct SaidParts {
    private let parts: Set<[String]>
    /// The parts on the way to them.
    private let ways: Set<[String]>

    init(from before: Any, to expected: Any) {
      let entries = StateDifference.entries(
        from: before, to: expected, limit: .max, showsWhole: false)
      parts = Set(entries.lazy.map(\.part))
      ways = Set(parts.lazy.flatMap { part in part.indices.map { Array(part[..<$0]) } })
    }

    /// Whether a part leads to or through one of them.
    func touch(_ part: [String]) -> Bool {
      ways.contains(part) || (0...part.count).contains { parts.contains(Array(part.prefix($0))) }
    }
  }
#endif
