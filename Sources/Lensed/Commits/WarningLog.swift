/// The warnings of one store, each reported once.
///
/// Its mutable state is the set of keys, under its own lock. The handler is called without any lock.
@usableFromInline
final class WarningLog: Sendable {
  /// Beyond it the keys are removed, so that a store that is misused for days needs bounded memory.
  private static let limit = 1_000

  private let handler: StoreWarningHandler
  /// Is given equal warnings too.
  private let probe: StoreProbe?
  private let keys = Locked<Set<String>>([])
  /// The types of actions that were seen to be unhandled.
  private let unhandled = Locked<Set<ObjectIdentifier>>([])

  init(_ handler: @escaping StoreWarningHandler, probe: StoreProbe? = nil) {
    self.handler = handler
    self.probe = probe
  }

  /// Whether a type of action is found unhandled for the first time; nothing is allocated for a later one.
  func isFirst(unhandled type: any Action.Type) -> Bool {
    unhandled.withLock { $0.insert(ObjectIdentifier(type)).inserted }
  }

  func report(_ warning: StoreWarning) {
    probe?.onWarning(warning)
    if let key = warning.key {
      let isNew = keys.withLock { keys in
        if keys.count >= Self.limit { keys = [] }
        return keys.insert(key).inserted
      }
      if !isNew { return }
    }
    handler(warning)
  }

  /// The log of a store: it calls `handler`, or else writes lines in debug builds; nil in other builds.
  ///
  /// A probe is told of each warning, whether or not an equal one was reported.
  @usableFromInline
  static func make(_ handler: StoreWarningHandler?) -> WarningLog? {
    if let probe = StoreProbe.current { return WarningLog(handler ?? { _ in }, probe: probe) }
    if let handler { return WarningLog(handler) }
    #if DEBUG
      return WarningLog { StandardError.write(line: "\($0)") }
    #else
      return nil
    #endif
  }
}
