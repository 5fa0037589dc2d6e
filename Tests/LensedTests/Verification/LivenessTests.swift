import Lensed
import LensedTestSupport
import Synchronization
import Testing

/// Counts calls, and not milliseconds, so that a busy machine fails nothing.
@Suite(
  "Nobody is kept for long by the deliveries of others", .serialized, .timeLimit(.minutes(30)))
struct LivenessTests {
  /// How many deliveries of others one call performs at most.
  private static let bound = 64

  /// Writers that never rest, until they are told to.
  private final class Writers: Sendable {
    private let rest = Counter()
    private let ends: [ThreadGate]

    init(_ count: Int, _ store: Store<Desk>) {
      let rest = rest
      ends = (0..<count).map { _ in
        Threads.start { while rest.value == 0 { store.dispatch(CountAction.add(1)) } }
      }
    }

    func stop() {
      rest.increment()
      for end in ends { end.wait() }
    }
  }

  /// Counts the calls of an observer that are made on a thread while it looks.
  private final class Watch: Sendable {
    private let calls = Counter()
    private let thread = Atomic(UInt(0))
    private let overall = Counter()

    /// How many calls were made, on whatever thread.
    var total: Int { overall.value }

    func call() {
      overall.increment()
      if thread.load(ordering: .acquiring) == Self.thisThread { calls.increment() }
    }

    /// How many calls were made on this thread during `body`.
    func count(_ body: () -> Void) -> Int {
      let before = calls.value
      thread.store(Self.thisThread, ordering: .releasing)
      body()
      thread.store(0, ordering: .releasing)
      return calls.value - before
    }

    private static var thisThread: UInt { Threads.currentNumber }
  }

  /// Does something again and again while writers never rest.
  ///
  /// - Returns: The most calls of the writers' observer that one turn had to make.
  private func most(
    writers count: Int, _ turn: @escaping @Sendable (_ store: Store<Desk>, _ number: Int) -> Void
  ) async throws -> (most: Int, total: Int) {
    let store = try Desk.makeStore()
    return await Threads.apart {
      let watch = Watch()
      let observer = store.states(\.count).subscribe { _ in watch.call() }
      let writers = Writers(count, store)
      // What comes back if a turn lasts for ever: the writers stop, and it is counted all the same.
      let rescue = Counter()
      let guardian = Threads.start {
        Threads.wait(atMost: .seconds(4)) { rescue.value > 0 }
        writers.stop()
      }
      Threads.wait { watch.total > 100 }
      var most = 0
      for number in 0..<VerificationLength.liveCalls {
        most = max(most, watch.count { turn(store, number) })
        if most > 100 * Self.bound { break }
      }
      rescue.increment()
      guardian.wait()
      observer.cancel()
      return (most, watch.total)
    }
  }

  @Test(arguments: [2, 3, 4])
  func `a dispatch makes a bounded number of calls for others`(writers: Int) async throws {
    let (most, total) = try await most(writers: writers) { store, number in
      store.dispatch(CountAction.add(number))
    }
    // One call is of its own commit.
    #expect(most <= Self.bound + 1, "\(most) of \(total) calls, \(writers) writers")
  }

  @Test(arguments: [2, 3, 4])
  func `an array and a list make a bounded number of calls for others`(
    writers: Int
  ) async throws {
    let (most, total) = try await most(writers: writers) { store, number in
      store.dispatch([CountAction.add(number), .add(1)])
      store.dispatch([CountAction.add(number), TitleAction.rename("")])
    }
    #expect(most <= 2 * (Self.bound + 1), "\(most) of \(total) calls, \(writers) writers")
  }

  @Test(arguments: [2, 3, 4])
  func `a replacement makes a bounded number of calls for others`(writers: Int) async throws {
    let (most, total) = try await most(writers: writers) { store, _ in
      store.replaceState(Desk())
    }
    #expect(most <= Self.bound + 1, "\(most) of \(total) calls, \(writers) writers")
  }

