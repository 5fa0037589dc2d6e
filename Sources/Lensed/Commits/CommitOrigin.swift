/// What made a commit.
///
/// ```swift
/// for await change in store.changes() {
///   log(change.revision, change.origin, change.parent)   // 812, the effect Search, 809
/// }
/// ```
public enum CommitOrigin: Sendable, Hashable, CustomStringConvertible {
  /// A dispatch of the app: of a view, an observer, a test.
  case dispatch
  /// The effect of this name; one without `named(_:)` is called by its file and line.
  case effect(String)
  /// An asynchronous sequence that was dispatched.
  case sequence
  /// The outcome of an asynchronous reducer.
  case asyncResult
  /// The placeholder of an asynchronous reducer.
  case placeholder
  /// A replacement of the state.
  case replacement

  init(_ cause: CommitCause, _ source: WorkLabel?) {
    switch cause {
    case .asyncResult: self = .asyncResult
    case .placeholder: self = .placeholder
    case .replacement: self = .replacement
    case .action:
      if let name = source?.effect {
        self = .effect(name)
      } else if case .sequence = source {
        self = .sequence
      } else {
        self = .dispatch
      }
    }
  }

  /// What sessions write of it beside the cause.
  package var written: (origin: String?, effect: String?) {
    switch self {
    case .dispatch: ("dispatch", nil)
    case .effect(let name): ("effect", name)
    case .sequence: ("sequence", nil)
    // The cause says it.
    case .asyncResult, .placeholder, .replacement: (nil, nil)
    }
  }

  /// The origin of what a session has written of it.
  package init(_ cause: CommitCause, written origin: String?, _ effect: String?) {
    switch (cause, origin) {
    case (.action, "effect"): self = .effect(effect ?? "")
    case (.action, "sequence"): self = .sequence
    default: self.init(cause, nil)
    }
  }

  /// What it is, as a noun.
  public var description: String {
    switch self {
    case .dispatch: "a dispatch"
    case .effect(let name): "the effect \(name)"
    case .sequence: "a sequence"
    case .asyncResult: "an asynchronous reducer"
    case .placeholder: "an asynchronous reducer that has begun"
    case .replacement: "a replacement of the state"
    }
  }
}

/// The clock by which a store says when its commits were made.
///
/// It is read under the lock of the store, as a lens is, where somebody records commits.
@usableFromInline
enum StoreClock: Sendable {
  case continuous(since: ContinuousClock.Instant)
  case other(@Sendable () -> Duration)

  @usableFromInline
  init(_ clock: any Clock<Duration>) {
    if clock is ContinuousClock {
      self = .continuous(since: .now)
    } else {
      self = .other(Self.reading(clock))
    }
  }

  private static func reading<C: Clock>(_ clock: C) -> @Sendable () -> Duration
  where C.Duration == Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  /// The time since the store was made.
  var elapsed: Duration {
    switch self {
    case .continuous(let start): start.duration(to: .now)
    case .other(let read): read()
    }
  }
}
