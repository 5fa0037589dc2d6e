import Lensed
import LensedTestSupport
import Testing

@Suite("Hostile values: what runs for a reducer traps", .timeLimit(.minutes(30)))
struct HostileReducerTests {
  private typealias Scene = HostileScene
  private typealias Thing = HostileScene.Thing

  /// What the message says that the culprit did.
  private func words(for misdeed: Misdeed) -> String {
    switch misdeed {
    case .dispatch: "dispatched `CountAction` at"
    case .subscribe: "observed or read the store"
    case .drop: "let go of the last reference to the store"
    }
  }

  private func expect(
    _ result: ExitTest.Result?, names property: String, _ misdeed: Misdeed,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let message = result?.message ?? ""
    #expect(message.contains("`\(property)`"), sourceLocation: sourceLocation)
    #expect(message.contains(words(for: misdeed)), "\(message)", sourceLocation: sourceLocation)
  }

  @Test(arguments: Misdeed.allCases)
  func `the deinit of what a reducer overwrites`(misdeed: Misdeed) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [misdeed] in
      let scene = try Scene(misdeed)
      scene.store?.replaceState(.init(thing: scene.bellThing()))
      scene.scope.dispatch(HostileScene.Put(thing: Thing()))
    }
    expect(result, names: "thing", misdeed)
  }

  @Test(arguments: Misdeed.allCases)
  func `the deinit of what a lens overwrites`(misdeed: Misdeed) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [misdeed] in
      let scene = try Scene(misdeed)
      scene.store?.unregister(\.thing)
      let lens = Lens<HostileScene.Attic, Thing>(
        name: "thing", get: { $0.thing },
        modify: { attic, body in
          body(&attic.thing)
          attic.thing.bell = nil
        })
      try scene.store?.register(
        Mutator(lens: lens) { (_: inout Thing, _: HostileScene.Put) in })
      scene.store?.replaceState(.init(thing: scene.bellThing()))
      scene.scope.dispatch(HostileScene.Put(thing: Thing()))
    }
    expect(result, names: "thing", misdeed)
  }

  @Test(arguments: Misdeed.allCases)
  func `the == that a reducer calls`(misdeed: Misdeed) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [misdeed] in
      let scene = try Scene(misdeed)
      scene.store?.replaceState(.init(thing: scene.touchyThing()))
      scene.arm()
      scene.scope.dispatch(HostileScene.Compare())
    }
    expect(result, names: "thing", misdeed)
  }

  @Test(arguments: Misdeed.allCases)
  func `the hash of a key`(misdeed: Misdeed) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [misdeed] in
      let scene = try Scene(misdeed)
      let key = scene.touchyThing()
      scene.store?.replaceState(.init(shelf: [key: 1]))
      scene.arm()
      scene.scope.dispatch(ElementAction(id: key, action: CountAction.add(1)))
    }
    expect(result, names: "shelf", misdeed)
  }

  @Test(arguments: Misdeed.allCases)
  func `the == of a key`(misdeed: Misdeed) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [misdeed] in
      let scene = try Scene(misdeed)
      scene.store?.replaceState(.init(shelf: [scene.touchyThing(): 1]))
      scene.arm()
      // This key's own hash is harmless; it is compared with the one that is there.
      scene.scope.dispatch(ElementAction(id: Thing(number: 1), action: CountAction.add(1)))
    }
    expect(result, names: "shelf", misdeed)
  }

  @Test(arguments: Misdeed.allCases)
  func `the == of an identity`(misdeed: Misdeed) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [misdeed] in
      let scene = try Scene(misdeed)
      let item = HostileScene.Item(id: scene.touchyThing())
      scene.store?.replaceState(.init(items: [item]))
      scene.arm()
      scene.scope.dispatch(ElementAction(id: item.id, action: CountAction.add(1)))
    }
    expect(result, names: "items", misdeed)
  }
}
