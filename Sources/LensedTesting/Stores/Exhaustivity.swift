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
#endif
