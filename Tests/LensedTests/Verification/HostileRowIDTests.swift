import Lensed
import LensedTestSupport
import Testing

/// To read a row, the store looks for its id under the lock; and so it does for the record of an observed row.
@Suite("Hostile ids of rows: their `==` traps where it enters the store", .timeLimit(.minutes(30)))
struct HostileRowIDTests {
  private typealias Item = HostileScene.Item
  private typealias Thing = HostileScene.Thing

  /// What reads a row; it does not keep the store.
  enum Reader: CaseIterable, Codable {
    case subscription, property

    fileprivate func read(_ scope: ScopedStore<HostileScene.Attic>) {
      let id = Thing(number: 1)
      switch self {
      case .subscription: scope.states(\.items, id: id).subscribe { _ in }.cancel()
      case .property: _ = scope[\.items, id: id]
      }
    }
  }

  @Test(arguments: Reader.allCases, Misdeed.allCases)
  func `the id of an element, as a row is read`(reader: Reader, misdeed: Misdeed) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [reader, misdeed] in
      let scene = try HostileScene(misdeed)
      scene.store?.replaceState(.init(items: [Item(id: scene.touchyThing())]))
      scene.arm()
      reader.read(scene.scope)
    }
    expect(result, misdeed)
  }

  @Test(arguments: [Misdeed.dispatch, .subscribe])
  func `the id of an element, as an observed store reads a row`(misdeed: Misdeed) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [misdeed] in
      let scene = try HostileScene(misdeed)
      let store = try #require(scene.store)
      store.replaceState(.init(items: [Item(id: scene.touchyThing())]))
      scene.arm()
      await MainActor.run { _ = ObservedStore(store)[\.items, id: Thing(number: 1)] }
    }
    expect(result, misdeed)
  }

  @Test(arguments: Misdeed.allCases)
  func `the id of another observer's row`(misdeed: Misdeed) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [misdeed] in
      let scene = try HostileScene(misdeed)
      let other = scene.scope.states(\.items, id: scene.touchyThing()).subscribe { _ in }
      scene.arm()
      Reader.subscription.read(scene.scope)
      other.cancel()
    }
    expect(result, misdeed)
  }

  private func expect(
    _ result: ExitTest.Result?, _ misdeed: Misdeed,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let words =
      switch misdeed {
      case .dispatch: "dispatched `CountAction` at"
      case .subscribe: "observed or read the store"
      case .drop: "let go of the last reference to the store"
      }
    let message = result?.message ?? ""
    #expect(message.contains(words), "\(message)", sourceLocation: sourceLocation)
  }
}
