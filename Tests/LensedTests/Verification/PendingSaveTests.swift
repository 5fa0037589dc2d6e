import Lensed
import LensedTestSupport
import Testing

/// Stories in which a cancellation used to lose what somebody had written.
@Suite("A pending save outlives whoever made it necessary", .timeLimit(.minutes(30)))
struct PendingSaveTests {
  private struct Recording: Sendable {
    var screen: Int? = 1
    var meetings: [String] = []
    var draft = ""
  }

  private struct Finish: Action {}
  private struct Finished: Action {}
  private struct Typed: Action {
    let text: String
  }
  private struct Import: Action {}

  private let clock = ManualClock()
  private let saved = Recorder<[String]>()
  private let drafts = Recorder<String>()

  private func store(
    @StoreBuilder<Recording> _ parts: () -> [StorePart<Recording>]
  ) throws -> Store<Recording> {
    try Store(initialState: Recording(), coverage: .partial) {
      Mutator(\Recording.screen) { (screen: inout Int?, _: Finished) in screen = nil }
      Mutator(\Recording.meetings) { (meetings: inout [String], _: Finished) in
        meetings.append("meeting")
      }
      Mutator(\Recording.draft) { (draft: inout String, typed: Typed) in draft += typed.text }
      Effect<Recording>(whenChanged: \.meetings) { [saved] meetings, _ in saved.append(meetings) }
        .debounced(for: .seconds(1), clock: clock)
      Effect<Recording>(whenChanged: \.draft, .latest) { [drafts] draft, _ in
        drafts.append(draft)
      }
      .debounced(for: .seconds(1), clock: clock)
      parts()
    }
  }

  @Test func `a screen that closes itself has its meeting saved`() async throws {
    let store = try store {
      Effect<Recording>(on: Finish.self) { _, context in
        context.dispatch(Finished())
      }
      .tied(to: \.screen)
    }
    let task = store.dispatch(Finish())
    try await task.finish(.applied)
    #expect(await clock.soonSleeps())
    #expect(store.screen == nil)
    clock.move(by: .seconds(1))
    try await task.finish()
    #expect(saved.values == [["meeting"]])
  }

  @Test func `a screen that is closed by the reducer it waits for has its meeting saved`()
    async throws
  {
    let store = try store {
      Effect<Recording>(on: Finish.self) { _, context in
        try? await context.dispatch(Finished()).finish()
      }
      .tied(to: \.screen)
    }
    let task = store.dispatch(Finish())
    #expect(await clock.soonSleeps())
    clock.move(by: .seconds(1))
    try await task.finish()
    #expect(saved.values == [["meeting"]])
  }

  @Test(arguments: [true, false])
  func `a cancelled import leaves the save of what was typed before it`(
    asSequence: Bool
  ) async throws {
    let imported = Gate()
    let store = try store {
      Effect<Recording>(on: Import.self) { _, context in
        context.dispatch(Typed(text: "b"))
        imported.open()
        try await Gate().wait()
      }
    }
    store.dispatch(Typed(text: "a"))
    await clock.waitForSleeps(1)
    let task: DispatchTask
    if asSequence {
      let (texts, feed) = AsyncStream.makeStream(of: Typed.self)
      feed.yield(Typed(text: "b"))
      task = store.dispatch(texts)
    } else {
      task = store.dispatch(Import())
      try await imported.wait()
    }
    await clock.waitForSleeps(2)
    task.cancel()
    clock.move(by: .seconds(1))
    await Threads.apart { Threads.wait { drafts.count > 0 } }
    #expect(drafts.values == ["ab"])
    #expect(store.draft == "ab")
  }

  @Test func `an effect that the pending save would replace does not end it either`()
    async throws
  {
    // The save belongs to the state: its own ties, cancellers and removal still end it.
    let store = try store {}
    let installed = store.install(
      Effect<Recording>(whenChanged: \.draft) { [drafts] draft, _ in drafts.append("late " + draft)
      }
      .debounced(for: .seconds(1), clock: clock).cancelled(on: Finish.self))
    let task = store.dispatch(Typed(text: "a"))
    await clock.waitForSleeps(2)
    store.dispatch(Finish())
    clock.move(by: .seconds(1))
    try await task.finish()
    #expect(drafts.values == ["a"])
    installed.cancel()
  }
}
