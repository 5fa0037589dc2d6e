internal import Lensed
internal import LensedPersistence

/// The records of one store, bounded, for any number of readers.
///
/// The cycle: a record is appended by the writer of the session; the readers are woken; each reads on from where it
/// was. Where the log outgrows its bound, it is cut off at a snapshot: what is left can be read without the rest. Where
/// there is none to cut it at, it asks the writer for one. A reader that was behind the cut is told to begin anew.
final class InspectorLog: SessionLines {
  private struct State {
    var head: [UInt8] = []
    var lines: [[UInt8]] = []
    /// The number of the first line, and how many bytes the lines before it had.
    var (first, dropped) = (0, 0)
    var size = 0
    /// The snapshots behind the first line: the number of each, and how many bytes all lines before it had.
    var snapshots: [(number: Int, offset: Int)] = []
    var wakes: [Int: AsyncStream<Void>.Continuation] = [:]
    var last = 0
  }

  private let state = Locked(State())
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  // MARK: Writing

  func append(_ json: [UInt8], _ kind: SessionLineKind) {
    // Nothing is replayed from a page.
    if kind == .fingerprint { return }
    let (wakes, dropped) = state.withLock { state in
      if kind == .head {
        state.head = json
        return (Array(state.wakes.values), [])
      }
      if kind == .snapshot, !state.lines.isEmpty {
        state.snapshots.append((state.first + state.lines.count, state.dropped + state.size))
      }
      state.lines.append(json)
      state.size += json.count
      let dropped = state.size > limit ? Self.cut(&state) : []
      return (Array(state.wakes.values), dropped)
    }
    withExtendedLifetime(dropped) {}
    for wake in wakes { wake.yield() }
  }

  func flush() {}
  func mark() {}

  var wantsSnapshot: Bool { state.withLock { $0.size > limit } }

  /// Drops what stands before the first snapshot with which at most a half is left, or before the last one.
  private static func cut(_ state: inout State) -> [[UInt8]] {
    let half = state.dropped + state.size / 2
    let snapshots = state.snapshots
    guard let place = snapshots.firstIndex(where: { $0.offset >= half }) ?? snapshots.indices.last
    else { return [] }
    let (number, offset) = snapshots[place]
    let gone = Array(state.lines.prefix(number - state.first))
    state.lines.removeFirst(gone.count)
    state.size -= offset - state.dropped
    (state.first, state.dropped) = (number, offset)
    state.snapshots.removeFirst(place + 1)
    return gone
  }

  // MARK: Reading

  /// What a reader is given: lines, and whether to begin anew with them.
  struct Piece {
    var lines: [[UInt8]]
    var isAnew: Bool
    var next: Int
  }

  /// The next lines, at most so many, from a number on; from the beginning for nil.
  func lines(from number: Int?, atMost count: Int = 256) -> Piece {
    state.withLock { state in
      let isAnew = number.map { $0 < state.first } ?? true
      let start = isAnew ? state.first : number ?? state.first
      let lines = state.lines.dropFirst(start - state.first).prefix(count)
      let isBeginning = isAnew && !state.head.isEmpty
      return Piece(
        lines: isBeginning ? [state.head] + lines : Array(lines), isAnew: isAnew,
        next: start + lines.count)
    }
  }

  /// The number of the line after the last one.
  var end: Int { state.withLock { $0.first + $0.lines.count } }

  /// Yields whenever there may be more; conflates.
  func wakes() -> AsyncStream<Void> {
    let (stream, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.last += 1
      state.wakes[state.last] = wake
      return state.last
    }
    wake.onTermination = { _ in
      let wake = self.state.withLock { $0.wakes.removeValue(forKey: id) }
      withExtendedLifetime(wake) {}
    }
    return stream
  }

  /// Ends the readers.
  func close() {
    for wake in state.withLock({ Array($0.wakes.values) }) { wake.finish() }
  }
}
