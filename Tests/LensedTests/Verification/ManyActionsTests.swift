import Foundation
import LensedPersistence
import LensedTestSupport
import Testing

@testable import Lensed

@Suite("Recordings of very many actions", .timeLimit(.minutes(30)))
struct ManyActionsTests {
  private struct Step: Action, Codable { var by = 1 }

  private func makeStore(_ middleware: [any Middleware<Int>] = []) -> Store<Int> {
    let store = Store(initialState: 0, coverage: .partial, middleware: middleware)
    // A fault here would show as a count that is wrong.
    try? store.register(
      Mutator(lens: Lens.identity) { (number: inout Int, step: Step) in number += step.by })
    return store
  }

  @Test func `one is recorded, replayed, written and read, and released on a small stack`() throws {
    let recorder = SessionRecorder<Int>()
    let store = makeStore([recorder])
    let commit = Array(repeating: Step(), count: 100)
    let commits = VerificationLength.big(10_000)
    for _ in 0..<commits { store.dispatch(commit) }
    let session = try #require(recorder.session)
    #expect(session.count == commits)
    let registry = ActionRegistry(
      ActionCoder(encode: { _ in "1" }, decode: { _, text in Step(by: Int(text) ?? 0) })
    ).adding(Step.self)
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).lensed")
    defer { try? FileManager.default.removeItem(at: file) }
    try session.write(to: file, registry)
    let read = Parcel(try RecordedSession<Int>(reading: file, registry))
    let seen = Recorder<Int>()
    SmallStack.run { [self] in
      guard let session = read.take() else { return }
      let fresh = makeStore()
      fresh.replay(session)
      seen.append(fresh.state)
    }
    #expect(seen.values == [commits * 100])
  }

  @Test func `thousands of sessions put after one another are one, in linear time`() throws {
    let steps: [RecordedSession<Int>.Step] = [.actions([Step()], from: nil)]
    let day = RecordedSession(initial: 0, steps: steps)
    var all = day
    let days = VerificationLength.big(20_000)
    for _ in 1..<days { all = all.followed(by: day) }
    #expect(all.count == 2 * days - 1)
    let fresh = makeStore()
    fresh.replay(all)
    #expect(fresh.state == 1)
  }

  @Test func `a session that was followed twice is followed by each alone`() {
    func session(_ initial: Int, _ count: Int) -> RecordedSession<Int> {
      RecordedSession(
        initial: initial, steps: Array(repeating: .actions([Step()], from: nil), count: count))
    }
    let start = session(0, 2)
    let (one, two) = (start.followed(by: session(10, 1)), start.followed(by: session(20, 3)))
    let twice = one.followed(by: one)
    func states(_ session: RecordedSession<Int>) -> [Int] {
      var states: [Int] = []
      makeStore().replay(session) { _, state in states.append(state) }
      return states
    }
    #expect(states(start) == [1, 2])
    #expect(states(one) == [1, 2, 10, 11])
    #expect(states(two) == [1, 2, 20, 21, 22, 23])
    #expect(states(twice) == [1, 2, 10, 11, 0, 1, 2, 10, 11])
  }

  @Test func `a session that is held does not make the next commit copy all`() throws {
    let recorder = SessionRecorder<Int>()
    let store = makeStore([recorder])
    var held: [RecordedSession<Int>] = []
    let commits = VerificationLength.big(20_000)
    for _ in 0..<commits {
      store.dispatch(Step())
      if let session = recorder.session { held.append(session) }
    }
    #expect(held.map(\.count) == Array(1...commits))
    #expect(held[commits / 2].steps.count == commits / 2 + 1)
  }

  @Test func `a full history of thousands of commits forgets one without moving the others`() throws
  {
    let limit = VerificationLength.big(20_000)
    let history = History<Int>(limit: limit)
    let store = makeStore([history])
    for _ in 0..<3 * limit { store.dispatch(Step()) }
    #expect(history.entries.map(\.state) == Array(2 * limit...3 * limit))
    #expect(history.jump(to: UInt64(2 * limit + 1)))
    #expect(store.state == 2 * limit + 1)
  }
}
