@testable import Lensed
import LensedTestSupport

/// What a store is to those who observe it, in steps that a schedule puts in order.
///
/// It does what `StoreCore` and `StateHost` do with the machines; each hold of the lock, each call
/// and each exchange of the baton is a step of its own.
final class ScheduleStore: StateHost {
  let table: Locked<ObserverTable>
  let state = UnsafeCell(Desk())
  /// Who is making calls; touched by one step at a time.
  let deliverer = UnsafeCell<String?>(nil)
  let flaws = UnsafeCell<[String]>([])
  private let slot: Int

  init() {
    table = Locked(ObserverTable(memory: StateStorage(state)))
    slot = table.withLock { $0.addSlot(PartPath(Lens(\Desk.count)).footprint) }
  }

  func withTable<Result: Sendable>(_ body: (inout ObserverTable) -> Result) -> Result {
    table.withLock { table in body(&table) }
  }

  var revision: UInt64 { withTable { $0.revision } }

  /// The reducers run, and those who must hear are noted.
  func commit() -> AfterCommit {
    let work = withTable { table in
      table.revision += 1
      state.value.count = Int(table.revision)
      let record = table.slotRecord(slot)
      record.value.revision = table.revision
      let flags = record.value.flags.union(table.flags)
      return flags.needsNotification ? table.announce(slots: [slot], flags: flags) : nil
    }
    return work?.lend { $0.value } ?? AfterCommit()
  }

  func note(_ flaw: String) { flaws.value.append(flaw) }

  static let path = PartPath(Lens(\Desk.count))
}

/// Makes the calls of one commit after another, as `StateHost` does.
final class ScheduledDelivery {
  private enum Phase { case idle, calling(Delivery), passing(Delivery), looking }

  private let store: ScheduleStore
  private let name: String
  private var phase = Phase.idle

  init(_ store: ScheduleStore, _ name: String) { (self.store, self.name) = (store, name) }

  var isDone: Bool { if case .idle = phase { true } else { false } }

  func begin(_ delivery: Delivery?) {
    guard let delivery else { return }
    if let other = store.deliverer.value { store.note("\(name) and \(other) deliver at once") }
    store.deliverer.value = name
    phase = .calling(delivery)
  }

  func step() {
    switch phase {
    case .idle:
      break
    case .calling(let delivery):
      delivery.makeCalls()
      phase = .passing(delivery)
    case .passing(let delivery):
      // The next one may take the baton as soon as it is free.
      store.deliverer.value = nil
      let isFree = delivery.audience.baton.passOn()
      if !isFree { store.deliverer.value = name }
      phase = isFree ? .idle : .looking
    case .looking:
      store.deliverer.value = nil
      phase = .idle
      begin(store.withTable { $0.nextStep() }.delivery)
    }
  }
}

/// Commits, wakes whom it must, and delivers; as often as it is told to.
final class ScheduledDispatcher: ScheduledActor {
  private enum Phase { case committing, waking(AfterCommit), delivering }

  private let store: ScheduleStore
  private let wake: (Signal) -> Void
  private let delivery: ScheduledDelivery
  private var phase = Phase.committing
  private var left: Int
  let isBlocked = false

  init(
    _ store: ScheduleStore, _ name: String, commits: Int = 1,
    wake: @escaping (Signal) -> Void = { _ in }
  ) {
    (self.store, self.wake, left) = (store, wake, commits - 1)
    delivery = ScheduledDelivery(store, name)
  }

  var isDone: Bool { if case .delivering = phase { delivery.isDone } else { false } }

  func step() {
    switch phase {
    case .committing:
      let aftermath = store.commit()
      delivery.begin(aftermath.delivery)
      phase = aftermath.wake.isEmpty ? .delivering : .waking(aftermath)
    case .waking(let aftermath):
      for signal in aftermath.wake { wake(signal) }
      phase = .delivering
    case .delivering:
      delivery.step()
    }
    if isDone && left > 0 {
      left -= 1
      phase = .committing
    }
  }
}

/// Subscribes, in the steps that `Pipeline` takes.
final class ScheduledSubscriber: ScheduledActor {
  private enum Phase { case beginning, first, passing, done }

  private let store: ScheduleStore
  private var phase = Phase.beginning
  private(set) var observer: Observer?
  let heard = Recorder<Int>()
  let isBlocked = false

  init(_ store: ScheduleStore) {
    self.store = store
  }

  deinit {
    // A store that closes releases its observers; this one never closes.
    observer?.handle.cancel()
  }

  var isDone: Bool { if case .done = phase { true } else { false } }

  func step() {
    switch phase {
    case .beginning:
      var pipeline = Pipeline()
      let part = pipeline.connect(ScheduleStore.path, of: store)
      let heard = heard
      guard case .one(let parts) = pipeline.stores else { return }
      observer = Observer.subscribe(parts.captures, on: store) { revision, _ in
        if let value = part.takeValue(at: revision) { heard.append(value) }
      }
      phase = .first
    case .first:
      observer?.makeFirstCall()
      phase = .passing
    case .passing:
      observer?.finishStarting()
      phase = .done
    case .done:
      break
    }
  }

  /// All at once, before the schedule begins.
  func subscribe() -> ScheduledSubscriber {
    while !isDone { step() }
    return self
  }
}

/// Cancels a subscription; after it has, no call may begin.
final class ScheduledCancel: ScheduledActor {
  private enum Phase { case closing, removing, done }

  private let store: ScheduleStore
  private let subscriber: ScheduledSubscriber
  private var phase = Phase.closing
  private(set) var heardBefore: Int?
  let isBlocked = false

  init(_ store: ScheduleStore, _ subscriber: ScheduledSubscriber) {
    (self.store, self.subscriber) = (store, subscriber)
  }

  var isDone: Bool { if case .done = phase { true } else { false } }

  func step() {
    guard let observer = subscriber.observer else { return }
    switch phase {
    case .closing:
      observer.handle.close()
      phase = .removing
    case .removing:
      var aftermath = AfterCommit()
      store.withTable { $0.remove(observer.id, into: &aftermath) }
      heardBefore = subscriber.heard.count
      phase = .done
    case .done:
      break
    }
  }
}

// What a store of a test that only delivers can do without.
extension StateHost {
  var taskExecutor: (any TaskExecutor)? { nil }
  func checkEntry(_ intrusion: @autoclosure () -> String) {}
  func noteOverdueDeliveries() {}
  func noteCallLeft() {}
  func noteCallMade() {}
}
