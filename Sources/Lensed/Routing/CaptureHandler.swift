/// Copies a part of the state, before the reducers of an action run, for one of them that reads it.
struct CaptureHandler: Sendable {
  private let slot: Int
  /// Where the slot is noted while the lens runs; of an `Int`.
  private let running: StateAddress
  /// Of the state that the capture is given.
  private let part: StateAddress
  private let capture: ReducerCase.Run
  /// Releases the copy, where no reducer took it.
  let clear: @Sendable () -> Void

  /// Nil where there is nothing to copy.
  init?(
    _ reading: CaseReading, of type: any Action.Type, to slot: Int, in state: StateAddress,
    _ running: StateAddress
  ) {
    guard let capture = reading.capture else { return nil }
    (self.slot, self.running, clear) = (slot, running, reading.clear)
    part = state.advanced(by: capture.offset)
    self.capture = capture.run(for: type)
  }

  func callAsFunction(_ action: StateAddress) {
    running.edit(Int.self) { $0 = slot }
    _ = capture(part, action)
  }
}
