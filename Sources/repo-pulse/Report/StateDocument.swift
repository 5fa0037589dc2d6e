import Foundation

/// The final state as JSON, the same text for the same history.
struct StateDocument {
  private let state: PulseState

  init(state: PulseState) {
    // The title comes from the folder, and is no part of the history.
    var state = state
    state.title = nil
    self.state = state
  }

  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(state), as: UTF8.self) + "\n"
  }
}
