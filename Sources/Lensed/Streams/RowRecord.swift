/// The readers that wait for a commit, and the observers that are called for it.
struct TableListeners: Sendable {
  var waiters: [UInt64: Signal] = [:]
  var observers: [UInt64: Observer] = [:]

  var isEmpty: Bool { waiters.isEmpty && observers.isEmpty }

  /// What a commit shows that concerns them.
  var flags: CommitFlags {
    var flags = CommitFlags.handled
    if !waiters.isEmpty { flags.insert(.awaited) }
    if !observers.isEmpty { flags.insert(.observed) }
    return flags
  }
}

/// The record of one observed row: its observers and readers, and its last commit.
final class RowRecord: ObservedRow {
  /// What the lock of the store guards.
  struct Content: Sendable {
    /// The last commit that touched the row.
    var revision: UInt64
    var listeners = TableListeners()
    /// How many interests in the row were handed out, and not given up.
    var readers = 0
    /// The audience of the last commit that touched no other row.
    var audience: RowAudience?
  }

  let label: RowLabel
  /// The sub-states that the collection is of.
  let slots: [Int]
  let content: UnsafeCell<Content>

  init(_ label: RowLabel, _ slots: [Int], at revision: UInt64) {
    self.label = label
    self.slots = slots
    content = UnsafeCell(Content(revision: revision))
  }

  var revision: UInt64 { content.value.revision }
}

/// The audience of a commit that touched one row, or all of them, for the next one on the same slots.
struct RowAudience: Sendable {
  let slots: [Int]
  /// The version of the observers of these slots.
  let version: UInt64
  let audience: Audience

  /// The audience, if it is that of a commit on `slots` and the observers are the same.
  func audience(of slots: [Int], version: UInt64) -> Audience? {
    self.version == version && self.slots == slots ? audience : nil
  }
}
