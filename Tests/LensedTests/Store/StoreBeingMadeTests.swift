import Lensed
import LensedTestSupport
import Testing

@Suite("Nobody is called before all parts of a store are there", .timeLimit(.minutes(30)))
struct StoreBeingMadeTests {
  private struct Greeter: Middleware {
    func attached(to store: ScopedStore<Desk>) { store.dispatch(CountAction.add(1)) }
  }

  private final class Witness: Middleware {
    let asked = Recorder<CountAction>()
    let told = Recorder<Int>()

    func willReduce(_ action: any Action, _ context: MiddlewareContext<Desk>) -> Verdict {
      if let action = action as? CountAction { asked.append(action) }
      return .proceed
    }

    func didReduce(_ change: Change<Desk>) { told.append(change.state.count) }
  }

  @Test
  func `what middleware dispatches when it is attached reaches middleware and parts below it`()
    async throws
  {
    let (witness, history, ran) = (Witness(), History<Desk>(), Recorder<Int>())
    let store = try Store(
      initialState: Desk(), coverage: .partial, middleware: [Greeter(), witness, history]
    ) {
      Desk.countMutator
      Effect(on: CountAction.self) { _, context -> Void in ran.append(context.state.count) }
    }
    #expect(store.count == 1)
    #expect(witness.asked.values == [.add(1)])
    #expect(witness.told.values == [1])
    #expect(history.entries.map(\.state.count) == [0, 1])
    #expect(await ran.waitForCount(1) == [1])
  }

  @Test func `middleware is attached before an effect begins that is installed`() async throws {
    final class Diary: Middleware {
      let lines = Recorder<String>()

      func willReduce(_ action: any Action, _ context: MiddlewareContext<Desk>) -> Verdict {
        if action is TitleAction { lines.append("asked") }
        return .proceed
      }

      func attached(to store: ScopedStore<Desk>) {
        lines.append("attached")
        store.dispatch(TitleAction.rename("hello"))
      }
    }
    let (diary, history) = (Diary(), History<Desk>())
    let store = try Store(initialState: Desk(), coverage: .partial, middleware: [diary, history]) {
      Desk.countMutator
      Desk.titleMutator
      Effect<Desk>(
        whenChanged: \.title, .serial, including: .installation,
        when: { [lines = diary.lines] title, _ in
          lines.append("began '\(title)'")
          return true
        }
      ) { title, context -> Void in
        context.dispatch(CountAction.add(title.isEmpty ? 1 : 10))
      }
    }
    try await store.settled()
    #expect(store.count == 11)
    #expect(diary.lines.values == ["attached", "asked", "began ''", "began 'hello'"])
    #expect(history.entries.map(\.state.count) == [0, 0, 1, 11])
  }

  @Test func `what a service dispatches when it is installed reaches effects below it`()
    async throws
  {
    let ran = Recorder<String>()
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Desk.titleMutator
      Feature("first", onInstall: { $0.dispatch(TitleAction.rename("hello")) }) {}
      Effect(on: TitleAction.self) { _, context -> Void in ran.append(context.state.title) }
      Effect(whenChanged: \.title) { title, _ -> Void in ran.append(title) }
    }
    #expect(await ran.waitForCount(2) == ["hello", "hello"])
    withExtendedLifetime(store) {}
  }
}
