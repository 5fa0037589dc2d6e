import Lensed
import LensedPersistence
import LensedPresenters
import LensedTestSupport

/// A store with all that a user can hold of it, and a reducer that asks one of them for something.
///
/// The reducer runs on the main actor, since some of them belong there.
@MainActor
final class EntryScene {
  struct Entry: Sendable {
    let name: String
    let enter: @MainActor @Sendable (EntryScene) -> Void

    init(_ name: String, _ enter: @escaping @MainActor @Sendable (EntryScene) -> Void) {
      (self.name, self.enter) = (name, enter)
    }
  }

  nonisolated private static let doubled = Derived(\Desk.count) { 2 * $0 }

  private(set) var store: Store<Desk>?
  let scope: ScopedStore<Desk>
  let history = History<Desk>()
  let partHistory = History(\Desk.title)
  let recorder = SessionRecorder<Desk>()
  let persistence: Persistence<Desk>
  let observed: ObservedStore<Desk>
  let presentation: Presentation
  let context: EffectContext<Desk>
  let middlewareContext: MiddlewareContext<Desk>
  /// Of a sequence that never ends.
  let sequence: DispatchTask
  var released: DispatchTask?
  /// Of an action whose effect never ends.
  let effect: DispatchTask
  /// Of a sequence that has ended.
  let ended: DispatchTask
  /// Of an action that left nothing under way.
  let plain: DispatchTask
  let change: Change<Desk>
  /// A session of the store so far.
  let held: RecordedSession<Desk>?
  var subscriptions: [String: StoreSubscription] = [:]
  var iterators: [String: any AsyncIteratorProtocol] = [:]

  private init(_ own: WeakReference<EntryScene>, _ entry: Entry) async throws {
    let contexts = Recorder<EffectContext<Desk>>()
    let asked = Recorder<MiddlewareContext<Desk>>()
    persistence = try Persistence(in: .memory) { Kept(\Desk.title) }
    let (stream, _) = AsyncStream<TitleAction>.makeStream()
    let changed = Recorder<Change<Desk>>()
    let store = try Store(initialState: Desk(), middleware: [persistence]) {
      Mutator(\.count) { (count: inout Int, action: CountAction) in
        if action == .add(1) {
          MainActor.assumeIsolated { own.object.map { entry.enter($0) } }
        }
        count += 1
      }
      Desk.titleMutator
      Desk.notesMutator
      Effect(on: NoteAction.self) { _, context in
        contexts.append(context)
        for await _ in AsyncStream<Never>.makeStream().stream {}
      }.keepingChanges()
    }
    subscriptions["history"] = store.attach(history)
    subscriptions["history of a part"] = store.attach(partHistory)
    subscriptions["recorder"] = store.attach(recorder)
    subscriptions["middleware"] = store.attach(Witness(asked: asked, changed: changed))
    subscriptions["effect"] = store.install(Effect(on: StrayAction.self) { _, _ in })
    subscriptions["values"] = store.states(\.title).subscribe { _ in }
    subscriptions["values on main"] = store.states(\.title).subscribe(onMain: { _ in })
    subscriptions["changes on main"] = store.changes().subscribe(onMain: { _ in })
    subscriptions["two values"] =
      store.states(\.title).combineLatest(store.states(\.count)).subscribe { _ in }
    observed = ObservedStore(store.asScope)
    _ = observed.title
    presentation = store.present(TitlePresenter()) { _ in }
    presentation.start()
    effect = store.dispatch(NoteAction.append(1))
    sequence = store.dispatch(stream)
    released = store.dispatch(AsyncStream<TitleAction>.makeStream().stream)
    ended = store.dispatch(AsyncStream<TitleAction> { $0.finish() })
    try await ended.finish()
    plain = store.dispatch(TitleAction.rename("T"))
    while contexts.values.isEmpty { await Task.yield() }
    held = recorder.session
    let over = store.states(\.title).subscribe { _ in }
    over.cancel()
    subscriptions["over"] = over
    iterators["changes"] = store.changes().makeAsyncIterator()
    guard let context = contexts.values.first, let middlewareContext = asked.values.last,
      let change = changed.values.last
    else { throw CancellationError() }
    (self.context, self.middlewareContext, self.change) = (context, middlewareContext, change)
    scope = store.scope(\.self)
    self.store = store
    own.refer(to: self)
  }

  /// Lets a reducer of a new store do what `name` says.
  static func enter(by name: String) async throws {
    guard let entry = (entries + harmless).first(where: { $0.name == name }) else { return }
    let scene = try await EntryScene(WeakReference(), entry)
    scene.scope.dispatch(CountAction.add(1))
    withExtendedLifetime(scene) {}
  }

