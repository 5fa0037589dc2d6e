import Lensed
import LensedTestSupport
import Testing

/// Ties, policies and cancellers act in the commit itself: whatever happens before it is delivered comes too late.
@Suite("What a commit decides of effects is decided in it", .timeLimit(.minutes(30)))
struct DecidedInCommitTests {
  struct Session: Sendable, Identifiable, Equatable { let id: Int }
  struct App: Sendable {
    var pongs: [Int] = []
    var cancels = 0
    var session: Session? = Session(id: 1)
  }
  struct Ping: Action { var number = 0 }
  struct Pong: Action { var number = 0 }
  struct Cancel: Action {}
  struct Begin: Action { let session: Session? }

  private func store(@StoreBuilder<App> _ effects: () -> [StorePart<App>]) throws -> Store<App> {
    try Store(initialState: App(), coverage: .partial) {
      Mutator(\App.pongs) { (pongs: inout [Int], pong: Pong) in pongs.append(pong.number) }
      Mutator(\App.cancels) { (cancels: inout Int, _: Cancel) in cancels += 1 }
      Mutator(\App.session) { (session: inout Session?, begin: Begin) in session = begin.session }
      effects()
    }
  }

  private func answer(_ policy: EffectPolicy = .concurrent) -> Effect<App> {
    Effect<App>(on: Ping.self, policy) { ping, _ in Pong(number: ping.number) }
  }

  private let policies: [EffectPolicy] = [.concurrent, .latest, .first, .serial, .limited(2)]

  @Test func `a trigger before a cancel in one array answers nothing, and one behind it answers`()
    async throws
  {
    for policy in policies {
      let store = try store { answer(policy).cancelled(on: Cancel.self) }
      try await store.dispatch([Ping(number: 1), Cancel()]).finish()
      #expect(store.pongs == [], "\(policy)")
      try await store.dispatch([Cancel(), Ping(number: 2)]).finish()
      #expect(store.pongs == [2], "\(policy)")
    }
  }

  @Test func `of three triggers in one array only the last one runs under latest`() async throws {
    let store = try store { answer(.latest) }
    for _ in 0..<50 { try await store.dispatch((1...3).map { Ping(number: $0) }).finish() }
    #expect(store.pongs == [Int](repeating: 3, count: 50))
  }

  @Test(arguments: [false, true])
  func `a cancel by an observer of the same commit reaches what it has begun`(isConditional: Bool)
    async throws
  {
    let release = Gate()
    var condition: (@Sendable (Ping, Change<App>) -> Bool)?
    if isConditional { condition = { _, _ in true } }
    let store = try Store(initialState: App(), coverage: .partial) {
      Mutator(\App.pongs) { (pongs: inout [Int], pong: Pong) in pongs.append(pong.number) }
        .on(Ping.self) { pongs, ping in pongs.append(-ping.number) }
      Effect<App>(on: Ping.self, when: condition) { ping, _ in
        await Task { try? await release.wait() }.value
        return Pong(number: ping.number)
      }
      .cancelled(on: Cancel.self)
    }
    let observer = store.states(\.pongs).subscribe { pongs in
      if pongs == [-1] { store.dispatch(Cancel()) }
    }
    let task = store.dispatch(Ping(number: 1))
    release.open()
    try await task.finish()
    #expect(store.pongs == [-1])
    observer.cancel()
  }

  @Test func `a tie that an observer of the same commit removes ends what it has begun`()
    async throws
  {
    let release = Gate()
    let store = try Store(initialState: App(), coverage: .partial) {
      Mutator(\App.pongs) { (pongs: inout [Int], pong: Pong) in pongs.append(pong.number) }
        .on(Ping.self) { pongs, ping in pongs.append(-ping.number) }
      Mutator(\App.session) { (session: inout Session?, begin: Begin) in session = begin.session }
      Effect<App>(on: Ping.self) { ping, _ in
        await Task { try? await release.wait() }.value
        return Pong(number: ping.number)
      }
      .tied(to: \.session)
    }
    let observer = store.states(\.pongs).subscribe { pongs in
      if pongs == [-1] { store.dispatch(Begin(session: Session(id: 2))) }
    }
    let task = store.dispatch(Ping(number: 1))
    release.open()
    try await task.finish()
    #expect(store.pongs == [-1])
    observer.cancel()
  }

