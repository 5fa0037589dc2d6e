import Lensed
import LensedTestSupport
import Testing

extension Visit {
  static var acting: [Way] {
    [
      ("an effect's input", input), ("each policy", policies), ("an effect's answer", answers),
      ("effects lifted and tagged", liftedEffects), ("whenChanged", whenChanged),
      ("an effect's change", change), ("a service", service), ("debounced and retried", timed),
      ("replace(with:)", replacing), ("drop", dropping), ("ActionLogger", logger),
      ("ActionThrottle", throttle), ("an error's action", failure),
    ]
  }

  static var comparing: [Way] { [("the state before, in when:", former)] }

  private func former() async throws {
    let former = Recorder<S>()
    let store = try store {
      Self.writePart
      Effect<State>(
        whenChanged: \.part,
        when: { _, change in
          if let previous = change.previous { former.append(previous.part) }
          return true
        }
      ) { _, _ in }
    }
    for number in [1, 2, 3] as [UInt64] { try await store.dispatch(value(number)).finish() }
    if Self.hasBytes { expect(former.values, equals: Array(distinct([0, 1, 2, 3]).dropLast())) }
  }

  private func input() async throws {
    let heard = Recorder<S>()
    let store = try store {
      Self.writePart
      Effect<State>(on: S.self) { action, context in
        heard.append(action)
        heard.append(context.part)
      }
    }
    try await store.dispatch(value(1)).finish()
    expect(heard.values, 1, 1)
    try await store.dispatch([value(2), CountAction.keep]).finish()
    expect(heard.values, 1, 1, 2, 2)
    try await store.dispatch(value(3) as any Action).finish()
    expect(heard.values, 1, 1, 2, 2, 3, 3)
  }

