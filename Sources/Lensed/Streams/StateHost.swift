/// What streams need of a store: its table of observers, under its lock.
@usableFromInline
protocol StateHost: AnyObject, Sendable {
  /// Runs `body` under the lock of the store; traps when a reducer of that store is the caller.
  func withTable<Result: Sendable>(_ body: (inout ObserverTable) -> Result) -> Result
}

extension StateHost {
  /// Does, without the lock, what a commit left to do: wakes the readers, calls the observers.
  @inline(never)
  func finish(_ aftermath: consuming Aftermath) {
    if !aftermath.wake.isEmpty {
      for signal in aftermath.wake { signal.raise() }
      aftermath.wake.removeAll(keepingCapacity: true)
      let buffer = aftermath.wake
      withTable { $0.returnWakeBuffer(buffer) }
    }
    if let delivery = aftermath.delivery { deliver(delivery) }
  }

  /// Calls the observers of one commit after another, until none is waiting.
  func deliver(_ first: Delivery) {
    var delivery = first
    while true {
      for observer in delivery.audience.observers { observer.hear(delivery.revision) }
      for outlet in delivery.audience.outlets { outlet.release() }
      if delivery.baton.passOn() { return }
      guard let next = withTable({ $0.nextDelivery() }) else { return }
      delivery = next
    }
  }
}
