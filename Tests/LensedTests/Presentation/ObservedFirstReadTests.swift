import LensedTestSupport
import Observation
import Testing

@testable import Lensed

/// What is shown is released as a first read brings all values up to date: its `deinit` finds that read half done.
@Suite("ObservedStore: a `deinit` may act in the middle of a first read", .timeLimit(.minutes(30)))
@MainActor
struct ObservedFirstReadTests {
  fileprivate struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var title = 0
    var double: Int { title * 2 }
  }

  fileprivate enum Page: Sendable, Equatable {
    case editor(Row)
  }

  fileprivate struct App: Sendable {
    var bell: Bell?
    var count = 0
    var numbers = [0]
    var sheet: Row? = Row(id: 1)
    var page = Page.editor(Row(id: 2))
    var rows: Entities<Row> = Entities((0..<40).map { Row(id: $0) }) { $1 }
    var double: Int { count * 2 }
  }

  /// Adds one to everything.
  private struct Grow: Action {}

  nonisolated private static let editor = Prism(Page.editor) {
    if case .editor(let row) = $0 { row } else { nil }
  }
  nonisolated private static let sum = Derived(\App.rows) { $0.reduce(0) { $0 + $1.title } }
  nonisolated private static let triple = Derived(\Row.title) { $0 * 3 }

  private static func makeStore(_ bell: Bell) throws -> Store<App> {
    try Store(initialState: App(bell: bell), coverage: .partial) {
      Mutator(\.bell) { (bell: inout Bell?, _: ClearAction) in bell = nil }
      Mutator(\.count) { (count: inout Int, action: CountAction) in
        if case .add(let amount) = action { count += amount }
      }
      Mutator(\.numbers) { (numbers: inout [Int], _: Grow) in numbers[0] += 1 }
      Mutator(\.sheet) { (sheet: inout Row?, _: Grow) in sheet?.title += 1 }
      Mutator(\.page) { (page: inout Page, _: Grow) in
        if case .editor(var row) = page {
          row.title += 1
          page = .editor(row)
        }
      }
      Mutator(\.rows) { (rows: inout Entities<Row>, _: Grow) in
        for id in rows.ids { rows[id: id]?.title += 1 }
      }
    }
  }

  nonisolated private static func grow(_ store: some StateObserving<App>) {
    store.dispatch([CountAction.add(1), Grow()] as [any Action])
  }

  // MARK: In the middle of a later flush

  /// Rings in its `==`.
  private struct Nosy: Sendable, Equatable {
    let number: Int
    let ring: @MainActor @Sendable () -> Void

    static func == (left: Nosy, right: Nosy) -> Bool {
      MainActor.assumeIsolated { left.ring() }
      return left.number == right.number
    }
  }

  enum Answer: CaseIterable, Sendable { case dispatch, read, readFirst, readOwn }

  @Test(arguments: Answer.allCases)
  func `a derived value is shown during whose comparison others are brought up to date`(
    _ answer: Answer
  ) throws {
    let store = try Self.makeStore(Bell {})
    let observed = ObservedStore(store)
    let (reference, isArmed, told) = (
      WeakReference<ObservedStore<App>>(), UnsafeCell(true), Counter()
    )
    reference.refer(to: observed)
    let numbers = Derived(\App.numbers) { numbers in
      Nosy(number: numbers[0]) {
        guard exchange(&isArmed.value, with: false), let app = reference.object else { return }
        switch answer {
        case .dispatch: app.dispatch(CountAction.add(1))
        case .read: _ = app.count
        case .readFirst: _ = app.double
        case .readOwn: _ = app.numbers
        }
      }
    }
    isArmed.value = false
    _ = observed.count
    withObservationTracking {
      _ = observed[numbers]
    } onChange: {
      told.increment()
    }
    isArmed.value = true
    observed.dispatch([Grow()])
    #expect(!isArmed.value)
    #expect(observed[numbers].number == 1)
    #expect(told.value == 1)
    observed.dispatch([Grow()])
    #expect(observed[numbers].number == 2)
  }

  /// One thing that is read: 0 at first, and more after each growth.
  struct Reading: Sendable, CustomTestStringConvertible {
    let testDescription: String
    fileprivate let shown: @MainActor @Sendable (ObservedStore<App>) -> Int?
    fileprivate let model: @Sendable (App) -> Int?
  }

  nonisolated static let readings = [
    Reading(testDescription: "a property", shown: { $0.count }, model: \.count),
    Reading(testDescription: "a computed property", shown: { $0.double }, model: \.double),
    Reading(testDescription: "the whole state", shown: { $0.state.count }, model: \.count),
    Reading(testDescription: "on demand", shown: { $0[\.numbers[0]] }, model: { $0.numbers[0] }),
    Reading(
      testDescription: "a row", shown: { $0[\.rows, id: 3]?.title },
      model: { $0.rows[id: 3]?.title }),
    Reading(
      testDescription: "through a row", shown: { $0.scope(\.rows, id: 3)?.title },
      model: { $0.rows[id: 3]?.title }),
    Reading(
      testDescription: "computed, through a row", shown: { $0.scope(\.rows, id: 3)?.double },
      model: { $0.rows[id: 3]?.double }),
    Reading(
      testDescription: "through an optional", shown: { $0.scope(\.sheet)?.title },
      model: { $0.sheet?.title }),
    Reading(
      testDescription: "through a case", shown: { $0.scope(\.page, matching: editor)?.title },
      model: { editor.extract($0.page)?.title }),
    Reading(
      testDescription: "through a part", shown: { $0.scope(\.self).scope(\.count).state },
      model: \.count),
    Reading(
      testDescription: "a derived value", shown: { $0[sum] },
      model: { $0.rows.reduce(0) { $0 + $1.title } }),
    Reading(
      testDescription: "a derived value, through an optional",
      shown: { app in app.scope(\.sheet).map { $0[triple] } },
      model: { $0.sheet.map { $0.title * 3 } }),
  ]

  /// What the `deinit` does.
  enum Deed: CaseIterable, Sendable {
    case dispatch, dispatchTwice, dispatchOfOthers, dispatchToStore
    case read, readThenDispatch, dispatchThenRead, readAllOthers, readManyChildren, releaseOther
  }

  @MainActor
  private static func act(
    _ deed: Deed, _ reading: Reading, _ app: ObservedStore<App>,
    _ other: UnsafeCell<ObservedStore<App>?>
  ) {
    switch deed {
    case .dispatch: app.reflecting { grow($0) }
    case .dispatchTwice: for _ in 0..<2 { app.reflecting { grow($0) } }
    case .dispatchOfOthers: app.dispatch(ClearAction())
    case .dispatchToStore: app.owner.map { grow($0) }
    case .read: _ = reading.shown(app)
    case .readThenDispatch:
      _ = reading.shown(app)
      for _ in 0..<2 { app.reflecting { grow($0) } }
    case .dispatchThenRead:
      app.reflecting { grow($0) }
      _ = reading.shown(app)
    case .readAllOthers: for reading in readings { _ = reading.shown(app) }
    case .readManyChildren: for id in 0..<40 { _ = app.scope(\.rows, id: id)?.double }
    case .releaseOther:
      let released = exchange(&other.value, with: nil)
      withExtendedLifetime(released) {}
    }
  }

  /// It was read before, or not; then its readers were told, and it was released since none has read it again.
  @Test(arguments: readings, Deed.allCases)
  func `the read shows the newest value, and is notified of the next one`(
    _ reading: Reading, _ deed: Deed
  ) async throws {
    for wasRead in [false, true] {
      let (reference, rung) = (WeakReference<ObservedStore<App>>(), Counter())
      let other = UnsafeCell<ObservedStore<App>?>(nil)
      let store = try Self.makeStore(
        Bell {
          rung.increment()
          MainActor.assumeIsolated {
            guard let app = reference.object else { return }
            Self.act(deed, reading, app, other)
          }
        })
      let app = ObservedStore(store)
      reference.refer(to: app)
      if wasRead {
        _ = reading.shown(app)
        for _ in 0..<2 { app.reflecting { Self.grow($0) } }
      }
      other.value = ObservedStore(store.asScope)
      for reading in Self.readings { _ = other.value.map(reading.shown) }
      _ = (app.bell == nil, app.numbers)
      store.dispatch(ClearAction())
      Self.grow(store)
      var seen: Int?
      let view = Onlooker { seen = reading.shown(app) }
      #expect(rung.value == 1)
      if deed != .dispatchToStore { #expect(seen == reading.model(store.state)) }
      // What differs is told in the next jobs.
      for _ in 0..<8 { await Task.yield() }
      if view.count > 0 { view.look() }
      #expect(seen == reading.model(store.state), "was read: \(wasRead)")
      let told = view.count
      app.reflecting { Self.grow($0) }
      #expect(view.count == told + 1, "was read: \(wasRead)")
      #expect(reading.shown(app) == reading.model(store.state), "was read: \(wasRead)")
    }
  }

  @Test(arguments: readings)
  func `a child is one object, whatever is read in the middle of its first read`(
    _ reading: Reading
  ) throws {
    let reference = WeakReference<ObservedStore<App>>()
    let store = try Self.makeStore(
      Bell {
        MainActor.assumeIsolated {
          guard let app = reference.object else { return }
          Self.act(.readManyChildren, reading, app, UnsafeCell(nil))
          _ = reading.shown(app)
        }
      })
    let app = ObservedStore(store)
    reference.refer(to: app)
    _ = app.bell == nil
    store.dispatch(ClearAction())
    let row = try #require(app.scope(\.rows, id: 39))
    #expect(app.scope(\.rows, id: 39) === row)
    app.reflecting { Self.grow($0) }
    #expect(app.scope(\.rows, id: 39) === row)
    #expect(row.title == 1)
  }

  /// What a result of a derived value holds: it may act as it is released.
  private struct Echo: Sendable {
    let number: Int
    let bell: Bell
  }

  /// A computation releases the former result, if nobody shows that.
  @Test(arguments: [[], [true], [false], [true, false], [false, true]])
  func `a result may read and dispatch that is released as the next one is computed`(
    reads: [Bool]
  ) throws {
    let (reference, isArmed) = (WeakReference<ObservedStore<App>>(), UnsafeCell(false))
    let echoes = UnsafeCell<Derived<App, Echo>?>(nil)
    let echo = Derived(\App.count) { count in
      let bell = Bell {
        guard exchange(&isArmed.value, with: false) else { return }
        MainActor.assumeIsolated {
          guard let app = reference.object, let echo = echoes.value else { return }
          for read in reads {
            if read { _ = app[echo].number } else { app.reflecting { Self.grow($0) } }
          }
        }
      }
      return Echo(number: count, bell: bell)
    }
    echoes.value = echo
    defer { echoes.value = nil }
    let store = try Self.makeStore(Bell())
    let app = ObservedStore(store)
    reference.refer(to: app)
    #expect(store[echo].number == 0)
    Self.grow(store)
    isArmed.value = true
    #expect(app[echo].number == store.state.count)
    #expect(!isArmed.value, "the former result was released")
    #expect(app[echo].number == store.state.count)
    app.reflecting { Self.grow($0) }
    #expect(app[echo].number == store.state.count)
  }
}
