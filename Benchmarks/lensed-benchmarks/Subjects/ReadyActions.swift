/// So many actions in a sequence that is asynchronous by name only: it never suspends.
struct ReadyActions: AsyncSequence, Sendable {
  let action: CounterAction
  let count: Int

  struct AsyncIterator: AsyncIteratorProtocol {
    let action: CounterAction
    var left: Int

    mutating func next() async -> CounterAction? { advance() }

    // A call, as it is for a sequence from anywhere else: drawn into the loop of the side written by
    // hand, it would leave nothing asynchronous to measure.
    @inline(never)
    mutating func next(isolation actor: isolated (any Actor)?) async -> CounterAction? {
      advance()
    }

    private mutating func advance() -> CounterAction? {
      guard left > 0 else { return nil }
      left -= 1
      return action
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(action: action, left: count) }
}
