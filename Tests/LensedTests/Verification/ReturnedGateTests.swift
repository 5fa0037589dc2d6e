import LensedTestSupport
import Testing

@testable import Lensed

/// The certain form of each race: a middleware ends the work while that work's own commit waits.
///
/// The end is made on another thread, and has returned before the middleware lets the commit pass.
@Suite(
  "A commit of work that was ended while it waited is not made", .serialized,
  .timeLimit(.minutes(30)))
struct ReturnedGateTests {
  /// Does something on another thread, once, before the first action of a type is applied.
  private final class Meddler<State: Sendable, A: Action>: Middleware {
    private let deed: @Sendable () -> Void
    private let meetings = Counter()

    init(before type: A.Type, in state: State.Type, _ deed: @escaping @Sendable () -> Void) {
      self.deed = deed
    }

    func willReduce(_ action: any Action, _ context: MiddlewareContext<State>) -> Verdict {
      if action is A, meetings.increment() == 0 { Threads.start(deed).wait() }
      return .proceed
    }
  }

  private let tasks = Recorder<DispatchTask>()
  private let installed = Recorder<StoreSubscription>()

  private func cancelTask() {
    Threads.wait { tasks.count > 0 }
    tasks.last?.cancel()
  }

  private func meddler() -> any Middleware<Trail> {
    Meddler(before: Trail.Stamp.self, in: Trail.self) { [self] in cancelTask() }
  }

  @Test func `of a sequence whose dispatch is cancelled`() async throws {
    let store = try Trail.makeStore(middleware: [meddler()])
    let task = store.dispatch(Trail.Stamps(round: 1))
    tasks.append(task)
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(store.tally.stamps == 0)
  }

  @Test func `of a list after its first asynchronous member`() async throws {
    let store = try Trail.makeStore(middleware: [meddler()])
    let pause = AsyncStream<Trail.Hold> { $0.finish() }
    let task = store.dispatch(
      [AsyncActions(pause), Trail.Stamp(round: 1)] as [any Action])
    tasks.append(task)
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(store.tally.stamps == 0)
  }

  @Test func `of an effect whose dispatch is cancelled`() async throws {
    let store = try Trail.makeStore(middleware: [meddler()]) {
      Effect<Trail>(on: Trail.Begin.self) { _, context in
        context.dispatch(Trail.Stamp(round: 1))
        context.dispatch([Trail.Stamp(round: 1)])
        context.dispatch([Trail.Stamp(round: 1), Trail.Hold()])
      }
    }
    let task = store.dispatch(Trail.Begin(round: 1))
    tasks.append(task)
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(store.tally.stamps == 0)
    #expect(store.busy == 0)
  }

  @Test func `of an answer of an effect whose dispatch is cancelled`() async throws {
    let store = try Trail.makeStore(middleware: [meddler()]) {
      Effect<Trail>(on: Trail.Begin.self) { _, _ in Trail.Stamp(round: 1) }
    }
    let task = store.dispatch(Trail.Begin(round: 1))
    tasks.append(task)
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(store.tally.stamps == 0)
  }

  @Test func `of a sequence of an effect whose dispatch is cancelled`() async throws {
    let store = try Trail.makeStore(middleware: [meddler()]) {
      Effect<Trail>(on: Trail.Begin.self) { _, context in
        context.dispatch(Trail.Stamps(round: 1))
      }
    }
    let task = store.dispatch(Trail.Begin(round: 1))
    tasks.append(task)
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(store.tally.stamps == 0)
  }

  @Test func `of a lifted and tagged effect`() async throws {
    enum Left {}
    let feature = Effect<Int>(on: Trail.Begin.self) { _, context in
      context.dispatch(Trail.Stamp(round: 1))
    }
    let stamped = Counter()
    let meddler = Meddler(before: Tagged<Left, Trail.Stamp>.self, in: Trail.self) { [self] in
      cancelTask()
    }
    let store = try Trail.makeStore(middleware: [meddler]) {
      feature.lifted(Lens<Trail, Int>(\.busy)).tagged(Left.self)
      Mutator(\Trail.side) { (_: inout Int, _: Trail.Stamp) in stamped.increment() }
        .tagged(Left.self)
    }
    let task = store.dispatch(Trail.Begin(round: 1).tagged(Left.self))
    tasks.append(task)
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(stamped.value == 0)
  }

  /// What ends an effect from outside of its dispatch.
  enum End: CaseIterable, Sendable {
    case removed, tied, cancelledByAction
  }

