import Lensed
import LensedTestSupport
import Testing

/// The rows of the table in the article `Concurrency`, in its order: a test for each, and in each test
/// every misdeed.
@Suite("Hostile values: outside of reducers they may do what they like", .timeLimit(.minutes(30)))
struct HostileValueTests {
  private typealias Scene = HostileScene
  private typealias Thing = HostileScene.Thing

  /// Plays a scene in which the misdeed is done once, and looks at what came of it.
  private func play(
    _ misdeed: Misdeed, strikes: Int = 1, sourceLocation: SourceLocation = #_sourceLocation,
    _ play: (Scene) async throws -> Void
  ) async throws {
    let scene = try Scene(misdeed)
    weak let store = scene.store
    try await play(scene)
    #expect(scene.struck.value == strikes, "struck", sourceLocation: sourceLocation)
    switch misdeed {
    case .dispatch: #expect(scene.scope.count == strikes, sourceLocation: sourceLocation)
    case .subscribe: #expect(scene.heard.count == strikes, sourceLocation: sourceLocation)
    case .drop: #expect(store == nil, sourceLocation: sourceLocation)
    }
    // With the last thing that it holds, the scene lets go of itself.
    scene.drop()
    #expect(store == nil, "the store went", sourceLocation: sourceLocation)
  }

  @Test(arguments: Misdeed.allCases)
  func `the deinit of a replaced state`(misdeed: Misdeed) async throws {
    try await play(misdeed) { scene in
      scene.store?.replaceState(.init(thing: scene.bellThing()))
      scene.store?.replaceState(.init())
    }
  }

  @Test(arguments: Misdeed.allCases)
  func `the deinit of a snapshot`(misdeed: Misdeed) async throws {
    try await play(misdeed) { scene in
      scene.store?.replaceState(.init(thing: scene.bellThing()))
      let snapshot = scene.scope.state
      scene.scope.dispatch(HostileScene.Put(thing: Thing()))
      withExtendedLifetime(snapshot) {}
    }
  }

  @Test(.warnsOnPurpose, arguments: Misdeed.allCases)
  func `the deinit of an action, alone or in a list`(misdeed: Misdeed) async throws {
    try await play(misdeed) { $0.scope.dispatch(HostileScene.Carry(thing: $0.bellThing())) }
    try await play(misdeed) { $0.scope.dispatch([HostileScene.Carry(thing: $0.bellThing())]) }
    try await play(misdeed) { scene in
      scene.scope.dispatch([HostileScene.Carry(thing: scene.bellThing()), StrayAction()])
    }
    try await play(misdeed) { scene in
      let one: any Action = HostileScene.Carry(thing: scene.bellThing())
      scene.scope.dispatch(one)
    }
  }

  @Test(arguments: Misdeed.allCases)
  func `the deinit of an element of a sequence, and of the sequence`(
    misdeed: Misdeed
  ) async throws {
    try await play(misdeed) { scene in
      let bell = Locked<Thing?>(scene.bellThing())
      let carries = AsyncStream(unfolding: {
        bell.withLock { $0.take() }.map { HostileScene.Carry(thing: $0) }
      })
      try await scene.scope.dispatch(carries).finish()
    }
    try await play(misdeed) { scene in
      let task = Self.dispatch(capturing: scene.bellThing(), to: scene.scope)
      try await task.finish()
      // The stream goes with the task that read it, which is a little later than its end.
      while scene.struck.value == 0 { await Task.yield() }
    }
  }

  private static func dispatch(
    capturing thing: Thing, to scope: ScopedStore<Scene.Attic>
  ) -> DispatchTask {
    scope.dispatch(
      ScriptedActions(giving: HostileScene.Carry()).map { [thing] action in
        withExtendedLifetime(thing) { action }
      })
  }