  @Test func `what has a condition is reached by a later cancel before it was delivered`()
    async throws
  {
    let store = try Store(initialState: App(), coverage: .partial) {
      Mutator(\App.pongs) { (pongs: inout [Int], pong: Pong) in pongs.append(pong.number) }
      Mutator(\App.cancels) { (cancels: inout Int, _: Cancel) in cancels += 1 }
      Effect<App>(on: Ping.self, when: { _, _ in true }) { ping, _ in Pong(number: ping.number) }
        .cancelled(on: Cancel.self)
    }
    try await store.dispatch([Ping(number: 1), Cancel()]).finish()
    try await store.dispatch([Cancel(), Ping(number: 2)]).finish()
    #expect(store.pongs == [2])
    // The observer's own commits are delivered once it returns.
    let observer = store.states(\.cancels).subscribe { cancels in
      guard cancels == 3 else { return }
      store.dispatch(Ping(number: 3))
      store.dispatch(Cancel())
      store.dispatch(Ping(number: 4))
    }
    try await store.dispatch(Cancel()).finish()
    try await store.settled()
    #expect(store.pongs == [2, 4])
    observer.cancel()
  }

  @Test func `a conditional cancel leaves what was triggered after it`() async throws {
    let (release, begun) = (Gate(), Recorder<Int>())
    let store = try Store(initialState: App(), coverage: .partial) {
      Mutator(\App.pongs) { (pongs: inout [Int], pong: Pong) in pongs.append(pong.number) }
      Mutator(\App.cancels) { (cancels: inout Int, _: Cancel) in cancels += 1 }
      Effect<App>(on: Ping.self) { ping, _ in
        begun.append(ping.number)
        await Task { try? await release.wait() }.value
        return Pong(number: ping.number)
      }
      .cancelled(on: Cancel.self, where: { _, _ in true })
    }
    let task = store.dispatch([Ping(number: 1), Cancel(), Ping(number: 2)])
    release.open()
    try await task.finish()
    #expect(store.pongs == [2])
  }

  @Test func `what an ended run dispatches is cancelled, and its wait says so`() async throws {
    let (release, seen) = (Gate(), Recorder<Bool>())
    let store = try store {
      Effect<App>(on: Ping.self) { _, context in
        await Task { try? await release.wait() }.value
        let task = context.dispatch(Pong(number: 1))
        let isThrown = await Result { try await task.finish() }.isCancellation
        let list = context.dispatch([Pong(number: 2), Pong(number: 3)])
        seen.append(task.isCancelled && isThrown && list.isCancelled)
        seen.append(task.revision == nil && task.isHandled == nil)
      }
      .cancelled(on: Cancel.self)
    }
    let task = store.dispatch(Ping())
    await release.waitForWaiters()
    store.dispatch(Cancel())
    release.open()
    try await task.finish()
    #expect(seen.values == [true, true])
    #expect(store.pongs == [])
  }

  @Test func `a dispatch knows the last commit that it made before it returned`() async throws {
    let store = try store { answer().cancelled(on: Cancel.self) }
    let fast = store.dispatch(Pong())
    #expect(fast.revision == 1 && fast.isHandled == true)
    let slow = store.dispatch([Ping(), Cancel()])
    #expect(slow.revision == 2 && slow.isHandled == true)
    let unhandled = store.dispatch([Ping()])
    #expect(unhandled.revision == 3 && unhandled.isHandled == false)
    let none = store.dispatch([Ping]())
    #expect(none.revision == nil && none.isHandled == nil)
    let sequence = AsyncStream<Pong> { $0.finish() }
    let list = store.dispatch([Pong(), AsyncActions(sequence)] as [any Action])
    #expect(list.revision != nil)
    #expect(store.dispatch(AsyncActions(sequence)).revision == nil)
    try await list.finish()
    #expect(MemoryLayout<DispatchTask>.size == 16)
    try await store.settled()
  }
}

extension Result where Success == Void, Failure == any Error {
  fileprivate init(_ body: () async throws -> Void) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }

  fileprivate var isCancellation: Bool {
    if case .failure(let error) = self { error is CancellationError } else { false }
  }
}
