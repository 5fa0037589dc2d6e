import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite("A sequence that is cancelled", .timeLimit(.minutes(30)))
struct CancelledSequenceTests {
  /// Notes that it is asked for an element, waits, and has none.
  private struct Asked: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let name: String
    let asked: Recorder<String>
    var gate = Gate()

    func makeAsyncIterator() -> Asked { self }

    func next() async -> CountAction? {
      asked.append(name)
      try? await gate.wait()
      return nil
    }
  }

  private func makeStore() -> Store<Desk> {
    let store = Store(initialState: Desk(), coverage: .partial)
    try? store.register(Desk.countMutator)
    return store
  }

  /// Something else may wait for the end of the sequence: the other side of an `AsyncStream` does.
  @Test func `before it was pulled is pulled once, by itself and in a list`() async {
    for _ in 0..<50 {
      let (store, asked) = (makeStore(), Recorder<String>())
      store.dispatch(Asked(name: "alone", asked: asked)).cancel()
      store.dispatch([CountAction.add(1), AsyncActions(Asked(name: "listed", asked: asked))])
        .cancel()
      await asked.waitForCount(2)
      try? await store.settled()
      #expect(Set(asked.values) == ["alone", "listed"])
    }
  }

  @Test func `ends its list: the sequences after it are never asked`() async {
    let (store, asked) = (makeStore(), Recorder<String>())
    let task = store.dispatch([
      AsyncActions(Asked(name: "first", asked: asked)),
      AsyncActions(Asked(name: "second", asked: asked)),
    ])
    await asked.waitForCount(1)
    task.cancel()
    try? await store.settled()
    #expect(asked.values == ["first"])
  }

  @Test func `ends what it is concatenated with, too`() async {
    let (store, asked) = (makeStore(), Recorder<String>())
    let task = store.dispatch(
      AsyncActions.concat(
        Asked(name: "first", asked: asked), Asked(name: "second", asked: asked)))
    await asked.waitForCount(1)
    task.cancel()
    try? await store.settled()
    #expect(asked.values == ["first"])
  }
}
