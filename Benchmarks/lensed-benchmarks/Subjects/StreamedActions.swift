/// So many actions that wait in a stream, which is closed behind them.
struct StreamedActions {
  let stream: AsyncStream<CounterAction>

  init(_ action: CounterAction, count: Int) {
    stream = AsyncStream { continuation in
      for _ in 0..<count { continuation.yield(action) }
      continuation.finish()
    }
  }
}
