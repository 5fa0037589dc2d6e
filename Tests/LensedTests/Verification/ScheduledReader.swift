import LensedTestSupport

@testable import Lensed

/// An asynchronous reader, in the steps that `Reader` and `Signal` take.
final class ScheduledReader: ScheduledActor {
  private enum Phase { case drawing, falling, asleep, over }

  private let stage: ScheduleStage
  private let tap: TypedTap<Int>
  private let id: UInt64
  private let signal = Signal()
  private let last: Int
  private var machine = SignalMachine<Int>()
  private var phase = Phase.drawing
  private(set) var values: [Int] = []

  /// A reader that is content once it has read `last`.
  init(_ stage: ScheduleStage, until last: Int) {
    (self.stage, self.last) = (stage, last)
    let tap = TypedTap(stage.source())
    self.tap = tap
    id = stage.table.withLock { table in
      tap.attach(to: table)
      return table.makeID()
    }
  }

  var isDone: Bool { phase == .over }
  var isBlocked: Bool { phase == .asleep }

  func step() {
    switch phase {
    case .drawing:
      draw()
    case .falling:
      phase = machine.wait(1) == nil ? .asleep : .drawing
    case .asleep, .over:
      break
    }
  }

  private func draw() {
    if machine.isOver {
      stage.table.withLock { tap.dismiss(id: id, in: &$0) }
      return phase = .over
    }
    let draught = stage.table.withLock { table in
      let draught = tap.draw(&table)
      if case .stale = draught { tap.enlist(signal, id: id, in: &table) }
      return draught
    }
    switch draught {
    case .fresh:
      let value = tap.take() ?? -1
      if value <= values.last ?? -1 { stage.note("read \(value) after \(values)") }
      values.append(value)
      if value == last { phase = .over }
    case .stale: phase = .falling
    case .over: phase = .over
    }
  }

  func raise(_ other: Signal) {
    if other === signal, machine.raise() != nil { phase = .drawing }
  }

  func cancel() {
    if machine.end() != nil { phase = .drawing }
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
