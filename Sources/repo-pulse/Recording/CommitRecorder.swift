import Lensed

/// Middleware that writes each commit of a store to a recording, as it is made.
///
/// A `SessionRecorder` would hold all of them until the end.
final class CommitRecorder: Middleware {
  private let draft: RecordingDraft
  /// The state that the store begins with, where it is not the one that the recording has got to.
  private let beginning: PulseState?

  init(_ draft: RecordingDraft, goingOnFrom beginning: PulseState? = nil) {
    self.draft = draft
    self.beginning = beginning
  }

  /// Calls come one at a time, in commit order.
  func didReduce(_ change: Change<PulseState>) {
    do {
      let former = change.revision == 1 ? try beginning.map(RecordedAction.text) : nil
      guard change.cause == .action else {
        draft.add(state: try RecordedAction.text(of: change.state))
        return
      }
      draft.add(try change.actions.map(item), from: change.site.map { "\($0)" }, after: former)
    } catch {
      draft.fail("\(error)")
    }
  }

  /// A single action, by its name.
  private func item(_ action: any Action) throws -> JournalText.Item {
    guard let name = RecordedAction.name(of: action), let value = action as? any Encodable else {
      throw Failure.unwritable("no recording holds actions of type \(type(of: action))")
    }
    return JournalText.Item(name: name, value: try RecordedAction.text(of: value))
  }
}
