import Lensed
import LensedPresenters
import LensedTestSupport
import Testing

extension Visit {
  static var observing: [Way] {
    [
      ("reading", reading), ("subscribe", subscribe), ("operators", operators),
      ("combineLatest", combining), ("asynchronous states", asyncStates), ("in time", inTime),
      ("changes", changes), ("bounded changes", boundedChanges), ("History", history),
      ("SessionRecorder", sessionRecorder),
      ("replaceState", replacement), ("a presenter", presenter), ("ObservedStore", observed),
      ("a store that goes", end),
    ]
  }

  private func reading() async throws {
    let store = try store()
    store.dispatch(value(1))
    let lens = Lens<State, S>(\.part)
    expect([store.part, store[lens], store.state.part, store.state.inner.part], 1, 1, 1, 0)
    expect([store.inner.pair.1, store[Lens(\.inner.pair.1)], store.inner.part], 0, 0, 0)
    let scope = store.scope(\.inner)
    expect([scope.part, scope.state.part, scope.pair.1, scope.scope(\.pair.1).state], 0, 0, 0, 0)
  }

  private func subscribe() async throws {
    guard Self.hasBytes else { return }
    let store = try store()
    let (parts, wholes, logs) = (Recorder<S>(), Recorder<S>(), Recorder<[S]>())
    let subscriptions = [
      store.states(\.part, repeats: .kept).subscribe { parts.append($0) },
      store.states.subscribe { wholes.append($0.part) },
      store.states(Lens(\.log)).subscribe { logs.append($0) },
    ]
    store.dispatch(value(1))
    store.dispatch(values([2, 3]))
    expect(parts.values, 0, 1, 3)
    expect(wholes.values, 0, 1, 3)
    expect(logs.last ?? [], 1, 2, 3)
    for subscription in subscriptions { subscription.cancel() }
  }

  private func operators() async throws {
    guard Self.hasBytes else { return }
    let store = try store()
    let (mapped, kept, unique, chosen) = (
      Recorder<S>(), Recorder<S>(), Recorder<S>(), Recorder<S>()
    )
    let parts = store.states(\.part, repeats: .kept)
    let subscriptions = [
      store.states.map(\.part).subscribe { mapped.append($0) },
      parts.filter { $0 != value(2) }.subscribe { kept.append($0) },
      parts.removeDuplicates().subscribe { unique.append($0) },
      store.states.compactMap { $0.log.last }.subscribe { chosen.append($0) },
      store.states.select(\.part).map { $0 }.subscribe { unique.append($0) },
    ]
    for number in [1, 2, 2, 3] as [UInt64] { store.dispatch(value(number)) }
    expect(mapped.values, 0, 1, 2, 2, 3)
    expect(kept.values, equals: values([0, 1, 2, 2, 3]).filter { $0 != value(2) })
    expect(unique.values, equals: distinct([0, 1, 2, 2, 3]).flatMap { [$0, $0] })
    expect(chosen.values, 1, 2, 2, 3)
    for subscription in subscriptions { subscription.cancel() }
  }

  private func combining() async throws {
    guard Self.hasBytes else { return }
    let store = try store()
    let pairs = Recorder<[S]>()
    let subscription = store.states(\.part, repeats: .kept)
      .combineLatest(store.states(\.log)) { [$0] + $1 }
      .subscribe { pairs.append($0) }
    store.dispatch(value(1))
    store.dispatch(value(2))
    expect(pairs.values.flatMap(\.self), 0, 1, 1, 2, 1, 2)
    subscription.cancel()
  }

  private func asyncStates() async throws {
    guard Self.hasBytes else { return }
    let store = try store()
    var parts = store.states(\.part, repeats: .kept).makeAsyncIterator()
    var wholes = store.states.makeAsyncIterator()
    var pairs = store.states(\.part, repeats: .kept)
      .combineLatest(store.states(\.log)).map { [$0.0] + $0.1 }.makeAsyncIterator()
    for number in 0...2 as ClosedRange<UInt64> {
      if number > 0 { store.dispatch(value(number)) }
      expect([await parts.next(), await wholes.next()?.part].compactMap(\.self), number, number)
      let log = Array((0...number).dropFirst())
      expect(await pairs.next() ?? [], equals: values([number] + log))
    }
  }

