extension StoreCore {
  /// What a commit was, but for what the store knows itself.
  struct Telling {
    let action: (any Action)?
    let slots: [Int]
    let isHandled: Bool
    let isReplacement: Bool
  }

  /// Adds a feed; nil when the store has gone.
  func install(_ hook: FeedHook, onClose: @escaping @Sendable () -> Void) -> UInt64? {
    withGuts("read the changes of the store") { guts in
      if guts.table.isClosed { return nil }
      let id = guts.table.makeID()
      guts.feeds[id] = (hook, onClose)
      return id
    }
  }

  func removeFeed(_ id: UInt64) {
    let removed = withGuts("stopped reading the changes of the store") { guts in
      guts.feeds.removeValue(forKey: id)?.hook
    }
    _ = removed
  }

  /// Before a commit, under the lock.
  func prepareFeeds(_ guts: Guts) {
    for feed in guts.feeds.values { feed.hook.prepare(state) }
  }

  /// After a commit, under the lock.
  func tellFeeds(_ guts: Guts, _ telling: Telling, into aftermath: inout Aftermath) {
    if guts.feeds.isEmpty { return }
    let revision = guts.table.revision
    let record = CommitRecord(
      state: state, action: telling.action, isReplacement: telling.isReplacement,
      revision: revision, isHandled: telling.isHandled,
      ran: telling.slots.filter { guts.table.record($0).value.revision == revision },
      ownership: guts.ownership)
    for feed in guts.feeds.values {
      if let dropped = feed.hook.record(record) { aftermath.trash.append(dropped) }
      aftermath.wake.append(feed.hook.signal)
    }
  }
}
