import Lensed
import LensedTestSupport
import Testing

/// What a reader is given after the store has gone shows which commits concerned it.
///
/// A reader that does not lag ends at once; one that lags is given the
/// newest value first.
@Suite("StateStream: which commits concern a reader", .timeLimit(.minutes(30)))
struct StateInterestTests {
  /// What a reader is given for the commits that `act` makes after its first value.
  private func given<Value: Sendable>(
    by stream: (Store<Desk>) -> StateStream<Value>, after act: (Store<Desk>) -> Void
  ) async throws -> [Value] {
    var store: Store<Desk>? = try Desk.makeStore()
    var iterator = stream(try #require(store)).makeAsyncIterator()
    _ = await iterator.next()
    if let store { act(store) }
    store = nil
    var values: [Value] = []
    while let value = await iterator.next() { values.append(value) }
    return values
  }

  @Test func `the whole emits when a reducer has run, though it changed nothing`() async throws {
    #expect(try await given(by: \.states) { $0.dispatch(CountAction.keep) } == [Desk()])
  }

  @Test(.warnsOnPurpose) func `the whole stays quiet when no reducer ran`() async throws {
    #expect(try await given(by: \.states) { $0.dispatch(StrayAction()) }.isEmpty)
  }

  @Test func `a part emits when its owner has run and the value differs`() async throws {
    let heard = try await given(by: { $0.states(\.count) }) { $0.dispatch(CountAction.add(1)) }
    #expect(heard == [1])
  }

  @Test func `a part that can be compared leaves equal values out`() async throws {
    let heard = try await given(by: { $0.states(\.count) }) { $0.dispatch(CountAction.keep) }
    #expect(heard.isEmpty)
  }

  @Test func `repeats that are kept are given`() async throws {
    let heard = try await given(by: { $0.states(\.count, repeats: .kept) }) {
      $0.dispatch(CountAction.keep)
    }
    #expect(heard == [0])
    let byLens = try await given(by: { $0.states(Lens(\Desk.count), repeats: .kept) }) {
      $0.dispatch(CountAction.keep)
    }
    #expect(byLens == [0])
  }

  @Test(.warnsOnPurpose) func `a part stays quiet when other owners have run`() async throws {
    let heard = try await given(by: { $0.states(\.count, repeats: .kept) }) {
      $0.dispatch(TitleAction.rename("T"))
      $0.dispatch(NoteAction.append(1))
      $0.dispatch(StrayAction())
    }
    #expect(heard.isEmpty)
  }

  @Test(.warnsOnPurpose) func `a computed property is looked at after every handled commit`()
    async throws
  {
    let afterNotes = try await given(by: { $0.states(\.summary, repeats: .kept) }) {
      $0.dispatch(NoteAction.append(1))
    }
    #expect(afterNotes == [": 0"])
    let afterCount = try await given(by: { $0.states(\.summary) }) {
      $0.dispatch(CountAction.add(2))
    }
    #expect(afterCount == [": 2"])
    let afterStray = try await given(by: { $0.states(\.summary, repeats: .kept) }) {
      $0.dispatch(StrayAction())
    }
    #expect(afterStray.isEmpty)
  }

  @Test func `a replacement concerns everybody`() async throws {
    let heard = try await given(by: { $0.states(\.count, repeats: .kept) }) {
      $0.replaceState(Desk())
    }
    #expect(heard == [0])
  }

  @Test func `values that cannot be compared are all given`() async throws {
    struct Page: Sendable { var text = "" }
    let store = Store(initialState: Page(), coverage: .partial)
    try store.register(
      Mutator(\Page.self) { (page: inout Page, action: TitleAction) in
        if case .rename(let text) = action { page.text = text }
      })
    var pages = store.states(\.self).makeAsyncIterator()
    #expect(await pages.next()?.text == "")
    store.dispatch(TitleAction.rename(""))
    #expect(await pages.next()?.text == "")
  }
}