  @Test(arguments: Misdeed.allCases)
  func `the deinit of a value that was delivered`(misdeed: Misdeed) async throws {
    try await play(misdeed) { scene in
      let subscription = scene.scope.states.subscribe { _ in }
      scene.store?.replaceState(.init(thing: scene.bellThing()))
      scene.store?.replaceState(.init())
      subscription.cancel()
    }
  }

  @Test(arguments: Misdeed.allCases)
  func `the deinit of a value that waited for a delivery nobody wanted`(
    misdeed: Misdeed
  ) async throws {
    try await play(misdeed) { scene in
      let own = Locked<StoreSubscription?>(nil)
      let things = scene.scope.states(Lens(\.thing), repeats: .kept)
      let subscription = things.subscribe { [scene] thing in
        guard thing.number == 1 else { return }
        scene.scope.dispatch(HostileScene.Put(thing: scene.bellThing(2)))
        scene.scope.dispatch(HostileScene.Put(thing: Thing()))
        own.withLock { $0.take() }?.cancel()
      }
      own.withLock { $0 = subscription }
      scene.scope.dispatch(HostileScene.Put(thing: Thing(number: 1)))
    }
  }

  @Test(arguments: Misdeed.allCases)
  func `the deinit of the value an operator kept`(misdeed: Misdeed) async throws {
    try await play(misdeed) { scene in
      let subscription = scene.scope.states(\.thing).subscribe { _ in }
      scene.scope.dispatch(HostileScene.Put(thing: scene.bellThing()))
      scene.scope.dispatch(HostileScene.Put(thing: Thing()))
      subscription.cancel()
    }
    try await play(misdeed) { scene in
      let things = scene.scope.states(\.thing, repeats: .kept)
      let subscription = things.combineLatest(scene.scope.states(\.count)).subscribe { _ in }
      scene.scope.dispatch(HostileScene.Put(thing: scene.bellThing()))
      scene.scope.dispatch(HostileScene.Put(thing: Thing()))
      subscription.cancel()
    }
    try await play(misdeed) { scene in
      var things = scene.scope.states(\.thing).makeAsyncIterator()
      scene.scope.dispatch(HostileScene.Put(thing: scene.bellThing()))
      _ = await things.next()
      scene.scope.dispatch(HostileScene.Put(thing: Thing()))
      _ = await things.next()
    }
  }

  @Test(.warnsOnPurpose, arguments: Misdeed.allCases)
  func `the deinit of a change: dropped, left, or the state before it`(
    misdeed: Misdeed
  ) async throws {
    for end in [ChangeBuffering.End.oldest, .newest] {
      try await play(misdeed) { scene in
        let changes = scene.store?.changes(buffering: .bounded(1, dropping: end))
        let iterator = changes?.makeAsyncIterator()
        if end == .newest { scene.scope.dispatch(StrayAction()) }
        scene.scope.dispatch(HostileScene.Carry(thing: scene.bellThing()))
        scene.scope.dispatch(StrayAction())
        withExtendedLifetime(iterator) {}
      }
    }
    try await play(misdeed) { scene in
      let iterator = scene.store?.changes().makeAsyncIterator()
      scene.scope.dispatch(HostileScene.Carry(thing: scene.bellThing()))
      withExtendedLifetime(iterator) {}
    }
    try await play(misdeed) { scene in
      scene.store?.replaceState(.init(thing: scene.bellThing()))
      let iterator = scene.store?.changes(keepingPrevious: true).makeAsyncIterator()
      scene.scope.dispatch(HostileScene.Put(thing: Thing()))
      withExtendedLifetime(iterator) {}
    }
  }

