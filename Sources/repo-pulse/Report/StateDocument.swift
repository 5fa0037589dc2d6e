import Foundation

/// A state as JSON, the same text for the same history.
struct StateDocument {
  /// The state, and beside its parts what was computed for the report of it.
  private struct Contents: Encodable {
    private enum CodingKeys: CodingKey {
      case computed
    }

    let state: PulseState
    let computed: [String: Int]?

    func encode(to encoder: any Encoder) throws {
      try state.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeIfPresent(computed, forKey: .computed)
    }
  }

  private let contents: Contents

  /// A state, and how often each finding was computed since the last document of a run that goes on.
  init(state: PulseState, computed: [String: Int]? = nil) {
    // The title comes from the folder, and is no part of the history.
    var state = state
    state.title = nil
    contents = Contents(state: state, computed: computed)
  }

  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(contents), as: UTF8.self) + "\n"
  }
}