  private func inTime() async throws {
    guard Self.hasBytes else { return }
    let store = try store()
    let clock = ManualClock()
    var throttled = store.states(\.part, repeats: .kept)
      .throttle(for: .seconds(1), clock: clock).makeAsyncIterator()
    expect([await throttled.next(isolation: #isolation)].compactMap(\.self), 0)
    store.dispatch(value(1))
    clock.move(by: .seconds(2))
    expect([await throttled.next(isolation: #isolation)].compactMap(\.self), 1)
  }

  private func changes() async throws {
    let store = try store()
    var changes = store.changes(keepingPrevious: true).makeAsyncIterator()
    store.dispatch(value(1))
    store.dispatch([value(2), CountAction.keep, value(3)])
    store.dispatch(values([4, 5]))
    for (number, members) in [(1, [1]), (3, [2, 3]), (5, [4, 5])] as [(UInt64, [UInt64])] {
      let change = try #require(await changes.next())
      let former = number == 1 ? 0 : number - 2
      expect(Self.specimens(in: change.action), equals: values(members))
      expect([change.state.part, change.previous?.part].compactMap(\.self), number, former)
      if number > 1 {
        #expect(change.didChange(\.part) == (value(number) != value(former)), "\(zooName(S.self))")
      }
      switch change.action {
      case let action as S: expect([action], 1)
      case let array as [S]: expect(array, 4, 5)
      case let list as ActionList: expect(list.actions.compactMap { $0 as? S }, 2, 3)
      default: Issue.record("\(zooName(S.self)): no action")
      }
    }
  }

  private func boundedChanges() async throws {
    let store = try store()
    for end in [ChangeBuffering.End.oldest, .newest] {
      var changes = store.changes(buffering: .bounded(2, dropping: end)).makeAsyncIterator()
      for number in 1...3 as ClosedRange<UInt64> { store.dispatch(value(number)) }
      let first = try #require(await changes.next())
      expect([first.state.part], end == .oldest ? 2 : 1)
    }
  }

  private func history() async throws {
    let history = History<State>(limit: 10)
    let store = try store(middleware: [history])
    store.dispatch(value(1))
    store.dispatch([value(2), CountAction.keep])
    store.dispatch(value(3))
    expect(history.entries.map(\.state.part), 0, 1, 2, 3)
    expect(history.entries.flatMap(\.actions).compactMap { $0 as? S }, 1, 2, 3)
    history.undo()
    expect([store.part], 2)
    history.undo()
    expect([store.part] + store.log, 1, 1)
    history.redo()
    expect([store.part], 2)
    if let first = history.entries.first { history.jump(to: first.revision) }
    expect([store.part], 0)
  }

  private func sessionRecorder() async throws {
    let recorder = SessionRecorder<State>()
    let first = try store(middleware: [recorder])
    first.dispatch(value(1))
    first.dispatch([value(2), CountAction.keep])
    first.replaceState(State(value(3)))
    first.dispatch(value(4))
    let second = try store()
    let visited = Recorder<S>()
    let session = try #require(recorder.session)
    second.replay(session) { visited.append($1.part) }
    expect(visited.values, 1, 2, 3, 4)
    expect([second.part], 4)
    second.replay(session.followed(by: session))
    expect([second.part] + second.log, equals: [first.part] + first.log)
  }

  private func replacement() async throws {
    guard Self.hasBytes else { return }
    let store = try store()
    let heard = Recorder<S>()
    let subscription = store.states(\.part, repeats: .kept).subscribe { heard.append($0) }
    store.replaceState(State(value(1)))
    store.dispatch(value(2))
    store.replaceState(State(value(3)))
    expect(heard.values, 0, 1, 2, 3)
    subscription.cancel()
  }

  private struct Shower: Presenter {
    func props(for state: ZooState<S>, dispatch: Dispatcher) -> S { state.part }
  }

  @MainActor private func presenter() async throws {
    let store = try store()
    let heard = Recorder<S>()
    let presentation = store.present(Shower()) { @MainActor props in heard.append(props) }
    presentation.start()
    expect(await heard.waitForCount(1), 0)
    store.dispatch(value(1))
    expect(await heard.waitForCount(2), 0, 1)
    presentation.stop()
  }

  @MainActor private func observed() async throws {
    let store = try store()
    let observed = ObservedStore(store)
    expect([observed.part, observed.inner.pair.1], 0, 0)
    observed.dispatch(value(1))
    expect([observed.part] + observed.log, 1, 1)
    observed.dispatch([value(2), CountAction.keep] as [any Action])
    expect([observed.part, observed.state.part], 2, 2)
    observed.set(\.part, to: value(3), as: { $0 })
    expect([observed.part], 3)
    observed[\.part, send: { $0 }] = value(4)
    expect([observed.part, observed[\.part]], 4, 4)
    let scoped = ObservedStore(store.scope(\.inner))
    expect([scoped.part, scoped.state.part], 0, 0)
  }

  private func end() async throws {
    let (heard, scope, handle) = try await { () async throws in
      let keeper = Recorder<S>()
      let store = try store()
      let subscription = store.states(\.part, repeats: .kept).subscribe { keeper.append($0) }
      store.dispatch(value(1))
      subscription.cancel()
      return (keeper, store.scope(\.part), store.scope(\.inner.pair.1))
    }()
    expect([scope.state, handle.state], 1, 0)
    if Self.hasBytes { expect(heard.values, 0, 1) }
  }
}
