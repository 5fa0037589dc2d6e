internal import Lensed

/// A test that runs the steps of an exploration again, to paste.
struct PastedTest<State: Sendable>: Sendable {
  let promise: String
  let steps: [ExploredStep<State>]
  /// The state to begin with, if the store begins with another.
  let initial: State?
  let initialName: String
  /// The label of the actions.
  let form: String
  let checks: ExplorationChecks
  /// The seed of the order of the effects, where there is one.
  var order: UInt64?

  var lines: [String] {
    let note = initial.map { ["  // \(initialName) is \(ShortText.text($0))"] } ?? []
    let start = initial == nil ? "" : " from: \(initialName),"
    let seed = order.map { " seed: \($0)," } ?? ""
    let call =
      "  await explore(store: makeStore, \(form): actions,\(seed)\(start) invariants: invariants\(checking))"
    return ["@Test func `\(name)`() async {", "  let actions: [any Action] = ["]
      + steps.map(line) + ["  ]"] + note + [call, "}"]
  }

  /// The promise, as a name of a function may be.
  private var name: String {
    let name = String(
      promise.map { character in
        switch character {
        case "`": "'"
        case "\\": "/"
        default:
          character.isWhitespace || character.asciiValue.map { $0 < 32 || $0 == 127 } == true
            ? " " : character
        }
      })
    return name.contains { $0.isLetter } ? name : "a promise holds"
  }

  private var checking: String {
    if checks == .all { return "" }
    let names = [
      (ExplorationChecks.replay, ".replay"), (.undo, ".undo"), (.paths, ".paths"),
    ].filter { checks.contains($0.0) }.map(\.1)
    return ", checking: " + (names.count == 1 ? names[0] : "[\(names.joined(separator: ", "))]")
  }

  private func line(_ step: ExploredStep<State>) -> String {
    let action = step.action
    guard let text = PastedText.action(action) else {
      // The compiler asks for it.
      return
        "    <#\(TypeName.qualified(type(of: action)))#>,  // \(Self.oneLine(ShortText.action(action)))"
    }
    return "    \(text),\(step.site.map { "  // \($0)" } ?? "")"
  }

  private static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}

extension ExploredStep {
  /// Where the step was dispatched.
  fileprivate var site: CallSite? { if case .replay(_, let site) = self { site } else { nil } }
}