  @Test(arguments: End.allCases)
  func `of an effect that ends by itself`(end: End) async throws {
    let reference = WeakReference<Store<Desk>>()
    let meddler = Meddler(before: CountAction.self, in: Desk.self) { [installed] in
      switch end {
      case .removed: installed.last?.cancel()
      case .tied, .cancelledByAction: reference.object?.dispatch(ClearAction())
      }
    }
    let store = try Store(
      initialState: Desk(), coverage: .partial, middleware: [meddler]
    ) {
      Desk.countMutator
      Mutator(\Desk.notes) { (notes: inout [Int], action: NoteAction) in
        if case .append(let note) = action { notes.append(note) }
      }
      .on(ClearAction.self) { notes, _ in notes = [] }
    }
    reference.refer(to: store)
    store.dispatch(NoteAction.append(1))
    let effect = Effect<Desk>(on: TitleAction.self) { _, context in
      context.dispatch(CountAction.add(1))
    }
    let ending =
      switch end {
      case .removed: effect
      case .tied: effect.tied(to: \.firstNote)
      case .cancelledByAction: effect.cancelled(on: ClearAction.self)
      }
    installed.append(store.install(ending))
    try? await store.dispatch(TitleAction.rename("x")).finish()
    #expect(store.count == 0, "\(end)")
    #expect(store.notes == (end == .removed ? [1] : []))
  }

  private struct Found: Action {
    let query: String
  }

  @Test func `the latest run's result stays, though the older one was about to be written`()
    async throws
  {
    let reference = WeakReference<Store<Desk>>()
    let newer = Recorder<DispatchTask>()
    let meddler = Meddler(before: Found.self, in: Desk.self) {
      guard let store = reference.object else { return }
      newer.append(store.dispatch(TitleAction.rename("new")))
      Threads.wait { store.title == "new" }
    }
    let store = try Store(
      initialState: Desk(), coverage: .partial, middleware: [meddler]
    ) {
      Mutator(\Desk.title) { (title: inout String, found: Found) in title = found.query }
      Effect<Desk>(on: TitleAction.self, .latest) { action, context in
        if case .rename(let query) = action { context.dispatch(Found(query: query)) }
      }
    }
    reference.refer(to: store)
    let titles = Recorder<String>()
    let subscription = store.states(\.title, repeats: .kept).subscribe { titles.append($0) }
    try await store.dispatch(TitleAction.rename("old")).finish()
    for task in newer.values { try await task.finish() }
    subscription.cancel()
    #expect(titles.values == ["", "new"])
  }

  /// The outcome of an event meets no middleware; it waits at the lock, which a reducer keeps.
  @Test func `of a cancelled event of an asynchronous mutator`() async throws {
    let (reduced, kept, free) = (Gate(), ThreadGate(), ThreadGate())
    let store = try Trail.makeStore {
      AsyncMutator(\Trail.side) { (_: Int, begin: Trail.Begin) in
        AsyncResult {
          // The work itself does not look whether it was cancelled.
          await Task { try? await reduced.wait() }.value
          return begin.round
        }
      }
    }
    store.unregister(\.busy)
    try store.register(
      Mutator(\.busy) { (_: inout Int, _: CountAction) in
        kept.open()
        free.wait()
      })
    let task = store.dispatch(Trail.Begin(round: 7))
    let holder = Threads.start { store.dispatch(CountAction.keep) }
    await Threads.apart { kept.wait() }
    reduced.open()
    // On threads of their own: the outcome blocks one of the tasks' threads while it waits.
    await Threads.apart {
      // Long enough, nearly always, for the outcome to come to the lock; if not, nothing is shown.
      for _ in 0..<50 { Threads.yield() }
      // It returns when the commit that is under way has ended, and not before.
      let cancelling = Threads.start { task.cancel() }
      // The dispatch is revoked first, and then the event, which is what may commit no more.
      Threads.wait { task.isCancelled && task.work?.children.allSatisfy(\.isStopped) == true }
      free.open()
      cancelling.wait()
      holder.wait()
    }
    try? await task.finish()
    #expect(store.side == 0)
  }

  @Test func `a value that was on its way to a subscriber is not delivered after cancel()`()
    async throws
  {
    let store = try Desk.makeStore()
    let (entered, leave) = (ThreadGate(), ThreadGate())
    let heard = Recorder<Int>()
    let subscription = store.states(\.count)
      .map { count in
        if count == 1 {
          entered.open()
          leave.wait()
        }
        return count
      }
      .subscribe { heard.append($0) }
    await Threads.apart {
      let writer = Threads.start { store.dispatch(CountAction.add(1)) }
      entered.wait()
      store.dispatch(CountAction.add(1))
      subscription.cancel()
      leave.open()
      writer.wait()
    }
    #expect(heard.values == [0])
  }

  @Test func `deliveries that wait behind a running call are not made after cancel()`()
    async throws
  {
    let store = try Desk.makeStore()
    let (entered, leave) = (ThreadGate(), ThreadGate())
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { count in
      heard.append(count)
      if count == 1 {
        entered.open()
        leave.wait()
      }
    }
    await Threads.apart {
      let writer = Threads.start { store.dispatch(CountAction.add(1)) }
      entered.wait()
      for _ in 0..<5 { store.dispatch(CountAction.add(1)) }
      subscription.cancel()
      leave.open()
      writer.wait()
    }
    #expect(heard.values == [0, 1])
  }
}

extension Desk {
  fileprivate var firstNote: Int? { notes.first }
}
