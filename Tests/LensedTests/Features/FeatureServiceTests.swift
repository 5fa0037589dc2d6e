import Lensed
import LensedTestSupport
import Synchronization
import Testing

@Suite(
  "A service leaves each child that it came to, once, however it ends", .timeLimit(.minutes(30)))
struct FeatureServiceTests {
  struct Item: Sendable, Equatable, Identifiable {
    let id: Int
    var text = ""
  }
  struct App: Sendable, Equatable {
    var item = Item(id: 1)
    var sheet: Item? = Item(id: 2)
    var page = Page.item(Item(id: 3))
    var rows: Entities<Item> = [Item(id: 7), Item(id: 8)]
    var list = [Item(id: 7), Item(id: 8)]
    var byKey = ["a": Item(id: 4), "b": Item(id: 5)]
    enum Page: Sendable, Equatable { case none, item(Item) }
  }
  /// Replaces the whole state by an action.
  struct Put: Action { let app: App }

  private static let page = Prism<App.Page, Item>(App.Page.item) {
    if case .item(let item) = $0 { item } else { nil }
  }

  enum Place: CaseIterable {
    case lens, optional, matching, entities, array, offset, keyed

    func lift(_ service: Feature<Item>) -> Feature<App> {
      switch self {
      case .lens: service.lifted(\.item)
      case .optional: service.optional().lifted(\.sheet)
      case .matching: service.matching(FeatureServiceTests.page).lifted(\.page)
      case .entities: service.identified().lifted(\.rows)
      case .array: service.identified().lifted(\.list)
      case .offset: service.offset().lifted(\.list)
      case .keyed: service.keyed().lifted(\.byKey)
      }
    }

    /// How many children there are at first.
    var count: Int {
      switch self {
      case .lens, .optional, .matching: 1
      case .entities, .array, .offset, .keyed: 2
      }
    }
  }

  private static let nobody = App(
    sheet: nil, page: .none, rows: [], list: [], byKey: [:])
  private static let others = App(
    sheet: Item(id: 12), page: .item(Item(id: 13)), rows: [Item(id: 17), Item(id: 18)],
    list: [Item(id: 17), Item(id: 18)], byKey: ["a": Item(id: 14), "b": Item(id: 15)])

  /// What a service did.
  private final class Log: Sendable {
    let come = Counter()
    let left = Counter()

    var counts: [Int] { [come.value, left.value] }

    func service() -> Feature<Item> {
      Feature("s", onInstall: { _ in self.come.increment() }, onRemove: { self.left.increment() }) {
        Effect(on: Put.self) { _, _ in }
      }
    }
  }

  private func makeStore(
    @StoreBuilder<App> _ parts: () -> [StorePart<App>] = { [] }
  ) throws -> Store<App> {
    try Store(initialState: App(), coverage: .partial) {
      Mutator(\.self) { (app: inout App, put: Put) in app = put.app }
      parts()
    }
  }

  @Test(arguments: Place.allCases)
  func `when it is removed by its subscription`(_ place: Place) throws {
    let (log, store) = (Log(), try makeStore())
    let installed = store.install(place.lift(log.service()))
    #expect(log.counts == [place.count, 0])
    installed.cancel()
    #expect(log.counts == [place.count, place.count])
    installed.cancel()
    store.dispatch(Put(app: Self.others))
    store.dispatch(Put(app: Self.nobody))
    #expect(log.counts == [place.count, place.count])
  }

  @Test(arguments: Place.allCases)
  func `when its subscription is released`(_ place: Place) throws {
    let (log, store) = (Log(), try makeStore())
    do {
      let installed = store.install(place.lift(log.service()))
      withExtendedLifetime(installed) {}
    }
    #expect(log.counts == [place.count, place.count])
  }

  @Test(arguments: Place.allCases, [true, false])
  func `when its store is released`(_ place: Place, _ isPart: Bool) throws {
    let log = Log()
    var installed: StoreSubscription?
    do {
      let store = try makeStore { if isPart { place.lift(log.service()) } }
      if !isPart { installed = store.install(place.lift(log.service())) }
      #expect(log.counts == [place.count, 0])
    }
    #expect(log.counts == [place.count, place.count])
    installed?.cancel()
    #expect(log.counts == [place.count, place.count])
  }

  @Test(arguments: Place.allCases)
  func `when the children go, and not once more when it goes itself`(_ place: Place) throws {
    let (log, store) = (Log(), try makeStore())
    let installed = store.install(place.lift(log.service()))
    store.dispatch(Put(app: Self.nobody))
    let left = place == .lens ? 0 : place.count
    #expect(log.counts == [place.count, left])
    installed.cancel()
    #expect(log.counts == [place.count, place.count])
  }