  private func now(_ body: @escaping @Sendable @MainActor () async throws -> Void) {
    Task.immediate { try await body() }
  }

  private struct Witness: Middleware {
    let asked: Recorder<MiddlewareContext<Desk>>
    let changed: Recorder<Change<Desk>>
    var needsPrevious: Bool { true }
    func willReduce(_ action: any Action, _ context: MiddlewareContext<Desk>) -> Verdict {
      asked.append(context)
      return .proceed
    }
    func didReduce(_ change: Change<Desk>) { changed.append(change) }
  }

  private struct TitlePresenter: Presenter {
    func props(for state: Desk, dispatch: Dispatcher) -> String { state.title }
  }
}

// MARK: The ways in

extension EntryScene {
  nonisolated static let entries =
    storeEntries + taskEntries + subscriptionEntries + middlewareEntries + mainEntries

  nonisolated private static let storeEntries = [
    Entry("store.dispatch") { $0.store?.dispatch(TitleAction.rename("T")) },
    Entry("store.dispatchEach") { $0.store?.dispatchEach([TitleAction.rename("T")]) },
    Entry("store.dispatch(focusingOn:)") {
      $0.store?.dispatch(TitleAction.rename("T"), focusingOn: \.title)
    },
    Entry("store.state") { _ = $0.store?.state },
    Entry("store.title") { _ = $0.store?.title },
    Entry("store[lens]") { _ = $0.store?[Lens(\.title)] },
    Entry("store[derived]") { _ = $0.store?[doubled] },
    Entry("store.settledState") { _ = $0.store?.settledState },
    Entry("store.versioned") { _ = $0.store?.versioned },
    Entry("store.wiring") { _ = $0.store?.wiring },
    Entry("store.isReplaying") { _ = $0.store?.isReplaying },
    Entry("store.register") { try? $0.store?.register(Effect(on: StrayAction.self) { _, _ in }) },
    Entry("store.replace") { try? $0.store?.replace(Desk.titleMutator) },
    Entry("store.unregister") { $0.store?.unregister(\.title) },
    Entry("store.install") {
      _ = $0.store?.install(Effect(on: StrayAction.self) { _, _ in })
    },
    Entry("store.attach") { _ = $0.store?.attach(History<Desk>()) },
    Entry("store.replaceState") { $0.store?.replaceState(Desk()) },
    Entry("store.replay") { scene in
      if let session = scene.held { scene.store?.replay(session) }
    },
    Entry("store.settled") { scene in
      scene.now { [store = scene.store] in try await store?.settled() }
    },
    Entry("store.flush") { scene in scene.now { [store = scene.store] in try await store?.flush() }
    },
    Entry("store.request") { scene in
      scene.now { [scope = scene.scope] in
        _ = try await scope.request(TitleAction.rename("T"), answeredBy: CountAction.self)
      }
    },
    Entry("the last reference to the store") { $0.store = nil },
    Entry("store.states, subscribed") { _ = $0.store?.states(\.title).subscribe { _ in } },
    Entry("store.states, awaited") { scene in
      scene.now { [scope = scene.scope] in for await _ in scope.states(\.title) {} }
    },
    Entry("store.changes, iterated") { _ = $0.store?.changes().makeAsyncIterator() },
    Entry("store.changes, on main") { _ = $0.store?.changes().subscribe(onMain: { _ in }) },
    Entry("scope.state") { _ = $0.scope.state },
    Entry("scope.dispatch") { $0.scope.dispatch(TitleAction.rename("T")) },
    Entry("scope of a part, dispatch") {
      $0.scope.scope(\.title).dispatch(TitleAction.rename("T"))
    },
    Entry("context.state") { _ = $0.context.state },
    Entry("context.dispatch") { $0.context.dispatch(TitleAction.rename("T")) },
    Entry("context[derived]") { _ = $0.context[doubled] },
    Entry("context.changes") { _ = $0.context.changes().makeAsyncIterator() },
    Entry("context.next") { scene in
      scene.now { [context = scene.context] in _ = try await context.next(CountAction.self) }
    },
    Entry("context.until") { scene in
      scene.now { [context = scene.context] in _ = try await context.until { $0.count > 9 } }
    },
    Entry("middleware context.state") { _ = $0.middlewareContext.state },
  ]

