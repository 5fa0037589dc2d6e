import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// A condition, a changed value and a throttle are decided when their commit is delivered.
///
/// Here that is after the commit that ends them, because an observer makes both commits.
@Suite(
  "A trigger that is ended before it is decided has one end", .warnsOnPurpose,
  .timeLimit(.minutes(30)))
struct EndedUndecidedTests {
  private struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var text = ""
    var session: Int? = 1
  }

  private struct App: Sendable, Equatable {
    var part = Row(id: 1)
    /// Its properties have owners of their own.
    var split = Row(id: 1)
    var rows: Entities<Row> = [Row(id: 1), Row(id: 2)]
    var array = [Row(id: 1), Row(id: 2)]
    var byKey = ["a": Row(id: 1)]
    var sheet: Row? = Row(id: 1)
    var ticks = 0
  }

  private struct Write: Action { let text: String }
  private struct Stop: Action {}
  private struct LogOut: Action { var session: Int? }
  private struct Tick: Action {}
  /// Removes the child that an effect is in, or puts another in its place.
  private struct Remove: Action { var other: Row? }

  enum Trigger: CaseIterable, Sendable {
    case condition, value, debouncedValue, throttledCondition, throttledValue, keyedCondition
    case throttledKeyedCondition
  }

  enum Place: CaseIterable, Sendable {
    case part, split, entities, array, dictionary, optional
  }

  enum Ending: CaseIterable, Sendable {
    case action, tie, otherTie, removal, retirement, cancellation, child, otherChild, sameChild
  }

  private let clock = ManualClock()
  private let ends = Recorder<String>()
  private let begun = Recorder<String>()

  private func effect(_ trigger: Trigger) -> Effect<Row> {
    let effect: Effect<Row> =
      switch trigger {
      case .condition, .throttledCondition:
        Effect(on: Write.self, .serial, when: { _, _ in true }) { [begun] write, _ in
          begun.append(write.text)
        }
      case .keyedCondition, .throttledKeyedCondition:
        Effect(on: Write.self, .serial, per: \.text, when: { _, _ in true }) { [begun] write, _ in
          begun.append(write.text)
        }
      case .value, .debouncedValue, .throttledValue:
        Effect(whenChanged: \.text, .serial) { [begun] text, _ in begun.append(text) }
      }
    let timed =
      switch trigger {
      case .condition, .value, .keyedCondition: effect
      case .debouncedValue: effect.debounced(for: .seconds(1), clock: clock)
      case .throttledCondition, .throttledValue, .throttledKeyedCondition:
        effect.throttled(for: .seconds(1), clock: clock)
      }
    return timed.cancelled(on: Stop.self).tied(to: \.session, by: \.self).ended {
      [ends] end, context in
      ends.append("\(end) \(context.id)")
      return nil
    }
  }

  private static let row = Reducer<Row> { (row: inout Row, write: Write) in row.text = write.text }
    .on(LogOut.self) { row, logOut in row.session = logOut.session }
    .on(Stop.self) { _, _ in }

  private func makeStore() throws -> Store<App> {
    let row = Self.row
    return try Store(initialState: App(), coverage: .partial) {
      Mutator(\App.ticks) { (ticks: inout Int, _: Tick) in ticks += 1 }
      Mutator(\App.part, row)
      Mutator(\App.split.text) { (text: inout String, write: Write) in text = write.text }
      Mutator(\App.split.session) { (session: inout Int?, out: LogOut) in session = out.session }
      Mutator(\App.rows, row.identified()).on(Remove.self) { rows, _ in rows[id: 1] = nil }
      Mutator(\App.array, row.identified()).on(Remove.self) { rows, _ in
        rows.removeAll { $0.id == 1 }
      }
      Mutator(\App.byKey, row.keyed()).on(Remove.self) { rows, remove in rows["a"] = remove.other }
      Mutator(\App.sheet, row.optional()).on(Remove.self) { sheet, remove in sheet = remove.other }
    }
  }

  /// The effect in some place.
  private func lift(_ effect: Effect<Row>, to place: Place) -> Feature<App> {
    let feature = Feature<Row> { effect }
    return switch place {
    case .part: feature.lifted(\App.part)
    case .split: feature.lifted(\App.split)
    case .entities: feature.identified().lifted(\App.rows)
    case .array: feature.identified().lifted(\App.array)
    case .dictionary: feature.keyed().lifted(\App.byKey)
    case .optional: feature.optional().lifted(\App.sheet)
    }
  }

  /// An action of the feature, as it is spelled in some place.
  private func action(_ action: some Action, in place: Place) -> any Action {
    switch place {
    case .part, .split, .optional: action
    case .entities, .array: action.element(1)
    case .dictionary: action.element("a")
    }
  }

  /// The end of a trigger; nil where nothing of that kind can end it.
  private func expected(_ ending: Ending, of trigger: Trigger, in place: Place) -> String? {
    switch ending {
    case .action, .removal, .retirement: "cancelled"
    case .tie, .otherTie: "gone"
    case .cancellation: trigger.isValue ? "finished" : "cancelled"
    case .child: place.isChild ? "gone" : nil
    case .otherChild, .sameChild: place.canReplace ? "gone" : nil
    }
  }

  /// Has a trigger meet some ends before it is decided, and expects one end, or none, and no run but of one that finished.
  private func expectEnd(
    _ end: String?, of trigger: Trigger, in place: Place, after endings: [Ending],
    inSilence: Bool = false
  ) async throws {
    let store = try makeStore()
    let installed = store.install(lift(effect(trigger), to: place))
    if inSilence {
      // The same key, and another value.
      store.dispatch(action(Write(text: trigger.isValue ? "b" : "a"), in: place))
      try await store.settled()
    }
    let before = (ends: ends.values.count, begun: begun.values.count)
    let once = Counter()
    let subscription = store.states(\.ticks).subscribe { [weak store] ticks in
      guard let store, ticks == 1, once.increment() == 0 else { return }
      let task = store.dispatch(action(Write(text: "a"), in: place))
      for ending in endings {
        switch ending {
        case .action: store.dispatch(action(Stop(), in: place))
        case .tie: store.dispatch(action(LogOut(), in: place))
        case .otherTie: store.dispatch(action(LogOut(session: 2), in: place))
        case .removal: installed.cancel()
        case .retirement: installed.retire()
        case .cancellation: task.cancel()
        case .child: store.dispatch(Remove())
        case .otherChild: store.dispatch(Remove(other: Row(id: 9)))
        case .sameChild:
          store.dispatch(Remove())
          store.dispatch(Remove(other: Row(id: 1)))
        }
      }
    }
    store.dispatch(Tick())
    try await store.flush()
    subscription.cancel()
    let told = end.map { ["\($0) 1"] } ?? []
    #expect(Array(ends.values.dropFirst(before.ends)) == told, "\(endings)")
    #expect(begun.values.count - before.begun == (end == "finished" ? 1 : 0), "\(endings)")
  }

  @Test(arguments: Trigger.allCases, Place.allCases)
  func `whatever triggers and ends it, in the state and in each kind of child`(
    _ trigger: Trigger, _ place: Place
  ) async throws {
    for ending in Ending.allCases {
      guard let end = expected(ending, of: trigger, in: place) else { continue }
      try await expectEnd(end, of: trigger, in: place, after: [ending])
    }
  }

  @Test(arguments: Trigger.allCases, Place.allCases)
  func `what ends it first is told, whatever comes then`(
    _ trigger: Trigger, _ place: Place
  ) async throws {
    for first in Ending.allCases where first != .cancellation {
      guard let end = expected(first, of: trigger, in: place) else { continue }
      for second in Ending.allCases where expected(second, of: trigger, in: place) != nil {
        try await expectEnd(end, of: trigger, in: place, after: [first, second])
      }
    }
  }

  @Test(arguments: Trigger.allCases.filter(\.isThrottled), Place.allCases)
  func `in a silence it is ignored, so no end is told`(
    _ trigger: Trigger, _ place: Place
  ) async throws {
    for ending in Ending.allCases where expected(ending, of: trigger, in: place) != nil {
      try await expectEnd(nil, of: trigger, in: place, after: [ending], inSilence: true)
      for other in [Ending.cancellation, .child]
      where expected(other, of: trigger, in: place) != nil {
        try await expectEnd(nil, of: trigger, in: place, after: [ending, other], inSilence: true)
      }
    }
  }

  /// What a commit leaves decides whether it is a trigger: also where the rest of its array has brought that about, and
  /// where the next commit undoes it before it is delivered.
  @Test(arguments: Trigger.allCases, Place.allCases)
  func `one whose tie is to nothing after its commit, or whose child is not there, is none`(
    _ trigger: Trigger, _ place: Place
  ) async throws {
    let store = try makeStore()
    let installed = store.install(lift(effect(trigger), to: place))
    let once = Counter()
    let subscription = store.states(\.ticks).subscribe { [weak store] ticks in
      guard let store, ticks == 1, once.increment() == 0 else { return }
      store.dispatch(
        [action(Write(text: "a"), in: place), action(LogOut(), in: place)] as [any Action])
      store.dispatch(action(LogOut(session: 2), in: place))
    }
    store.dispatch(Tick())
    store.dispatch(action(LogOut(), in: place))
    store.dispatch(action(Write(text: "b"), in: place))
    store.dispatch(action(LogOut(session: 3), in: place))
    if place.isChild {
      store.dispatch([action(Write(text: "c"), in: place), Remove()] as [any Action])
    }
    try await store.flush()
    #expect(ends.values == [])
    #expect(begun.values == [])
    subscription.cancel()
    installed.cancel()
  }
}

extension EndedUndecidedTests.Place {
  fileprivate var isChild: Bool { self != .part && self != .split }

  /// Whether another child can take the place of one.
  fileprivate var canReplace: Bool { self == .dictionary || self == .optional }
}

extension EndedUndecidedTests.Trigger {
  fileprivate var isValue: Bool {
    switch self {
    case .value, .debouncedValue, .throttledValue: true
    case .condition, .throttledCondition, .keyedCondition, .throttledKeyedCondition: false
    }
  }

  fileprivate var isThrottled: Bool {
    switch self {
    case .throttledCondition, .throttledValue, .throttledKeyedCondition: true
    case .condition, .value, .debouncedValue, .keyedCondition: false
    }
  }
}