  @Test(arguments: Place.allCases)
  func `when others take the place of the children, and when those are there at the end`(
    _ place: Place
  ) throws {
    let (log, store) = (Log(), try makeStore())
    let installed = store.install(place.lift(log.service()))
    store.replaceState(Self.others)
    let (come, left) = place == .lens ? (1, 0) : (2 * place.count, place.count)
    #expect(log.counts == [come, left])
    installed.cancel()
    #expect(log.counts == [come, come])
  }

  @Test(arguments: Place.allCases)
  func `when its feature is unregistered`(_ place: Place) throws {
    let (log, store) = (Log(), Store(initialState: App(), coverage: .partial))
    try store.register(
      Feature {
        Mutator(\.self) { (app: inout App, put: Put) in app = put.app }
        place.lift(log.service())
      })
    #expect(log.counts == [place.count, 0])
    store.unregister(\.self)
    #expect(log.counts == [place.count, place.count])
  }

  @Test(arguments: Place.allCases)
  func `when it was retired before`(_ place: Place) throws {
    let (log, store) = (Log(), try makeStore())
    let installed = store.install(place.lift(log.service()))
    installed.retire()
    store.dispatch(Put(app: Self.others))
    let left = place == .lens ? 0 : place.count
    #expect(log.counts == [place.count, left])
    installed.cancel()
    #expect(log.counts == [place.count, place.count])
  }

  /// What it is coming to while it is removed it leaves as soon as it has come.
  @Test(arguments: Place.allCases)
  func `when it is removed while it comes`(_ place: Place) throws {
    let (log, order) = (Log(), Recorder<String>())
    let subscription = Recorder<StoreSubscription>()
    let store = try makeStore()
    let service = Feature<Item>(
      "s",
      onInstall: { item in
        order.append("begin")
        if item.text == "remove" { subscription.values.first?.cancel() }
        order.append("end")
        log.come.increment()
      },
      onRemove: {
        order.append("leave")
        log.left.increment()
      }
    ) {}
    store.dispatch(Put(app: Self.nobody))
    subscription.append(store.install(place.lift(service)))
    var app = Self.others
    app.sheet?.text = "remove"
    app.page = .item(Item(id: 13, text: "remove"))
    app.rows = [Item(id: 17, text: "remove"), Item(id: 18)]
    app.list = [Item(id: 17, text: "remove"), Item(id: 18)]
    app.byKey = ["a": Item(id: 14, text: "remove")]
    store.dispatch(Put(app: app))
    if place == .lens {
      subscription.values.first?.cancel()
      #expect(log.counts == [1, 1])
    } else {
      // To the second one it does not come any more.
      #expect(order.values == ["begin", "end", "leave"])
    }
    #expect(log.come.value == log.left.value)
  }

  @Test func `a removal that runs inside of onRemove is done by then`() throws {
    let (left, subscription) = (Counter(), Recorder<StoreSubscription>())
    let store = try makeStore()
    let service = Feature<Item>(
      "s",
      onRemove: {
        left.increment()
        subscription.values.first?.cancel()
        // No lock is held: the store can be used.
        store.dispatch(Put(app: Self.others))
      }
    ) {}
    subscription.append(store.install(service.identified().lifted(\.rows)))
    subscription.values.first?.cancel()
    #expect(left.value == 2)
  }

  @Test func `what one thread dismisses while another removes it is left once`() async throws {
    for round in 0..<300 {
      let (log, store) = (Log(), try makeStore())
      let installed = store.install(log.service().identified().lifted(Lens(\App.rows)))
      await withTaskGroup { group in
        group.addTask {
          store.dispatch(Put(app: round.isMultiple(of: 2) ? Self.nobody : Self.others))
          store.dispatch(Put(app: App()))
          store.dispatch(Put(app: Self.nobody))
        }
        group.addTask {
          if round.isMultiple(of: 3) { await Task.yield() }
          installed.cancel()
        }
      }
      // All deliveries have ended: nothing of it is under way.
      #expect(log.come.value == log.left.value, "in round \(round)")
      #expect(log.come.value >= 2)
    }
  }

  @Test func `what one thread dismisses while another releases the store is left once`()
    async throws
  {
    for round in 0..<300 {
      let log = Log()
      do {
        let store = try makeStore { log.service().identified().lifted(Lens(\App.rows)) }
        let scope = store.scope(\.self)
        let task = Task {
          scope.dispatch(Put(app: Self.others))
          scope.dispatch(Put(app: Self.nobody))
          scope.dispatch(Put(app: App()))
        }
        if round.isMultiple(of: 2) { await task.value }
        withExtendedLifetime(store) {}
        Task { await task.value }
      }
      while log.come.value != log.left.value { await Task.yield() }
      #expect(log.come.value >= 2)
    }
  }
}
