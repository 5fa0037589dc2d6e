import Lensed
import LensedTesting
import Testing

/// A studio whose time stands still until a test moves it.
private struct FakeStudio: Sendable {
  let clock = ManualClock()
  /// What was asked of it, in order.
  let asked = Recorder<String>()
  let removals = Gate()
  var memos: [Memo] = []
  var refusal: Refusal?

  struct Refusal: Error, CustomStringConvertible { let description: String }

  var studio: Studio {
    Studio(
      record: {
        if let refusal { throw refusal }
        asked.append("record")
      },
      stopRecording: { asked.append("stop recording") },
      play: { id in
        if let refusal { throw refusal }
        asked.append("play \(id)")
      },
      stopPlaying: { id in asked.append("stop \(id)") },
      load: { memos },
      remove: { id in
        try await removals.wait()
        if let refusal { throw refusal }
        asked.append("remove \(id)")
      },
      clock: clock)
  }

  func test(_ state: Dictaphone = Dictaphone()) throws -> TestStore<Dictaphone> {
    try TestStore(initialState: state, Dictaphone.feature(studio))
  }
}

private let two = Dictaphone(memos: [
  Memo(id: 1, length: .seconds(2), title: "Shopping"),
  Memo(id: 2, length: .milliseconds(1500), title: "A tune"),
])

@Suite("Dictaphone: takes", .timeLimit(.minutes(30)))
struct TakeTests {
  @Test func `a take counts its seconds, and becomes a memo when it is stopped`() async throws {
    let fake = FakeStudio()
    let test = try fake.test()
    await test.dispatch(StartTake()) { $0.take = Take() }
    await fake.clock.advance(by: .seconds(2))
    await test.receive(Ticked()) { $0.take?.elapsed = .seconds(1) }
    await test.receive(Ticked()) { $0.take?.elapsed = .seconds(2) }
    await test.dispatch(StopTake()) { $0.take?.isStopping = true }
    await test.receive(TakeDelegate.finished(.seconds(2))) {
      $0.take = nil
      $0.memos.append(Memo(id: 1, length: .seconds(2), title: "Memo 1"))
    }
    await test.finish()
    #expect(fake.asked.values == ["record", "stop recording"])
  }

  @Test func `a take that is thrown away leaves nothing`() async throws {
    let fake = FakeStudio()
    let test = try fake.test()
    await test.dispatch(StartTake()) { $0.take = Take() }
    await fake.clock.advance(by: .seconds(1))
    await test.receive(Ticked()) { $0.take?.elapsed = .seconds(1) }
    await test.dispatch(DiscardTake()) { $0.take = nil }
    await fake.clock.advance(by: .seconds(5))
    await test.finish()
    #expect(fake.asked.values == ["record", "stop recording"])
  }

  @Test func `a microphone that is refused is a notice, which the next take takes away`()
    async throws
  {
    var fake = FakeStudio()
    fake.refusal = FakeStudio.Refusal(description: "no microphone")
    let test = try fake.test()
    await test.dispatch(StartTake()) { $0.take = Take() }
    await test.receive(TakeDelegate.failed("no microphone")) {
      $0.take = nil
      $0.notice = "no microphone"
    }
    await test.finish()
    #expect(fake.asked.values == [])
  }

  @Test func `a second start changes nothing, and a stop without a take is reported`() async throws
  {
    let fake = FakeStudio()
    let test = try fake.test()
    await test.dispatch(StartTake()) { $0.take = Take() }
    await test.dispatch(StartTake())
    await test.dispatch(DiscardTake()) { $0.take = nil }
    await test.finish()
    #expect(fake.asked.values == ["record", "stop recording"])
  }

  @Test func `a take alone reports to nobody in particular`() async throws {
    let fake = FakeStudio()
    let test = try TestStore(initialState: Take(), Take.feature(fake.studio))
    await test.dispatch(StartTake())
    await fake.clock.advance(by: .seconds(1))
    await test.receive(Ticked()) { $0.elapsed = .seconds(1) }
    await test.dispatch(StopTake()) { $0.isStopping = true }
    await test.expectSent(TakeDelegate.finished(.seconds(1)))
    await test.finish()
  }
}

