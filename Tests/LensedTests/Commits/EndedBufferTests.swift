import LensedTestSupport
import Testing

@testable import Lensed

@Suite("A buffer of changes that has ended gives what it has, and takes no more")
struct EndedBufferTests {
  @Test func `the next commit strikes it off the log, and its reader is given nil`() async throws {
    let store = try Desk.makeStore()
    var changes = store.changes().makeAsyncIterator()
    store.dispatch(CountAction.add(1))
    changes.buffer.end()
    #expect(store.core.isRecording)
    store.dispatch(CountAction.add(2))
    #expect(!store.core.isRecording)
    let (first, second) = (await changes.next(), await changes.next())
    #expect(first?.state.count == 1)
    #expect(second?.revision == nil)
  }

  @Test func `a request leaves none behind, answered or not`() async throws {
    let store = try Desk.makeStore()
    let answer = try await store.request(CountAction.add(1), answeredBy: CountAction.self)
    #expect(answer == .add(1))
    store.dispatch(CountAction.add(2))
    #expect(!store.core.isRecording)
    await #expect(throws: RequestError.self) {
      try await store.request(CountAction.add(1), answeredBy: TitleAction.self)
    }
    store.dispatch(CountAction.add(2))
    #expect(!store.core.isRecording)
  }
}

extension StoreCore {
  fileprivate var isRecording: Bool {
    withLock("looked at the readers of changes") { !$0.log.isEmpty }
  }
}
