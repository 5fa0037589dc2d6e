import Lensed
import LensedTestSupport
import Testing

@Suite("Effects: inside an app with one wide action", .timeLimit(.minutes(30)))
struct EffectEmbeddingTests {
  private enum Wide: Action { case title(TitleAction), note(NoteAction), other }

  private static let titles = Prism<Wide, TitleAction>(
    embed: Wide.title, extract: { if case .title(let action) = $0 { action } else { nil } })
  private static let notes = Prism<Wide, NoteAction>(
    embed: Wide.note, extract: { if case .note(let action) = $0 { action } else { nil } })

  private func makeStore(_ effect: some StorePartConvertible<Desk>) throws -> Store<Desk> {
    try Store(initialState: Desk(), coverage: .partial) {
      Desk.notesMutator.lifted(action: Self.notes)
      Desk.countMutator
      effect
    }
  }

  @Test func `it is ended by the case that its action is, and by no other`() async throws {
    let (gate, ended) = (Gate(), Recorder<String>())
    let effect = Effect<Desk>(on: CountAction.self) { _, _ -> Void in
      do {
        try await gate.wait()
        ended.append("through")
      } catch {
        ended.append("cancelled")
      }
    }
    let store = try makeStore(effect.cancelled(on: TitleAction.self).lifted(action: Self.titles))
    let first = store.dispatch(CountAction.add(1))
    await gate.waitForWaiters()
    store.dispatch(Wide.other)
    store.dispatch(Wide.note(.append(1)))
    #expect(ended.values == [])
    store.dispatch(Wide.title(.rename("x")))
    try await first.finish()
    #expect(ended.values == ["cancelled"])
  }

  @Test func `what it dispatches is embedded however deep it lies`() async throws {
    let effect = Effect<Desk>(on: CountAction.self) { _, context -> Void in
      context.dispatch(NoteAction.append(1))
      context.dispatch([NoteAction.append(2), .append(3)])
      let nested: [any Action] = [
        [NoteAction.append(4)], ActionList([ActionList([NoteAction.append(5)])]),
      ]
      context.dispatch(nested)
      let ticks = AsyncStream<any Action> { feed in
        feed.yield(NoteAction.append(6))
        feed.yield([NoteAction.append(7)])
        feed.yield(ActionList([NoteAction.append(8)]))
        feed.finish()
      }
      let over: [any Action] = [AsyncActions(ticks), NoteAction.append(9)]
      try await context.dispatch(over).finish()
      let notes = context.dispatch([NoteAction.append(10)], focusingOn: \.notes)
      #expect(notes == Array(1...10))
    }
    let store = try makeStore(effect.lifted(action: Self.notes))
    try await store.dispatch(CountAction.keep).finish()
    #expect(store.notes == Array(1...10))
  }
}
