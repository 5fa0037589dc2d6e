import Lensed
import LensedTestSupport
import Testing

/// Children come and go very often, on several threads, while their work commits on others.
///
/// A log under the lock of the store has every commit, and the children before it. So a commit is late if, and
/// only if, it is a stamp of a child that is not there before it, whether the stamp reached a child or not.
@Suite(
  "No commit of a dismissed child's effect begins after the commit that dismissed it", .serialized,
  .timeLimit(.minutes(30)))
struct ReturnedChildTests {
  /// The commits, as far as they concern children.
  private final class Log: Sendable {
    private struct State: Sendable {
      var children: Set<Int> = []
      var stamps = 0
      var stamped: Set<Int> = []
      /// Late stamps: the number of the commit, and the child.
      var late: [String] = []
    }

    private let state = Locked(State())

    init(of store: Store<ChildScene>) {
      store.logCommits { [self] commit in
        let now = commit.state.children
        state.withLock { state in
          for child in commit.members.compactMap(ChildScene.stamped) {
            state.stamps += 1
            state.stamped.insert(child)
            if !state.children.contains(child) {
              state.late.append("\(commit.revision): \(child)")
            }
          }
          state.children = now
        }
      }
    }

    var late: [String] { state.withLock { $0.late } }
    var stamps: Int { state.withLock { $0.stamps } }
    var stampedCount: Int { state.withLock { $0.stamped.count } }
    func isStamped(_ child: Int) -> Bool { state.withLock { $0.stamped.contains(child) } }
  }

  /// How a child is dismissed.
  private enum Ending: CaseIterable, Sendable { case removal, successor, replacement, list }

  private static func dismiss(
    _ id: Int, at place: ChildScene.Place, by ending: Ending, successor: Int,
    in store: Store<ChildScene>
  ) {
    let gone = ChildScene.Put(place: place, id: id, isThere: false)
    switch ending {
    case .removal:
      store.dispatch(gone)
    case .successor:
      // In one commit, so that no state is without a child.
      store.dispatch([gone, ChildScene.Put(place: place, id: successor, isThere: true)])
    case .replacement:
      store.replaceState(ChildScene())
    case .list:
      store.dispatch([ChildScene.Hold(), gone, ChildScene.Hold()] as [any Action])
    }
  }

  @Test(.warnsOnPurpose, arguments: StampedChild.Kind.allCases)
  func `whatever its work is, and however it goes`(_ kind: StampedChild.Kind) async throws {
    let store = try ChildScene.makeStore(kind)
    let (log, born) = (Log(of: store), Counter())
    let end = ContinuousClock.now + VerificationLength.returnedTime
    let limit = VerificationLength.returnedRounds
    let rounds = await Threads.apart {
      let rest = Counter()
      let holder = Threads.start {
        while rest.value == 0 {
          for _ in 0..<8 { store.dispatch(ChildScene.Hold()) }
          Threads.yield()
        }
      }
      let rounds = Counter()
      Threads.run(2) { thread in
        var random = SeededGenerator(seed: 21 + UInt64(thread))
        var round = 0
        while round < limit, round < 30 || .now < end {
          round += 1
          rounds.increment()
          let place =
            ChildScene.Place.allCases[Int.random(in: 0..<6, using: &random)]
          let id = born.increment()
          store.dispatch(ChildScene.Put(place: place, id: id, isThere: true))
          store.dispatch(ChildScene.address(StampedChild.Begin(), to: id, at: place))
          // The other thread may have replaced it by then.
          if round.isMultiple(of: 2) {
            Threads.wait { log.isStamped(id) || !store.state.children.contains(id) }
          }
          for _ in 0..<Int.random(in: 0..<20, using: &random) { _ = store.busy }
          let ending = Ending.allCases.randomElement(using: &random) ?? .removal
          Self.dismiss(id, at: place, by: ending, successor: born.increment(), in: store)
        }
      }
      rest.increment()
      holder.wait()
      return rounds.value
    }
    store.replaceState(ChildScene())
    // Every run was ended, so the store comes to rest. A late commit may come very late.
    try await store.settled()
    for _ in 0..<100 { await Task.yield() }
    #expect(log.late == [], "\(log.stamps) stamps in \(rounds) rounds")
    #expect(log.stampedCount * 10 >= rounds, "the work has begun")
  }

  @Test(.warnsOnPurpose) func `the log itself sees a late stamp`() throws {
    let store = try ChildScene.makeStore(.dispatching)
    let log = Log(of: store)
    store.dispatch(ChildScene.Put(place: .sheet, id: 1, isThere: true))
    store.dispatch(ChildScene.address(StampedChild.Stamp(child: 1), to: 1, at: .sheet))
    #expect(log.late == [])
    store.dispatch(ChildScene.Put(place: .sheet, id: 2, isThere: true))
    store.dispatch(ChildScene.address(StampedChild.Stamp(child: 1), to: 1, at: .sheet))
    store.dispatch(StampedChild.Stamp(child: 2))
    #expect(log.late.count == 1)
    #expect(log.stamps == 3)
  }
}
