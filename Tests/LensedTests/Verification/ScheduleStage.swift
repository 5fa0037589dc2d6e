@testable import Lensed
import LensedTestSupport

/// What a store is to those who observe it, in steps that a schedule puts in order.
///
/// It does what `StoreCore` and `StateHost` do with the machines; each hold of the lock, each call
/// and each exchange of the baton is a step of its own.
final class ScheduleStage: StateHost {
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
      let record = table.record(slot)
      record.value.revision = table.revision
      let flags = record.value.flags.union(table.flags)
      return flags.needsNotification ? table.announce(slots: [slot], flags: flags) : nil
    }
    return work?.lend(\.value) ?? AfterCommit()
  }

  func note(_ flaw: String) { flaws.value.append(flaw) }

  func source() -> Source<Int> { Source(self, PartPath(Lens(\Desk.count))) }
}

/// Makes the calls of one commit after another, as `StateHost` does.
final class ScheduledDelivery {
  private enum Phase { case idle, calling(Delivery), passing(Delivery), looking }

  private let stage: ScheduleStage
  private let name: String
  private var phase = Phase.idle

  init(_ stage: ScheduleStage, _ name: String) { (self.stage, self.name) = (stage, name) }

  var isDone: Bool { if case .idle = phase { true } else { false } }

  func begin(_ delivery: Delivery?) {
    guard let delivery else { return }
    if let other = stage.deliverer.value { stage.note("\(name) and \(other) deliver at once") }
    stage.deliverer.value = name
    phase = .calling(delivery)
  }

  func step() {
    switch phase {
    case .idle:
      break
    case .calling(let delivery):
      delivery.make()
      phase = .passing(delivery)
    case .passing(let delivery):
      // The next one may take the baton as soon as it is free.
      stage.deliverer.value = nil
      let isFree = delivery.audience.baton.passOn()
      if !isFree { stage.deliverer.value = name }
      phase = isFree ? .idle : .looking
    case .looking:
      stage.deliverer.value = nil
      phase = .idle
      begin(stage.withTable { $0.nextStep() }.delivery)
    }
  }
}

/// Commits, wakes whom it must, and delivers; as often as it is told to.
final class ScheduledDispatcher: ScheduledActor {
  private enum Phase { case committing, waking(AfterCommit), delivering }

  private let stage: ScheduleStage
  private let wake: (Signal) -> Void
  private let delivery: ScheduledDelivery
  private var phase = Phase.committing
  private var left: Int
  let isBlocked = false

  init(
    _ stage: ScheduleStage, _ name: String, commits: Int = 1,
    wake: @escaping (Signal) -> Void = { _ in }
  ) {
    (self.stage, self.wake, left) = (stage, wake, commits - 1)
    delivery = ScheduledDelivery(stage, name)
  }

  var isDone: Bool { if case .delivering = phase { delivery.isDone } else { false } }

  func step() {
    switch phase {
    case .committing:
      let aftermath = stage.commit()
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

/// Subscribes, in the steps that `Wiring` takes.
final class ScheduledSubscriber: ScheduledActor {
  private enum Phase { case beginning, first, passing, done }

  private let stage: ScheduleStage
  private var phase = Phase.beginning
  private(set) var observer: Observer?
  let heard = Recorder<Int>()
  let isBlocked = false

  init(_ stage: ScheduleStage) {
    self.stage = stage
  }

  var isDone: Bool { if case .done = phase { true } else { false } }

  func step() {
    switch phase {
    case .beginning:
      let (source, heard, first) = (stage.source(), heard, UnsafeCell<Int?>(nil))
      let (mail, read) = (source.mail, source.read)
      let inlet = Inlet(
        host: stage, outlet: source.outlet, prime: { first.value = read($0) },
        hand: { revision in
          guard let value = Source.take(mail, at: revision) else { return nil }
          return { first.value = value }
        })
      observer = Wiring.begin([inlet], on: stage, CancellationFlag()) { revision in
        let value = revision == 0 ? first.value.take() : Source.take(mail, at: revision)
        if let value { heard.append(value) }
      }
      phase = .first
    case .first:
      observer?.makeFirstCall()
      phase = .passing
    case .passing:
      observer?.letPass()
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

  private let stage: ScheduleStage
  private let subscriber: ScheduledSubscriber
  private var phase = Phase.closing
  private(set) var heardBefore: Int?
  let isBlocked = false

  init(_ stage: ScheduleStage, _ subscriber: ScheduledSubscriber) {
    (self.stage, self.subscriber) = (stage, subscriber)
  }

  var isDone: Bool { if case .done = phase { true } else { false } }

  func step() {
    guard let observer = subscriber.observer else { return }
    switch phase {
    case .closing:
      observer.gate.close()
      phase = .removing
    case .removing:
      var aftermath = AfterCommit()
      stage.withTable { $0.remove(observer.id, into: &aftermath) }
      heardBefore = subscriber.heard.count
      phase = .done
    case .done:
      break
    }
  }
}
