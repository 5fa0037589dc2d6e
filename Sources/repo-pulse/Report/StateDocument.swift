import Foundation

/// The final state as JSON, the same text for the same history.
struct StateDocument {
  let state: PulseState

  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(state), as: UTF8.self) + "\n"
  }
}
