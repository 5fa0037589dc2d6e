/// A synchronous observer that does next to nothing, the same one on both sides; neither can inline it.
enum StateObserver {
  @inline(never)
  static func hear(_ state: CounterApp) { swallow(state.counter.value) }
}
