import Foundation
import Lensed

/// A state as JSON, the same text for the same history.
struct StateDocument: Encodable {
  private enum CodingKeys: CodingKey {
    case computed
  }

  private let state: PulseState
  private let computed: [String: Int]?

  /// A state, and how often each finding was computed since the last document of a run that goes on.
  init(state: PulseState, computed: [String: Int]? = nil) {
    var state = state
    // The title comes from the folder, and the order from the reading: neither is part of the history.
    state.title = nil
    state.authors.sort { $0.name < $1.name }
    state.files.sort { $0.name < $1.name }
    state.days.sort { $0.id < $1.id }
    state.hours.sort { $0.id < $1.id }
    state.words.sort { $0.id < $1.id }
    (self.state, self.computed) = (state, computed)
  }

  func encode(to encoder: any Encoder) throws {
    try state.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(computed, forKey: .computed)
  }

  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }
}