  @Test(arguments: [2, 3, 4])
  func `subscribing delivers nothing for others`(writers: Int) async throws {
    let (most, total) = try await most(writers: writers) { store, _ in
      store.states(\.title).subscribe { _ in }.cancel()
    }
    #expect(most == 0, "\(most) of \(total) calls, \(writers) writers")
  }

  @Test(arguments: [2, 3, 4])
  func `subscribing to what the writers write delivers nothing for others`(
    writers: Int
  ) async throws {
    let (most, total) = try await most(writers: writers) { store, _ in
      store.states(\.count).map { $0 + 1 }.subscribe { _ in }.cancel()
    }
    #expect(most == 0, "\(most) of \(total) calls, \(writers) writers")
  }

  @Test(arguments: [2, 4])
  func `the first read of an ObservedStore delivers nothing for others`(
    writers: Int
  ) async throws {
    let store = try Desk.makeStore()
    let (watch, rescue) = (Watch(), Counter())
    let observer = store.states(\.count).subscribe { _ in watch.call() }
    let running = Writers(writers, store)
    let guardian = Threads.start {
      Threads.wait(atMost: .seconds(4)) { rescue.value > 0 }
      running.stop()
    }
    await Threads.apart { Threads.wait { watch.total > 100 } }
    let most = await MainActor.run {
      var most = 0
      for _ in 0..<VerificationLength.liveCalls / 4 {
        let observed = ObservedStore(store)
        most = max(
          most,
          watch.count {
            _ = observed.title
            _ = observed.notes
          })
        if most > 100 * Self.bound { break }
      }
      return most
    }
    rescue.increment()
    await Threads.apart { guardian.wait() }
    observer.cancel()
    #expect(most == 0, "\(most) of \(watch.total) calls, \(writers) writers")
  }

  @Test func `threads that subscribe and cancel starve no observer`() async throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let observer = store.states(\.count).subscribe { heard.append($0) }
    let commits = VerificationLength.churnCommits
    let churn = await Threads.apart {
      let rest = Counter()
      let churners = (0..<4).map { _ in
        Threads.start {
          while rest.value == 0 {
            // The first value takes its time, so that some thread always subscribes.
            store.states(\.title).subscribe { _ in Threads.yield() }.cancel()
          }
        }
      }
      let end = ContinuousClock.now + .seconds(3)
      var written = 0
      while written < commits, .now < end {
        store.dispatch(CountAction.add(1))
        written += 1
      }
      let heardMeanwhile = heard.count
      rest.increment()
      for churner in churners { churner.wait() }
      return (written: written, heard: heardMeanwhile)
    }
    await Threads.apart { Threads.wait { heard.count > churn.written } }
    let isComplete = heard.values == Array(0...churn.written)
    #expect(
      isComplete, "heard \(heard.count - 1) of \(churn.written), the last \(heard.last ?? -1)")
    // Nobody waits for the churners to stop: all but what is under way has been heard before.
    let behind = churn.written + 1 - churn.heard
    #expect(behind <= Self.bound * 4, "\(behind) of \(churn.written) had not been heard")
    observer.cancel()
  }

  @Test func `a slow first value holds up nobody but its own subscriber`() async throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let observer = store.states(\.count).subscribe { heard.append($0) }
    let (entered, leave) = (ThreadGate(), ThreadGate())
    let count = await Threads.apart {
      let slow = Threads.start {
        let first = Counter()
        store.states(\.title).subscribe { _ in
          if first.increment() == 0 {
            entered.open()
            leave.wait()
          }
        }.cancel()
      }
      entered.wait()
      for _ in 0..<10 { store.dispatch(CountAction.add(1)) }
      // Whoever delivers may be another thread.
      Threads.wait { heard.count >= 11 }
      let count = heard.count
      leave.open()
      slow.wait()
      return count
    }
    #expect(count == 11)
    observer.cancel()
  }
}