@Suite("Dictaphone: playing", .timeLimit(.minutes(30)))
struct PlayingTests {
  @Test func `a memo plays to its end, and shows where it is`() async throws {
    let fake = FakeStudio()
    let test = try fake.test(two)
    await test.dispatch(Play().element(2)) { $0.memos[id: 2]?.playing = Playing() }
    for position in [Duration.seconds(1), .milliseconds(1500)] {
      await fake.clock.advance(by: .seconds(1))
      await test.receive(Moved(position: position).element(2)) {
        $0.memos[id: 2]?.playing?.position = position
      }
    }
    await test.receive(PlaybackEnded().element(2)) { $0.memos[id: 2]?.playing = nil }
    await test.finish()
    #expect(fake.asked.values == ["play 2", "stop 2"])
  }

  @Test func `one memo plays at a time, and none during a take`() async throws {
    let fake = FakeStudio()
    let test = try fake.test(two)
    await test.dispatch(Play().element(1)) { $0.memos[id: 1]?.playing = Playing() }
    await test.dispatch(Play().element(2)) {
      $0.memos[id: 1]?.playing = nil
      $0.memos[id: 2]?.playing = Playing()
    }
    #expect(test.store[Dictaphone.playing].map(\.id) == [2])
    await test.dispatch(StartTake()) {
      $0.memos[id: 2]?.playing = nil
      $0.take = Take()
    }
    await test.dispatch(DiscardTake()) { $0.take = nil }
    await test.finish()
    #expect(
      Set(fake.asked.values) == [
        "play 1", "stop 1", "play 2", "stop 2", "record", "stop recording",
      ])
  }

  @Test func `stopping and playing again begins anew`() async throws {
    let fake = FakeStudio()
    let test = try fake.test(two)
    await test.dispatch(Play().element(1)) { $0.memos[id: 1]?.playing = Playing() }
    await fake.clock.advance(by: .seconds(1))
    await test.receive(Moved(position: .seconds(1)).element(1)) {
      $0.memos[id: 1]?.playing?.position = .seconds(1)
    }
    await test.dispatch(Stop().element(1)) { $0.memos[id: 1]?.playing = nil }
    await test.dispatch(Play().element(1)) { $0.memos[id: 1]?.playing = Playing() }
    let again = await test.dispatch(Play().element(1))
    #expect(again.isHandled == true)
    await test.dispatch(Stop().element(1)) { $0.memos[id: 1]?.playing = nil }
    await test.finish()
  }

  @Test func `a playback whose dispatch is cancelled is not shown as playing`() async throws {
    let fake = FakeStudio()
    let test = try fake.test(two)
    let playing = await test.dispatch(Play().element(1)) { $0.memos[id: 1]?.playing = Playing() }
    playing.cancel()
    await test.receive(PlaybackEnded().element(1)) { $0.memos[id: 1]?.playing = nil }
    await test.finish()
    #expect(fake.asked.values == ["play 1", "stop 1"])
  }

  @Test func `a loudspeaker that fails is a notice`() async throws {
    var fake = FakeStudio()
    fake.refusal = FakeStudio.Refusal(description: "no sound")
    let test = try fake.test(two)
    await test.dispatch(Play().element(1)) { $0.memos[id: 1]?.playing = Playing() }
    await test.receive(MemoDelegate.failed("no sound").element(1)) { $0.notice = "no sound" }
    await test.receive(PlaybackEnded().element(1)) { $0.memos[id: 1]?.playing = nil }
    await test.finish()
  }
}

@Suite("Dictaphone: the list and its screens", .timeLimit(.minutes(30)))
struct ScreenTests {
  @Test func `memos are loaded, and sorted by length`() async throws {
    var fake = FakeStudio()
    fake.memos = Array(two.memos)
    let store = try Store(initialState: Dictaphone(), Dictaphone.feature(fake.studio))
    let loaded = try await store.request(Load(), answeredBy: Loaded.self)
    #expect(loaded.memos == fake.memos)
    #expect(store[Dictaphone.longest].map(\.id) == [2, 1])
  }