  @Test(arguments: Misdeed.allCases)
  func `the deinit of what a callback or an operator held`(misdeed: Misdeed) async throws {
    try await play(misdeed) { scene in
      let bell = scene.bellThing()
      let subscription = scene.scope.states(\.count).subscribe { [bell] _ in _ = bell }
      subscription.cancel()
      withExtendedLifetime(bell) {}
    }
    try await play(misdeed) { scene in
      let bell = scene.bellThing()
      let subscription = scene.scope.states(\.count).map { [bell] _ in bell.number }
        .subscribe { _ in }
      subscription.cancel()
    }
    // Cancelled by itself, in the middle of a delivery.
    try await play(misdeed) { scene in
      let own = Locked<StoreSubscription?>(nil)
      let bell = scene.bellThing()
      let subscription = scene.scope.states(\.thing.number).subscribe { [bell] number in
        if number == bell.number { own.withLock { $0.take() }?.cancel() }
      }
      own.withLock { $0 = subscription }
      scene.scope.dispatch(HostileScene.Put(thing: Thing(number: 1)))
    }
  }

  @Test(arguments: Misdeed.allCases)
  func `the deinit of what a reducer held`(misdeed: Misdeed) async throws {
    try await play(misdeed) { scene in
      scene.store?.unregister(\.thing)
      do {
        let bell = scene.bellThing()
        try scene.store?.register(
          Mutator(\.thing) { [bell] (_: inout Thing, _: HostileScene.Carry) in _ = bell })
      }
      scene.scope.dispatch(HostileScene.Carry())
      #expect(scene.struck.value == 0)
      scene.store?.unregister(\.thing)
    }
    // One that is refused.
    try await play(misdeed) { scene in
      let bell = scene.bellThing()
      #expect(throws: RegistrationError.self) {
        try scene.store?.register(
          Mutator(\.thing) { [bell] (_: inout Thing, _: HostileScene.Carry) in _ = bell })
      }
    }
  }

  @Test(arguments: Misdeed.allCases)
  func `the deinit of the state of a store that goes`(misdeed: Misdeed) async throws {
    let scene = try Scene(misdeed)
    scene.store?.replaceState(.init(thing: scene.bellThing()))
    weak let store = scene.store
    // The scope keeps the last state; a reader that lags would too.
    scene.drop()
    #expect(store == nil)
    #expect(scene.struck.value == 0)
    let other = try Scene(misdeed)
    do {
      let store = try Store(initialState: other.bellThing()) {
        Mutator(\.number) { (number: inout Int, _: CountAction) in number += 1 }
        Constant(\.bell)
        Constant(\.scene)
      }
      store.dispatch(CountAction.add(1))
    }
    #expect(other.struck.value == 1)
    other.drop()
  }

  @Test(arguments: Misdeed.allCases)
  func `the == of a stream, in a callback and in an iterator`(misdeed: Misdeed) async throws {
    try await play(misdeed) { scene in
      let subscription = scene.scope.states(\.thing).subscribe { _ in }
      scene.scope.dispatch(HostileScene.Put(thing: scene.touchyThing()))
      scene.arm()
      scene.scope.dispatch(HostileScene.Put(thing: Thing(number: 2)))
      subscription.cancel()
    }
    try await play(misdeed) { scene in
      scene.scope.dispatch(HostileScene.Put(thing: scene.touchyThing()))
      var things = scene.scope.states(\.thing).makeAsyncIterator()
      _ = await things.next()
      scene.scope.dispatch(HostileScene.Put(thing: Thing(number: 2)))
      scene.arm()
      #expect(await things.next()?.number == 2)
    }
  }

  @Test(.warnsOnPurpose, arguments: Misdeed.allCases)
  func `the == of didChange`(misdeed: Misdeed) async throws {
    try await play(misdeed) { scene in
      scene.scope.dispatch(HostileScene.Put(thing: scene.touchyThing()))
      var changes = scene.store?.changes(keepingPrevious: true).makeAsyncIterator()
      scene.scope.dispatch(StrayAction())
      // Equal, and of other bytes: else `==` is not asked.
      scene.scope.dispatch(HostileScene.Put(thing: scene.touchyThing()))
      _ = await changes?.next()
      let change = await changes?.next()
      scene.arm()
      #expect(change?.didChange(\.thing) == false)
    }
  }
}
