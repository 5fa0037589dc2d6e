internal import Lensed
internal import LensedPersistence

/// The records of one store, bounded, for any number of readers.
///
/// The cycle: a record is appended by the writer of the session; the readers are woken; each reads on from where it
/// was. Where the log outgrows its bound, it is cut off at a snapshot: what is left can be read without the rest. A
/// reader that was behind the cut is told to begin anew.
final class InspectorLog: SessionLines {
  private struct State {
    var head: [UInt8] = []
    var lines: [(json: [UInt8], kind: SessionLineKind)] = []
    /// The number of the first line.
    var first = 0
    var size = 0
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
      state.lines.append((json, kind))
      state.size += json.count
      let dropped = state.size > limit ? Self.cut(&state) : []
      return (Array(state.wakes.values), dropped)
    }
    withExtendedLifetime(dropped) {}
    for wake in wakes { wake.yield() }
  }

  func flush() {}
  func mark() {}

  /// Drops what stands before the first snapshot with which a half is left.
  private static func cut(_ state: inout State) -> [[UInt8]] {
    var (count, dropped) = (0, 0)
    for (index, line) in state.lines.enumerated() {
      if index > 0, case .snapshot = line.kind {
        count = index
        if dropped >= state.size / 2 { break }
      }
      dropped += line.json.count
    }
    let gone = state.lines.prefix(count).map(\.json)
    state.lines.removeFirst(count)
    state.first += count
    state.size -= gone.reduce(0) { $0 + $1.count }
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
      let lines = state.lines.dropFirst(start - state.first).prefix(count).map(\.json)
      let isBeginning = isAnew && !state.head.isEmpty
      return Piece(
        lines: isBeginning ? [state.head] + lines : lines, isAnew: isAnew,
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