  nonisolated private static let taskEntries = [
    Entry("sequence.cancel") { $0.sequence.cancel() },
    Entry("sequence.isCancelled") { _ = $0.sequence.isCancelled },
    Entry("sequence.finish") { scene in
      scene.now { [task = scene.sequence] in try await task.finish() }
    },
    Entry("effect.cancel") { $0.effect.cancel() },
    Entry("effect.isCancelled") { _ = $0.effect.isCancelled },
    Entry("effect.finish") { scene in
      scene.now { [task = scene.effect] in try await task.finish() }
    },
    Entry("ended.cancel") { $0.ended.cancel() },
    Entry("ended.isCancelled") { _ = $0.ended.isCancelled },
    Entry("ended.finish") { scene in
      scene.now { [task = scene.ended] in try await task.finish() }
    },
  ]

  nonisolated private static let subscribed = [
    "history", "history of a part", "recorder", "middleware", "effect", "values",
    "values on main", "changes on main", "two values",
  ]

  nonisolated private static let subscriptionEntries =
    subscribed.flatMap { name in
      [
        Entry("cancelling \(name)") { $0.subscriptions[name]?.cancel() },
        Entry("releasing \(name)") { $0.subscriptions[name] = nil },
        Entry("retiring \(name)") { $0.subscriptions[name]?.retire() },
      ]
    }

  nonisolated private static func historyEntries(
    _ name: String, _ history: @escaping @MainActor @Sendable (EntryScene) -> History<Desk>
  ) -> [Entry] {
    [
      Entry("\(name).entries") { _ = history($0).entries },
      Entry("\(name).position") { _ = history($0).position },
      Entry("\(name).canUndo") { _ = history($0).canUndo },
      Entry("\(name).canRedo") { _ = history($0).canRedo },
      Entry("\(name).undo") { history($0).undo() },
      Entry("\(name).redo") { history($0).redo() },
      Entry("\(name).jump") { history($0).jump(to: 1) },
      Entry("\(name).endStep") { history($0).endStep() },
      Entry("\(name).clear") { history($0).clear() },
      Entry("\(name).why") { _ = history($0).why(\.title) },
    ]
  }

  nonisolated private static let middlewareEntries =
    historyEntries("history") { $0.history }
    + historyEntries("history of a part") { $0.partHistory } + [
      Entry("recorder.session") { _ = $0.recorder.session }
    ]

  nonisolated private static let mainEntries = [
    Entry("observed.title, read before") { _ = $0.observed.title },
    Entry("observed.count, read first") { _ = $0.observed.count },
    Entry("observed.dispatch") { $0.observed.dispatch(TitleAction.rename("T")) },
    Entry("observed[derived]") { _ = $0.observed[doubled] },
    Entry("observing the store") { scene in _ = scene.store.map { ObservedStore($0) } },
    Entry("presentation.stop") { $0.presentation.stop() },
    Entry("starting a presentation") { scene in
      scene.store?.present(TitlePresenter()) { _ in }.start()
    },
  ]

  nonisolated static let harmless = [
    Entry("plain.cancel") { $0.plain.cancel() },
    Entry("plain.isCancelled") { _ = $0.plain.isCancelled },
    Entry("sequence.revision") { _ = ($0.sequence.revision, $0.sequence.isHandled) },
    Entry("a stream that nobody reads") { _ = $0.scope.states(\.title).map { $0.count } },
    Entry("changes that nobody reads") { _ = $0.scope.changes() },
    Entry("the scope of a part") { _ = $0.scope.scope(\.title) },
    Entry("a change that is held") {
      _ = ($0.change.state, $0.change.previous, $0.change.touches(\.count), $0.change[doubled])
    },
    Entry("context.change") { _ = $0.context.change.state },
    Entry("middleware context.line") { _ = $0.middlewareContext.line },
    Entry("a subscription that is kept") {
      var kept: Set<StoreSubscription> = []
      for subscription in $0.subscriptions.values { subscription.keep(in: &kept) }
    },
    Entry("a subscription that has ended") { scene in
      scene.subscriptions["over"]?.cancel()
    },
    Entry("an iterator of changes, released") { $0.iterators["changes"] = nil },
    Entry("a task, released") { $0.released = nil },
    Entry("presentation.pause") { $0.presentation.pause() },
    // The disk asks the store later, on a task of its own.
    Entry("persistence.sync") { scene in
      scene.now { [persistence = scene.persistence] in try await persistence.sync() }
    },
    Entry("persistence.close") { scene in
      scene.now { [persistence = scene.persistence] in try await persistence.close() }
    },
    Entry("persistence.erase") { scene in
      scene.now { [persistence = scene.persistence] in try await persistence.erase() }
    },
    Entry("persistence.status") { _ = $0.persistence.status },
  ]
}
