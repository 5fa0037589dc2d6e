/// One asynchronous reader of a stream: conflating, independent of every other.
@usableFromInline
final class Reader<Element> {
  /// The taps that draw from one store, which are read in one critical section.
  private struct Group {
    let host: any StateHost
    var id: UInt64 = 0
    var taps: [Tap]
  }

  private let stage: Stage<Element>
  private var groups: [Group] = []
  private let signal = Signal()
  private var isEnlisted = false
  private var isOver = false

  @usableFromInline
  init(_ wiring: Wiring, _ stage: @escaping Stage<Element>) {
    self.stage = stage
    for tap in wiring.taps {
      if let known = groups.firstIndex(where: { $0.host === tap.host }) {
        groups[known].taps.append(tap)
      } else {
        groups.append(Group(host: tap.host, taps: [tap]))
      }
    }
    for index in groups.indices {
      let taps = groups[index].taps
      groups[index].id = groups[index].host.withTable { table in
        for tap in taps { tap.attach(to: table) }
        return table.makeID()
      }
    }
  }

  deinit {
    dismiss()
  }

  /// The next value; nil when the stores have gone or the task was cancelled.
  @usableFromInline
  nonisolated(nonsending) func next() async -> Element? {
    await next { false }
  }

  /// The next value, or nil when there is none yet and `isDue` says to wait no longer.
  ///
  /// Whoever makes `isDue` true raises `alarm` after it.
  nonisolated(nonsending) func next(orUntil isDue: () -> Bool) async -> Element? {
    while !isOver {
      if Task.isCancelled { break }
      switch draw() {
      case .fresh:
        if let element = stage(0) { return element }
      case .over:
        end()
      case .stale:
        if isDue() { return nil }
        await signal.wait()
      }
    }
    end()
    return nil
  }

  /// Wakes the reader, to look again.
  var alarm: Signal { signal }

  private func draw() -> Tap.Draught {
    var outcome = Tap.Draught.over
    for group in groups {
      switch draw(group) {
      case .fresh: outcome = .fresh
      case .stale: if case .over = outcome { outcome = .stale }
      case .over: break
      }
    }
    return outcome
  }

  private func draw(_ group: Group) -> Tap.Draught {
    let signal = signal
    isEnlisted = true
    return group.host.withTable { table in
      var outcome = Tap.Draught.over
      for tap in group.taps {
        switch tap.draw(&table) {
        case .fresh: outcome = .fresh
        case .stale: if case .over = outcome { outcome = .stale }
        case .over: break
        }
      }
      if case .stale = outcome {
        for tap in group.taps { tap.enlist(signal, id: group.id, in: &table) }
      }
      return outcome
    }
  }

  private func dismiss() {
    guard isEnlisted else { return }
    isEnlisted = false
    for group in groups {
      group.host.withTable { table in
        for tap in group.taps { tap.dismiss(id: group.id, in: &table) }
      }
    }
  }

  /// Ends it: from now on there is no next value.
  func end() {
    isOver = true
    dismiss()
    for group in groups { for tap in group.taps { tap.close() } }
  }
}
