/// The values of a stream of states, spaced in time.
struct ThrottledStates<Element: Sendable, C: Clock>: AsyncSequence, Sendable {
  let base: StateStream<Element>
  let interval: C.Duration
  let clock: C

  struct Iterator: AsyncIteratorProtocol {
    let reader: Reader<Element>
    let interval: C.Duration
    let clock: C
    var earliest: C.Instant?

    nonisolated(nonsending) mutating func next() async -> Element? {
      if let earliest, clock.now < earliest {
        let timer = WakingTimer()
        let task = timer.start(clock, until: earliest, wakes: reader)
        await reader.waitForEnd { timer.hasRung }
        task.cancel()
      }
      guard let element = await reader.next() else { return nil }
      earliest = clock.now.advanced(by: interval)
      return element
    }

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> Element? {
      await next()
    }
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(reader: base.makeReader(), interval: interval, clock: clock)
  }
}
