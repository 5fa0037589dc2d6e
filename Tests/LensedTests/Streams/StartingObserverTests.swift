import LensedTestSupport
import Testing

@testable import Lensed

@Suite(
  "Commits between the registration of an observer and its first call are not lost",
  .timeLimit(.minutes(30)))
struct StartingObserverTests {
  /// As many as a subscriber delivers, fewer and more.
  static let counts = [0, 1, 16, 17, 40]

  enum Kind: CaseIterable, Sendable {
    case part, withoutRepeats, mapped, combined

    func stream(of store: Store<Desk>) -> StateStream<Int> {
      switch self {
      case .part: store.states(\.count, repeats: .kept)
      case .withoutRepeats: store.states(\.count)
      case .mapped: store.states.map(\.count)
      case .combined:
        store.states(\.count).combineLatest(store.states(\.title)) { first, _ in first }
      }
    }
  }

  @Test(arguments: Kind.allCases, counts)
  func `a subscriber is called for each of them, and for those after its first call`(
    kind: Kind, count: Int
  ) async throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    var pipeline = Pipeline()
    let next = kind.stream(of: store).connect(&pipeline)
    let parts = try #require(pipeline.stores.all.first)
    let observer = try #require(
      Observer.subscribe(parts.captures, on: parts.host) { revision, _ in
        if let value = next(revision) { heard.append(value) }
      })
    for _ in 0..<count { store.dispatch(CountAction.add(1)) }
    observer.start()
    for _ in 0..<2 { store.dispatch(CountAction.add(1)) }
    #expect(await heard.waitForCount(count + 3) == Array(0...count + 2))
  }

  /// An observed store is notified like this, and reads the state after it has registered.
  @Test func `an observer without a first call is called by the deliverer for every commit`() throws
  {
    let store = try Desk.makeStore()
    let heard = Recorder<UInt64>()
    let capture = PartCapture(CapturedPart(PartPath(Lens(\Desk.count)))) { _, _ in }
    let observer = try #require(
      Observer.subscribe(.one(capture), on: store.core, queue: nil) { revision, _ in
        heard.append(revision)
      })
    for count in 1...40 {
      store.dispatch(CountAction.add(1))
      #expect(heard.count == count)
    }
    #expect(!heard.values.contains(0))
    observer.handle.cancel()
  }
}
