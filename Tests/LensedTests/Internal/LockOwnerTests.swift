import LensedTestSupport
import Synchronization
import Testing

@testable import Lensed

@Suite("Who is inside of a lock")
struct LockOwnerTests {
  /// What an expectation can hold, being copyable.
  private final class Room {
    let occupant = LockOwner()

    func isOccupied(by thread: UInt) -> Bool { occupant.isInside(thread) }
  }

  @Test func `nobody, before anybody came`() {
    let room = Room()
    #expect(!room.isOccupied(by: 7))
  }

  @Test func `the thread that came, and no other, until it leaves`() {
    let room = Room()
    room.occupant.enter(7, for: 100)
    #expect(room.isOccupied(by: 7))
    #expect(!room.isOccupied(by: 8))
    room.occupant.leave()
    #expect(!room.isOccupied(by: 7))
    room.occupant.enter(8, for: LockOwner.somethingElse)
    #expect(!room.isOccupied(by: 7))
    #expect(room.isOccupied(by: 8))
    room.occupant.leave()
    room.occupant.enter(7, for: 200)
    #expect(room.isOccupied(by: 7))
    let business = room.occupant.activity.load(ordering: .relaxed)
    #expect(business == 200)
  }

  @Test func `a thread is not asked for its name while nobody is inside`() {
    let occupant = LockOwner()
    var asked = 0
    func me() -> UInt {
      asked += 1
      return 7
    }
    let before = occupant.isInside(me())
    #expect(!before)
    #expect(asked == 0)
    occupant.enter(7, for: 1)
    let after = occupant.isInside(me())
    #expect(after)
    #expect(asked == 1)
  }

  @Test func `threads that are alive at once have different identities, and none is zero`() {
    let seen = Recorder<UInt>()
    let all = ThreadGate()
    Threads.run(4) { _ in
      seen.append(ThreadIdentity.current)
      // None leaves before the last has come, so that no identity is given again.
      if seen.values.count == 4 { all.open() }
      all.wait()
      #expect(seen.values.contains(ThreadIdentity.current))
    }
    #expect(Set(seen.values).count == 4)
    #expect(!seen.values.contains(0))
  }
}
