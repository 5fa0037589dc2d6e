/// The values of a stream of states after each lull.
struct DebouncedStates<Element: Sendable, C: Clock>: AsyncSequence, Sendable {
  let base: StateStream<Element>
  let interval: C.Duration
  let clock: C

  struct Iterator: AsyncIteratorProtocol {
    let reader: Reader<Element>
    let interval: C.Duration
    let clock: C

    nonisolated(nonsending) mutating func next() async -> Element? {
      guard var newest = await reader.next() else { return nil }
      while true {
        let timer = WakingTimer()
        let deadline = clock.now.advanced(by: interval)
        let task = timer.start(clock, until: deadline, wakes: reader)
        let newer = await reader.next { timer.hasRung }
        task.cancel()
        guard let newer else { return Task.isCancelled ? nil : newest }
        newest = newer
      }
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
