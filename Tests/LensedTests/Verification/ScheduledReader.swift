import LensedTestSupport

@testable import Lensed

/// An asynchronous reader, in the steps that `Reader` and `Signal` take.
final class ScheduledReader: ScheduledActor {
  private enum Phase { case pulling, falling, asleep, over }

  private let store: ScheduleStore
  private let part: CapturedPart<Int>
  private var cursor = Conflation()
  private let id: UInt64
  private let signal = Signal()
  private let last: Int
  private var machine = SignalMachine<Int>()
  private var phase = Phase.pulling
  private(set) var values: [Int] = []

  /// A reader that is content once it has read `last`.
  init(_ store: ScheduleStore, until last: Int) {
    (self.store, self.last) = (store, last)
    part = CapturedPart(ScheduleStore.path)
    id = store.table.withLock { $0.makeID() }
  }

  var isDone: Bool { phase == .over }
  var isBlocked: Bool { phase == .asleep }

  func step() {
    switch phase {
    case .pulling:
      pull()
    case .falling:
      phase = machine.wait(1) == nil ? .asleep : .pulling
    case .asleep, .over:
      break
    }
  }

  private func pull() {
    if machine.isOver {
      var work = AfterCommit()
      store.table.withLock { cursor.delist(id: id, in: &$0, into: &work) }
      return phase = .over
    }
    let result = store.table.withLock { table in
      let result = cursor.pull(ScheduleStore.path.footprint, from: &table) {
        part.load(from: $0, at: 0)
      }
      if case .unchanged = result { cursor.enlist(signal, id: id, in: &table) }
      return result
    }
    switch result {
    case .fresh:
      let value = part.takeValue(at: 0) ?? -1
      if value <= values.last ?? -1 { store.note("read \(value) after \(values)") }
      values.append(value)
      if value == last { phase = .over }
    case .unchanged: phase = .falling
    case .ended: phase = .over
    }
  }

  func raise(_ other: Signal) {
    if other === signal, machine.raise() != nil { phase = .pulling }
  }

  func cancel() {
    if machine.end() != nil { phase = .pulling }
  }
}

/// Something that happens in one step, after another event if there is one to wait for.
final class ScheduledEvent: ScheduledActor {
  private let event: () -> Void
  private let cause: ScheduledEvent?
  private(set) var isDone = false

  init(after cause: ScheduledEvent? = nil, _ event: @escaping () -> Void) {
    (self.cause, self.event) = (cause, event)
  }

  var isBlocked: Bool { !(cause?.isDone ?? true) }

  func step() {
    event()
    isDone = true
  }
}