  @Test func `deleting a memo that plays ends its playback, and closes its screen`() async throws {
    let fake = FakeStudio()
    let test = try fake.test(two)
    await test.dispatch(Play().element(1)) { $0.memos[id: 1]?.playing = Playing() }
    await test.dispatch(Open.memo(1)) { $0.path = [.detail(Detail(id: 1, title: "Shopping"))] }
    await test.dispatch(Delete(id: 1)) {
      $0.memos[id: 1] = nil
      $0.path = []
    }
    await test.dispatch(Delete(id: 2)) { $0.memos[id: 2] = nil }
    fake.removals.open()
    await test.finish()
    #expect(fake.asked.values.filter { $0 != "stop 1" } == ["play 1", "remove 1", "remove 2"])
    #expect(fake.asked.values.contains("stop 1"))
  }

  @Test func `a disk that fails is a notice`() async throws {
    var fake = FakeStudio()
    fake.refusal = FakeStudio.Refusal(description: "read only")
    let test = try fake.test(two)
    fake.removals.open()
    await test.dispatch(Delete(id: 1)) { $0.memos[id: 1] = nil }
    await test.receive(Failed(reason: "read only")) { $0.notice = "read only" }
    await test.finish()
  }

  @Test func `a screen keeps its draft, and its report renames the memo`() async throws {
    let test = try FakeStudio().test(two)
    let screen = Screen.ID.memo(1)
    await test.dispatch(Open.memo(1)) { $0.path = [.detail(Detail(id: 1, title: "Shopping"))] }
    await test.dispatch(TitleTyped(title: "").element(screen)) {
      $0.path = [.detail(Detail(id: 1, title: ""))]
    }
    await test.dispatch(SaveTapped().element(screen)) {
      $0.path = [.detail(Detail(id: 1, title: "Untitled"))]
    }
    await test.receive(DetailDelegate.renamed("Untitled").element(screen)) {
      $0.memos[id: 1]?.title = "Untitled"
      $0.path = []
    }
    await test.finish()
  }

  @Test func `leaving a screen keeps the memo as it was`() async throws {
    let test = try FakeStudio().test(two)
    await test.dispatch(Open.memo(2)) { $0.path = [.detail(Detail(id: 2, title: "A tune"))] }
    await test.dispatch(TitleTyped(title: "Noise").element(Screen.ID.memo(2))) {
      $0.path = [.detail(Detail(id: 2, title: "Noise"))]
    }
    await test.dispatch(Back()) { $0.path = [] }
    await test.finish()
  }

  @Test func `a memo is deleted from its own screen`() async throws {
    let fake = FakeStudio()
    fake.removals.open()
    let test = try fake.test(two)
    await test.dispatch(Open.memo(1)) { $0.path = [.detail(Detail(id: 1, title: "Shopping"))] }
    await test.dispatch(DetailDelegate.deleted.element(Screen.ID.memo(1))) { $0.path = [] }
    await test.receive(Delete(id: 1)) { $0.memos[id: 1] = nil }
    await test.finish()
    #expect(fake.asked.values == ["remove 1"])
  }

  @Test func `preferences are a draft until they are done, and name the next memo`() async throws {
    let fake = FakeStudio()
    let test = try fake.test()
    await test.dispatch(Open.preferences) {
      $0.path = [.preferences(PreferencesForm(draft: Preferences()))]
    }
    await test.dispatch(PreferenceTyped.title("Idea").element(Screen.ID.preferences)) {
      $0.path = [.preferences(PreferencesForm(draft: Preferences(title: "Idea")))]
    }
    await test.dispatch(DoneTapped().element(Screen.ID.preferences))
    await test.receive(
      PreferencesDelegate.done(Preferences(title: "Idea")).element(Screen.ID.preferences)
    ) {
      $0.preferences.title = "Idea"
      $0.path = []
    }
    await test.dispatch(StartTake()) { $0.take = Take() }
    await fake.clock.advance(by: .seconds(1))
    await test.receive(Ticked()) { $0.take?.elapsed = .seconds(1) }
    await test.dispatch(StopTake()) { $0.take?.isStopping = true }
    await test.receive(TakeDelegate.self) {
      $0.take = nil
      $0.memos = [Memo(id: 1, length: .seconds(1), title: "Idea 1")]
    }
    await test.finish()
  }

  @Test func `a screen alone sends its parent what it reports`() async throws {
    let test = try TestStore(initialState: Detail(id: 7, title: "Old"), Detail.feature)
    await test.dispatch(TitleTyped(title: "New")) { $0.title = "New" }
    await test.dispatch(SaveTapped())
    await test.expectSent(DetailDelegate.renamed("New"))
    await test.finish()
  }
}
