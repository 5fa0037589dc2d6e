import Foundation
import Lensed
import LensedTestSupport
import Testing

@testable import repo_pulse

@Suite("Journals written as they grow") struct JournalTextTests {
  @Test(.warnsOnPurpose) func `a run gives the journal that a recorder of all of it gives`()
    async throws
  {
    let folder = try TemporaryRepository(isRepository: false)
    let file = RecordingFile(path: "\(folder.path)/file")
    let recorder = SessionRecorder<PulseState>()
    let draft = try RecordingDraft(file, initial: PulseState())
    let store = try Store(
      initialState: PulseState(), middleware: [recorder, CommitRecorder(draft)]
    ) {
      Mutator(\PulseState.title) { (title: inout String?, action: Opened) in title = action.title }
      Mutator(\PulseState.totals, Totals.reducer)
      Mutator(\PulseState.authors, Author.directory)
      Mutator(\PulseState.files, Files.reducer)
      Mutator(\PulseState.words, Words.reducer)
      Activity.calendarMutator.lifted(Lens(\PulseState.activity))
      Activity.clockMutator.lifted(Lens(\PulseState.activity))
    }
    store.dispatch(Opened(title: "\"\\/\u{0}\u{1}\u{1F}\u{7F}\u{2028}日本語🎉e\u{301}"))
    store.dispatch([FileAction(path: "a"), FileAction(path: "b")])
    store.dispatch(ActionList([Opened(title: ""), ActionList([FileAction(path: "c"), Follow()])]))
    store.replaceState(PulseState(title: "another"))
    let log = LogBytes.history(of: "Ada", adding: [1, 2, 3])
    let feed = CommitFeed(chunks: Chunks([log.bytes]))
    try await store.dispatch([StartOver(), AsyncActions(feed), Follow()] as [any Action]).finish()
    try draft.finish()
    let data = try #require(FileManager.default.contents(atPath: "\(folder.path)/file"))
    let journal = try JSONDecoder().decode(Journal.self, from: data)
    let expected = try ActionRegistry.pulse.journal(of: try #require(recorder.session))
    #expect(journal.count == expected.count)
    #expect(try Content(journal) == Content(expected))
    let state = try await Reading().state(replaying: file.session())
    #expect(state == store.state)
  }

  /// What both hold: the fingerprints of states and the causes of commits are the recorder's alone.
  private struct Content: Decodable, Equatable {
    let initial: String
    var steps: [Journal.Step]

    init(_ journal: Journal) throws {
      self = try JSONDecoder().decode(Self.self, from: JSONEncoder().encode(journal))
      for index in steps.indices { steps[index].why = nil }
    }
  }

  @Test(.warnsOnPurpose) func `an action that no recording holds is told at the end`() throws {
    struct Stray: Action {}
    let folder = try TemporaryRepository(isRepository: false)
    let draft = try RecordingDraft(
      RecordingFile(path: "\(folder.path)/file"), initial: PulseState())
    let store = try PulseState.store(recordedBy: CommitRecorder(draft))
    store.dispatch(Stray())
    let failure = #expect(throws: Failure.self) { try draft.finish() }
    #expect(failure?.status == 74)
    #expect(failure?.message?.contains("no recording holds actions of type Stray") == true)
  }
}
