import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// What set off an effect is named as its user knows it, and never by a place in Lensed.
@Suite("The cause of an effect that never began", .timeLimit(.minutes(30)))
struct LostEffectCauseTests {
  struct State: Sendable { var text = "" }
  struct Write: Action { let text: String }

  @Test(arguments: [true, false])
  func `names no place in Lensed`(_ isReplaced: Bool) throws {
    let warnings = Recorder<StoreWarning>()
    do {
      let store = try Store(
        initialState: State(), onWarning: { warnings.append($0) }
      ) {
        Mutator(\.text) { (text: inout String, action: Write) in text = action.text }
        Effect(whenChanged: \.text, .latest, including: .replacement) { _, _ in }
          .debounced(for: .seconds(1), clock: ManualClock()).named("Save")
      }
      if isReplaced {
        store.replaceState(State(text: "a"))
      } else {
        store.dispatch(Write(text: "a"), fileID: "App/Editor.swift", line: 7)
      }
    }
    let text = try #require(warnings.values.first { $0.kind == .lostEffect }).description
    #expect(!text.contains("Lensed/"))
    #expect(
      text.contains(
        isReplaced
          ? "set off by #1 a replacement of the state"
          : "set off by #1 `Write` dispatched at App/Editor.swift:7"))
  }
}
