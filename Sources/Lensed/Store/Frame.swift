/// What a commit in progress knows, at an address that does not move.
///
/// Guarded by the store's lock; a thread that finds itself inside its own commit reads from it which
/// reducer it came from.
struct Frame: Sendable {
  /// No reducer is running.
  static let nobody = -1

  let state: Place
  var revision: UInt64 = 0
  /// The sub-state whose reducer is running.
  var running = Frame.nobody
  /// The type of the action that is being reduced.
  var action: (any Action.Type)?
  /// Whether a reducer ran.
  var isHandled = false
  /// Whether anybody observes a sub-state whose reducer ran.
  var attention = false
}

/// One reducer, bound to the sub-state it owns.
struct Handler: Sendable {
  let slot: Int
  let record: Place
  let offset: Int
  let run: ReducerCase.Run

  @inline(__always)
  func callAsFunction(_ frame: Place, _ action: Place) {
    let state = frame.edit(Frame.self) { frame in
      frame.running = slot
      return frame.state
    }
    guard run(state.advanced(by: offset), action) else { return }
    let revision = frame.edit(Frame.self) { $0.revision }
    let attention = record.edit(SlotRecord.self) { record in
      record.revision = revision
      return record.attention
    }
    frame.edit(Frame.self) { frame in
      frame.isHandled = true
      frame.attention = frame.attention || attention
    }
  }
}
