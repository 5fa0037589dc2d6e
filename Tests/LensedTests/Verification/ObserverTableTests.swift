import LensedTestSupport
import Testing

@testable import Lensed

@Suite("ObserverTable: who must hear of what", .timeLimit(.minutes(30)))
struct ObserverTableTests {
  /// What can be observed of a desk.
  private enum Part: CaseIterable {
    case count, title, notes, whole

    /// The sub-state that it is, if it is one.
    var slot: Int? { Self.allCases.firstIndex(of: self).flatMap { $0 < 3 ? $0 : nil } }

    /// Whether a commit in which these reducers ran concerns it.
    func hears(_ touched: Set<Int>) -> Bool {
      slot.map { touched.contains($0) } ?? !touched.isEmpty
    }
  }

  /// A table with the state behind it, and the steps of a store around it.
  private final class Host: StateHost {
    let table: Locked<ObserverTable>
    let state = UnsafeCell(Desk())
    /// Where each part is a sub-state, by its number in `footprints`.
    let numbers = UnsafeCell([0, 1, 2])
    static let footprints = [
      PartPath(Lens(\Desk.count)).footprint, PartPath(Lens(\Desk.title)).footprint,
      PartPath(Lens(\Desk.notes)).footprint,
    ]

    init() {
      table = Locked(ObserverTable(memory: StateStorage(state)))
      for footprint in Self.footprints { _ = table.withLock { $0.addSlot(footprint) } }
    }

    func withTable<Result: Sendable>(_ body: (inout ObserverTable) -> Result) -> Result {
      table.withLock { table in body(&table) }
    }

    /// A commit of a route to `slots` of which the reducers of `touched` ran.
    func commit(_ slots: [Int], touching touched: Set<Int>, _ revision: UInt64) -> [Signal] {
      let pooled = withTable { table -> Unretained<AfterCommitCell>? in
        table.revision = revision
        state.value.count = Int(revision)
        var flags: CommitFlags = []
        let (slots, touched) = (slots.map { numbers.value[$0] }, touched.map { numbers.value[$0] })
        for slot in touched {
          table.slotRecord(slot).value.revision = revision
          flags.formUnion(table.slotRecord(slot).value.flags)
        }
        guard !touched.isEmpty else {
          table.noteUnhandled()
          return nil
        }
        let all = flags.union(table.flags)
        if !all.needsNotification { return nil }
        return table.announce(slots: slots, flags: all)
      }
      return finishing(pooled?.lend { $0.value } ?? AfterCommit())
    }

    func replace(_ revision: UInt64) -> [Signal] {
      let pooled = withTable { table in
        table.revision = revision
        state.value.count = Int(revision)
        table.replaced = revision
        return table.announceReplacement(notification: nil)
      }
      return finishing(pooled?.lend { $0.value } ?? AfterCommit())
    }

    func finishing(_ work: AfterCommit) -> [Signal] {
      perform(work)
      return Array(work.wake)
    }

    /// Calls back with the number of the commit, whatever the part is.
    func subscribe(to part: Part, _ hear: @escaping @Sendable (Int) -> Void) -> StoreSubscription {
      switch part {
      case .count: StateStream(self, PartPath(Lens(\Desk.count))).subscribe(hear)
      case .title:
        StateStream(self, PartPath(Lens(\Desk.title))).subscribe { [state] _ in
          hear(state.value.count)
        }
      case .notes:
        StateStream(self, PartPath(Lens(\Desk.notes))).subscribe { [state] _ in
          hear(state.value.count)
        }
      case .whole:
        StateStream(self, PartPath(Lens<Desk, Desk>.identity)).subscribe {
          hear($0.count)
        }
      }
    }

    func interest(in part: Part) -> Interest {
      withTable { $0.interest(in: part.slot.map { Self.footprints[$0] }) }
    }
  }

  private struct Listener {
    let part: Part
    let subscription: StoreSubscription
    let heard: Recorder<Int>
    var expected: [Int]
  }

  private struct Waiter {
    let part: Part
    let id: UInt64
    let signal: Signal
    let interest: Interest
  }

  @Test(arguments: [51, 52, 53, 54] as [UInt64])
  func `it tells those whom its model tells, whatever happens in between`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = Host()
    var (listeners, waiters, gone) = ([Listener](), [Waiter](), [Listener]())
    var (revision, owned) = (UInt64(0), Set(0..<3))

    for step in 0..<1_500 {
      let place: Comment = "seed \(seed), step \(step)"
      var woken: [Signal]?
      var concerned: (Part) -> Bool = { _ in false }
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<8:
        revision += 1
        let slots = owned.sorted().filter { _ in Bool.random(using: &random) }
        let touched = Set(slots.filter { _ in Int.random(in: 0..<4, using: &random) > 0 })
        concerned = { $0.hears(touched) }
        woken = store.commit(slots, touching: touched, revision)
      case 8:
        revision += 1
        concerned = { _ in true }
        woken = store.replace(revision)
      case 9:
        // An owner leaves, or comes back; waiting readers are to look anew.
        let slot = Int.random(in: 0..<3, using: &random)
        var work = AfterCommit()
        store.withTable { table in
          if owned.contains(slot) {
            table.removeSlot(store.numbers.value[slot])
          } else {
            store.numbers.value[slot] = table.addSlot(Host.footprints[slot])
          }
          table.ownershipChanged(into: &work)
        }
        owned.formSymmetricDifference([slot])
        #expect(Set(work.wake.map(ObjectIdentifier.init)) == ids(of: waiters), place)
        waiters = []
      case 10..<13 where listeners.count < 12:
        let part = try #require(Part.allCases.randomElement(using: &random))
        let heard = Recorder<Int>()
        let subscription = store.subscribe(to: part) { heard.append($0) }
        listeners.append(
          Listener(
            part: part, subscription: subscription, heard: heard, expected: [Int(revision)]))
      case 13, 14:
        guard let index = listeners.indices.randomElement(using: &random) else { continue }
        let left = listeners.remove(at: index)
        left.subscription.cancel()
        gone.append(left)
      case 15..<19:
        let part = try #require(Part.allCases.randomElement(using: &random))
        let (id, signal) = (store.withTable { $0.makeID() }, Signal())
        let interest = store.interest(in: part)
        store.withTable { $0.enlist(signal, id: id, for: interest) }
        waiters.append(Waiter(part: part, id: id, signal: signal, interest: interest))
      default:
        guard let index = waiters.indices.randomElement(using: &random) else { continue }
        let left = waiters.remove(at: index)
        store.withTable { $0.delist(id: left.id, from: left.interest) }
      }
      if let woken {
        let due = waiters.filter { concerned($0.part) }
        #expect(Set(woken.map(ObjectIdentifier.init)) == ids(of: due), place)
        waiters.removeAll { concerned($0.part) }
        for index in listeners.indices where concerned(listeners[index].part) {
          listeners[index].expected.append(Int(revision))
        }
      }
      for listener in listeners { try #require(listener.heard.values == listener.expected, place) }
    }
    for listener in gone { #expect(listener.heard.values == listener.expected, "seed \(seed)") }
  }

  private func ids(of waiters: [Waiter]) -> Set<ObjectIdentifier> {
    Set(waiters.map { ObjectIdentifier($0.signal) })
  }
}
