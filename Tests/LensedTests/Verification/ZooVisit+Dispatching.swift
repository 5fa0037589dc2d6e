import Lensed
import LensedPresenters
import LensedTestSupport
import Testing

extension Visit {
  static var dispatching: [Way] {
    [
      ("one concrete action", oneAction), ("any Action", anyAction), ("an array", array),
      ("a mixed array", mixedArray), ("nested lists", nestedLists), ("a sequence", sequence),
      ("a mixed sequence", mixedSequence), ("sequences in lists", sequencesInLists),
      ("merged and concatenated sequences", combinedSequences), ("dispatchEach", each),
      ("focusingOn", focusing), ("a scope", scope), ("Dispatch", dispatchValue),
      ("Tagged", tagged), ("a wide action", wide), ("the scope of middleware", attachedScope),
      ("a blueprint", blueprint), ("register and unregister", registration),
    ]
  }

  private func expectLog(
    _ numbers: UInt64..., sourceLocation: SourceLocation = #_sourceLocation,
    after body: (Store<State>) async throws -> Void
  ) async throws {
    let store = try store()
    try await body(store)
    expect(store.log, equals: values(numbers), sourceLocation: sourceLocation)
    expect([store.part], equals: values(numbers.suffix(1)), sourceLocation: sourceLocation)
    expect([store.state.part], equals: values(numbers.suffix(1)), sourceLocation: sourceLocation)
  }

  private func oneAction() async throws {
    try await expectLog(1, 2) {
      $0.dispatch(value(1))
      $0.dispatch(value(2))
    }
  }

  private func anyAction() async throws {
    try await expectLog(1, 2) {
      let one: any Action = value(1)
      $0.dispatch(one)
      $0.dispatch(value(2) as any Action)
    }
  }

  private func array() async throws {
    try await expectLog(1, 2, 3) { $0.dispatch(values([1, 2, 3])) }
  }

  private func mixedArray() async throws {
    try await expectLog(1, 2) { $0.dispatch([value(1), CountAction.keep, value(2)]) }
  }

  private func nestedLists() async throws {
    try await expectLog(1, 2, 3, 4, 5) {
      let list: [any Action] = [
        value(1), [value(2), value(3)], ActionList([value(4), ActionList([[value(5)]])]),
      ]
      $0.dispatch(list)
    }
    try await expectLog(1, 2) { $0.dispatch([values([1]), values([2])]) }
  }

  private func sequence() async throws {
    try await expectLog(1, 2) { try await $0.dispatch(stream(1, 2)).finish() }
  }

  private func mixedSequence() async throws {
    try await expectLog(1, 2) { try await $0.dispatch(mixedStream(1, 2)).finish() }
  }

  private func sequencesInLists() async throws {
    try await expectLog(1, 2, 3, 4) {
      let list: [any Action] = [
        value(1), AsyncActions(stream(2)), AsyncActions(mixedStream(3)), value(4),
      ]
      try await $0.dispatch(list).finish()
    }
  }

  private func combinedSequences() async throws {
    try await expectLog(1, 2, 3) {
      try await $0.dispatch(AsyncActions.concat(stream(1, 2), stream(3))).finish()
    }
    let store = try store()
    try await store.dispatch(AsyncActions.merge(stream(1), stream(2))).finish()
    let (log, sent) = (store.log, values([1, 2]))
    expect(log.first == sent.first ? log : log.reversed(), equals: sent)
  }

  private func each() async throws {
    try await expectLog(1, 2, 3, 4) {
      $0.dispatchEach(values([1, 2]))
      $0.dispatchEach([value(3), value(4)] as [any Action])
    }
  }

  private func focusing() async throws {
    let store = try store()
    expect([store.dispatch(value(1), focusingOn: \.part)], 1)
    expect([store.dispatch(value(2), focusingOn: Lens(\.part))], 2)
    expect([store.dispatch([value(3), value(4)] as [any Action], focusingOn: \.part)], 4)
    expect([store.dispatch([value(5)] as [any Action], focusingOn: Lens(\.part))], 5)
    expect(store.dispatch(value(6), focusingOn: \.log), 1, 2, 3, 4, 5, 6)
  }

  private func scope() async throws {
    try await expectLog(1, 2, 3, 4, 5) {
      let scope = $0.scope(\.part)
      scope.dispatch(value(1))
      scope.dispatch(values([2, 3]))
      expect([scope.state, scope.scope(\.self).state], 3, 3)
      try await scope.dispatch(stream(4)).finish()
      expect([scope.dispatch(value(5), focusingOn: \.self)], 5)
    }
  }

  private func dispatchValue() async throws {
    try await expectLog(1, 2, 3, 4, 5) {
      let dispatch = Dispatcher($0)
      dispatch(value(1))
      dispatch(value(2) as any Action)
      dispatch(values([3]))
      try await dispatch(stream(4)).finish()
      dispatch.command(value(5))()
    }
  }

  private enum Left {}

  private func tagged() async throws {
    let store = try store {
      Self.writePart.tagged(Left.self)
      Self.writeLog
    }
    store.dispatch(value(1))
    store.dispatch(value(2).tagged(Left.self))
    expect([store.part] + store.log, 2, 1)
    store.dispatch([value(3).tagged(Left.self)])
    store.dispatch([value(4).tagged(Left.self), CountAction.keep])
    expect([store.part], 4)
    let scope = store.scope(\.part, actions: .tagged(Left.self))
    scope.dispatch(value(5))
    expect([scope.state], 5)
    scope.dispatch([value(6), CountAction.keep] as [any Action])
    try await scope.dispatch(stream(7)).finish()
    expect([scope.dispatch(value(8), focusingOn: \.self)] + store.log, 8, 1)
  }

  private func wide() async throws {
    let store = try store {
      Self.writePart.lifted(action: ZooWide<S>.prism)
      Self.writeLog.lifted(action: ZooWide<S>.prism)
    }
    store.dispatch(ZooWide.narrow(value(1)))
    store.dispatch(ZooWide<S>.nothing)
    store.dispatch([ZooWide.narrow(value(2))])
    store.dispatch(ZooWide.narrow(value(3)) as any Action)
    expect([store.part] + store.log, 3, 1, 2, 3)
  }

  private struct Keeper: Middleware {
    typealias State = Visit.State
    let stores = Recorder<ScopedStore<Visit.State>>()
    func attached(to store: ScopedStore<Visit.State>) { stores.append(store) }
  }

  private func attachedScope() async throws {
    let keeper = Keeper()
    let store = try store(middleware: [keeper])
    keeper.stores.last?.dispatch(value(1))
    expect([keeper.stores.last?.part].compactMap(\.self), 1)
    expect(store.log, 1)
  }

  private func blueprint() async throws {
    let blueprint = try StoreBlueprint<State>(coverage: .partial) {
      Self.writePart
      Self.writeLog
    }
    for number in 1...2 as ClosedRange<UInt64> {
      let store = blueprint.makeStore(initialState: State(value(9)))
      expect([store.part], 9)
      store.dispatch(value(number))
      expect([store.part] + store.log, number, number)
    }
  }

  private func registration() async throws {
    let store = try store { Self.writeLog }
    store.dispatch(value(1))
    expect([store.part], 0)
    try store.register(Self.writePart)
    store.dispatch(value(2))
    #expect(store.unregister(\.part))
    store.dispatch(value(3))
    expect([store.part] + store.log, 2, 1, 2, 3)
  }
}
