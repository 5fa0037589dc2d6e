import Foundation
import LensedTestSupport
import Testing

@testable import Lensed

/// The greatest case has more than a million schedules and takes minutes: whoever wants all of them
/// says so.
private let isPatient = ProcessInfo.processInfo.environment["LENSED_EVERY_SCHEDULE"] != nil

@Suite("Every interleaving of small cases", .timeLimit(.minutes(30)))
struct ScheduleTests {
  /// What must be so at the end of every play: the next commit finds the way free.
  private func flaw(
    of store: ScheduleStore, heardBy witness: ScheduledSubscriber? = nil, from first: Int = 0
  ) -> String? {
    let last = ScheduledDispatcher(store, "the last")
    while !last.isDone { last.step() }
    if let flaw = store.flaws.value.first { return flaw }
    guard let heard = witness?.heard.values else { return nil }
    let expected = Array((heard.first ?? first)...Int(store.revision))
    return heard == expected ? nil : "heard \(heard)"
  }

  private func expect(
    _ name: String, atLeast count: Int, interruptions: Int = .max,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ makePlay: () -> ScheduleExplorer.Play
  ) {
    var explorer = ScheduleExplorer(interruptions: interruptions)
    let failure = explorer.explore(makePlay)
    #expect(failure == nil, "\(name)", sourceLocation: sourceLocation)
    #expect(
      failure != nil || explorer.schedules >= count, "\(explorer.schedules) schedules of \(name)",
      sourceLocation: sourceLocation)
  }

  @Test func `two dispatchers, and an observer that is cancelled`() {
    expect("cancel", atLeast: 1_500) {
      let store = ScheduleStore()
      let (leaving, staying) = (
        ScheduledSubscriber(store).subscribe(),
        ScheduledSubscriber(store).subscribe()
      )
      let cancel = ScheduledCancel(store, leaving)
      let actors: [any ScheduledActor] = [
        ScheduledDispatcher(store, "one", commits: 2), ScheduledDispatcher(store, "two"), cancel,
      ]
      return .init(actors: actors) {
        let heard = leaving.heard.values
        if heard.count != cancel.heardBefore { return "called after the cancel: \(heard)" }
        if heard != Array(0..<heard.count) { return "gap before the cancel: \(heard)" }
        return flaw(of: store, heardBy: staying)
      }
    }
  }

  @Test func `two dispatchers, and an observer that joins`() {
    expect("join", atLeast: 200) {
      let store = ScheduleStore()
      let joining = ScheduledSubscriber(store)
      let actors: [any ScheduledActor] = [
        ScheduledDispatcher(store, "one", commits: 2), ScheduledDispatcher(store, "two"), joining,
      ]
      return .init(actors: actors) { flaw(of: store, heardBy: joining) }
    }
  }

  @Test func `two dispatchers, an observer, and another that joins`() {
    expect("join another", atLeast: 300) {
      let store = ScheduleStore()
      let staying = ScheduledSubscriber(store).subscribe()
      let joining = ScheduledSubscriber(store)
      let actors: [any ScheduledActor] = [
        ScheduledDispatcher(store, "one"), ScheduledDispatcher(store, "two"), joining,
      ]
      return .init(actors: actors) {
        flaw(of: store, heardBy: joining) ?? flaw(of: store, heardBy: staying)
      }
    }
  }

  @Test func `a dispatcher, an observer that joins and another that is cancelled`() {
    expect("join and cancel", atLeast: 3_000) {
      let store = ScheduleStore()
      let leaving = ScheduledSubscriber(store).subscribe()
      let joining = ScheduledSubscriber(store)
      let actors: [any ScheduledActor] = [
        ScheduledDispatcher(store, "one", commits: 2), joining, ScheduledCancel(store, leaving),
      ]
      return .init(actors: actors) { flaw(of: store, heardBy: joining) }
    }
  }

  @Test func `two dispatchers, and a reader that is not to miss the last commit`() {
    expect("read", atLeast: 5_000) {
      let store = ScheduleStore()
      let reader = ScheduledReader(store, until: 4)
      let actors: [any ScheduledActor] = [
        ScheduledDispatcher(store, "one", commits: 2) { reader.raise($0) },
        ScheduledDispatcher(store, "two", commits: 2) { reader.raise($0) }, reader,
      ]
      return .init(actors: actors) { flaw(of: store) }
    }
  }

  @Test func `two dispatchers, and a reader that is cancelled`() {
    expect("cancelled reader", atLeast: 500) {
      let store = ScheduleStore()
      let reader = ScheduledReader(store, until: .max)
      let actors: [any ScheduledActor] = [
        ScheduledDispatcher(store, "one") { reader.raise($0) },
        ScheduledDispatcher(store, "two") { reader.raise($0) },
        reader, ScheduledEvent { reader.cancel() },
      ]
      return .init(actors: actors) {
        if store.commit().wake.isEmpty { return flaw(of: store) }
        return "the reader that was cancelled is still waited for"
      }
    }
  }

  @Test func `a dispatcher, a reader, and a store that goes`() {
    expect("close", atLeast: 90) {
      let store = ScheduleStore()
      let reader = ScheduledReader(store, until: .max)
      var aftermath = AfterCommit()
      let close = ScheduledEvent { store.withTable { $0.close(into: &aftermath) } }
      let actors: [any ScheduledActor] = [
        ScheduledDispatcher(store, "one") { reader.raise($0) }, reader,
        close,
        ScheduledEvent(after: close) { for signal in aftermath.wake { reader.raise(signal) } },
      ]
      return .init(actors: actors) { store.flaws.value.first }
    }
  }

  @Test func `two dispatchers, a reader and a cancel, at once`() {
    expect("all at once", atLeast: 100, interruptions: isPatient ? .max : 2) {
      let store = ScheduleStore()
      let (leaving, staying) = (
        ScheduledSubscriber(store).subscribe(),
        ScheduledSubscriber(store).subscribe()
      )
      let reader = ScheduledReader(store, until: 2)
      let actors: [any ScheduledActor] = [
        ScheduledDispatcher(store, "one") { reader.raise($0) },
        ScheduledDispatcher(store, "two") { reader.raise($0) }, reader,
        ScheduledCancel(store, leaving),
      ]
      return .init(actors: actors) { flaw(of: store, heardBy: staying) }
    }
  }

  @Test func `the explorer plays every schedule once, and sees one that hangs`() {
    var explorer = ScheduleExplorer()
    var orders: Set<[Int]> = []
    let failure = explorer.explore {
      let taken = Recorder<Int>()
      let actors = [0, 0, 1, 1].map { number in ScheduledEvent { taken.append(number) } }
      return .init(actors: actors) {
        orders.insert(taken.values)
        return nil
      }
    }
    #expect(failure == nil)
    #expect(explorer.schedules == 24)
    #expect(orders.count == 6)
    var hanging = ScheduleExplorer()
    let stuck = hanging.explore {
      let store = ScheduleStore()
      // Nobody passes the signal on.
      return .init(
        actors: [ScheduledReader(store, until: 1), ScheduledDispatcher(store, "one")],
        verdict: { nil })
    }
    #expect(stuck?.contains("wait for ever") == true)
  }
}
