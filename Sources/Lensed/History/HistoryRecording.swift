/// What records the commits of a history, and restores them.
protocol HistoryRecording<State>: Sendable {
  associatedtype State: Sendable

  var entries: [HistoryEntry<State>] { get }
  var position: Int { get }
  var canUndo: Bool { get }
  var canRedo: Bool { get }

  func beginRecording(in store: StoreHandle<State>)
  func endRecording()
  func travel(_ journey: HistoryJourney) -> Bool
}

/// A way through a history.
enum HistoryJourney: Sendable {
  case steps(Int)
  /// To the commit with a number.
  case revision(UInt64)
}