  private func policies() async throws {
    for policy in [EffectPolicy.concurrent, .latest, .first, .serial, .limited(2)] {
      let (heard, gate) = (Recorder<S>(), Gate())
      let store = try store {
        Effect<State>(on: S.self, policy) { action, _ in
          try? await gate.wait()
          heard.append(action)
        }
      }
      let tasks = values([1, 2, 3]).map { store.dispatch($0) }
      gate.open()
      for task in tasks { try? await task.finish() }
      for element in heard.values {
        #expect(
          values([1, 2, 3]).contains(element), "\(policy) of \(zooName(S.self)), seed \(seed)")
      }
      if policy == .serial { expect(heard.values, 1, 2, 3) }
    }
  }

  private func answers() async throws {
    let store = try store {
      Self.writeLog
      Effect<State>(on: TitleAction.self) { _, _ in value(1) }
      Effect<State>(on: NoteAction.self) { _, _ in [value(2), value(3)] }
      Effect<State>(on: ClearAction.self) { _, _ in stream(4, 5) }
      Effect<State>(on: CountAction.self) { _, context in
        context.dispatch(value(6))
        context.dispatch([value(7)])
        try await context.dispatch(mixedStream(8)).finish()
      }
    }
    try await store.dispatch(TitleAction.rename("")).finish()
    try await store.dispatch(NoteAction.append(1)).finish()
    try await store.dispatch(ClearAction()).finish()
    try await store.dispatch(CountAction.keep).finish()
    expect(store.log, 1, 2, 3, 4, 5, 6, 7, 8)
  }

  private enum Tag {}

  private func liftedEffects() async throws {
    let heard = Recorder<S>()
    let feature = Effect<S>(on: S.self) { action, context in
      heard.append(action)
      heard.append(context.state)
      if action == value(1) { context.dispatch(value(2)) }
    }
    for (lift, wrap) in [
      ({ $0 }, { $0 }),
      ({ $0.tagged(Tag.self) }, { $0.tagged(Tag.self) }),
      ({ $0.lifted(action: ZooWide<S>.prism) }, { ZooWide.narrow($0) }),
    ] as [((Feature<State>) -> Feature<State>, (S) -> any Action)] {
      let store = try store { lift(feature.lifted(Lens<State, S>(\.inner.part))) }
      // Of a type with one value, each answer would be the next question.
      if value(1) == value(2) { continue }
      try await store.dispatch(wrap(value(1))).finish()
    }
    if value(1) != value(2) { expect(heard.values, 1, 0, 2, 0, 1, 0, 2, 0, 1, 0, 2, 0) }
  }

  private func whenChanged() async throws {
    let heard = Recorder<S>()
    let store = try store {
      Self.writePart
      Effect<State>(whenChanged: \.part, .serial) { part, _ in heard.append(part) }
      Effect<State>(whenChanged: Lens(\.part), .serial) { part, _ in heard.append(part) }
      Effect<State>(
        whenChanged: \.part, .serial,
        when: { part, change in part == change.state.part }
      ) { part, _ in heard.append(part) }
    }
    for number in [1, 2, 2, 3] as [UInt64] { try await store.dispatch(value(number)).finish() }
    let news = distinct([0, 1, 2, 2, 3])
    expect(heard.values, equals: news.dropFirst().flatMap { [$0, $0, $0] })
  }

  private func change() async throws {
    let heard = Recorder<S>()
    let store = try store {
      Self.writePart
      Effect<State>(on: S.self, when: { _, _ in true }) { _, context in
        let change = context.change
        heard.append(change.state.part)
        if let previous = change.previous { heard.append(previous.part) }
        if let action = change.action as? S { heard.append(action) }
      }
    }
    try await store.dispatch(value(1)).finish()
    expect(heard.values, 1, 0, 1)
  }

  private func service() async throws {
    let heard = Recorder<S>()
    let store = try store {
      Self.writePart
      Self.writeLog
    }
    let installed = store.install(
      Feature<State>("zoo", onInstall: { $0.dispatch(value(1)) }) {
        Effect<State>(on: S.self) { action, _ in heard.append(action) }
      })
    try await store.dispatch(value(2)).finish()
    installed.cancel()
    expect(store.log, 1, 2)
    #expect(heard.values.contains(value(2)), "\(zooName(S.self)), seed \(seed)")
  }

  private func timed() async throws {
    let (heard, clock) = (Recorder<S>(), ManualClock())
    let store = try store {
      Self.writePart
      Effect<State>(on: S.self, .latest) { action, _ in
        heard.append(action)
        if heard.count == 1 { throw ZooFailure() }
      }
      .retried(attempts: 2, after: .seconds(1), clock: clock)
      .debounced(for: .seconds(1), clock: clock)
    }
    _ = store.dispatch(value(1))
    await clock.waitForSleeps(1)
    let task = store.dispatch(value(2))
    await clock.waitForSleeps(2)
    clock.move(by: .seconds(1))
    await clock.waitForSleeps(3)
    clock.move(by: .seconds(1))
    try await task.finish()
    expect(heard.values, 2, 2)
  }

  private struct Replacer: Middleware {
    typealias State = Visit.State
    let seen: Recorder<S>
    let replace: @Sendable (S) -> Verdict

    func willReduce(
      _ action: any Action, _ context: MiddlewareContext<Visit.State>
    ) -> Verdict {
      guard let action = action as? S else { return .proceed }
      seen.append(action)
      seen.append(context.state.part)
      return replace(action)
    }

    func didReduce(_ change: Change<Visit.State>) {
      for action in Visit.specimens(in: change.action) { seen.append(action) }
    }
  }

  private func replacing() async throws {
    let seen = Recorder<S>()
    let store = try store(middleware: [
      Replacer(seen: seen) { _ in .replace(with: value(7)) }
    ])
    store.dispatch(value(1))
    store.dispatch([value(2), CountAction.keep])
    expect([store.part] + store.log, 7, 7, 7)
    expect(seen.values, 1, 0, 7, 2, 7, 7)
  }

  private func dropping() async throws {
    let seen = Recorder<S>()
    let store = try store(middleware: [
      Replacer(seen: seen) { $0 == value(1) ? .drop : .proceed }
    ])
    store.dispatch([value(1), value(2)])
    let passed = values([1, 2]).filter { $0 != value(1) }
    expect(store.log, equals: passed)
    expect(seen.values, equals: values([1, 0, 2, 0]) + passed)
  }

  private func logger() async throws {
    let lines = Recorder<String>()
    let store = try store(middleware: [ActionLogger { lines.append($0) }])
    store.dispatch(value(1))
    store.dispatch([value(2), CountAction.keep])
    #expect(lines.count == 2, "\(zooName(S.self)), seed \(seed): \(lines.values)")
  }

  private func throttle() async throws {
    let clock = ManualClock()
    let store = try store(middleware: [
      ActionThrottle<State>(for: .seconds(1), clock: clock)
    ])
    for number in [1, 1, 2, 2] as [UInt64] { store.dispatch(value(number)) }
    expect(store.log, equals: distinct([1, 1, 2, 2]))
    clock.move(by: .seconds(2))
    store.dispatch(value(3))
    expect(Array(store.log.suffix(1)), 3)
  }

  private func failure() async throws {
    let named = Recorder<S>()
    let store = try Store(
      initialState: State(value(0)), coverage: .partial,
      onEffectError: { error in
        if let action = error.action as? S { named.append(action) }
      }
    ) {
      Effect<State>(on: S.self) { _, _ in throw ZooFailure() }
    }
    try await store.dispatch(value(1)).finish()
    expect(named.values, 1)
  }
}

struct ZooFailure: Error {}
