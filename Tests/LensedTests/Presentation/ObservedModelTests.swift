import LensedTestSupport
import Observation
import Testing

@testable import Lensed

/// What the models below are about: parts that are edited, come and go, and become others.
private enum Scene {
  struct Row: Sendable, Hashable, Identifiable {
    let id: Int
    var title = 0
    var number = 0
  }

  enum Page: Sendable, Equatable {
    case none
    case editor(Row)
  }

  struct App: Sendable, Equatable {
    /// The number of actions so far: it tells which commit a picture is of.
    var stamp = 0
    var part = Row(id: 0)
    var sheet: Row?
    var page = Page.none
    var rows: Entities<Row> = Entities((0..<4).map { Row(id: $0) }) { $1 }
    var byKey = ["a": Row(id: 5)]
  }

  struct Stamp: Action {}
  struct Edit: Action {
    let title: Int?
    let number: Int?
  }
  enum Show: Action {
    case sheet(Row?)
    case page(Page)
    case rows([Int])
    case key(Row?)
  }

  static let editor = Prism(Page.editor) { if case .editor(let row) = $0 { row } else { nil } }
  static let sum = Derived(\App.rows) { $0.reduce(0) { $0 + $1.title } }
  static let double = Derived(\Row.title) { $0 * 2 }

  static let row = Feature<Row> {
    Constant(\.id)
    Mutator(\.title) { (title: inout Int, edit: Edit) in if let new = edit.title { title = new } }
    Mutator(\.number) { (number: inout Int, edit: Edit) in
      if let new = edit.number { number = new }
    }
  }

  static func makeStore() throws -> Store<App> {
    try Store(initialState: App(), onWarning: { _ in }) {
      Mutator(\.stamp) { (stamp: inout Int, _: Stamp) in stamp += 1 }
      row.tagged(App.self).lifted(\.part)
      row.optional().lifted(\.sheet)
      Mutator(\.sheet) { (sheet: inout Row?, show: Show) in
        if case .sheet(let new) = show { sheet = new }
      }
      row.tagged(Page.self).matching(editor).lifted(\.page)
      Mutator(\.page) { (page: inout Page, show: Show) in
        if case .page(let new) = show { page = new }
      }
      row.identified().lifted(\.rows)
      Mutator(\.rows) { (rows: inout Entities<Row>, show: Show) in
        guard case .rows(let ids) = show else { return }
        rows = Entities(ids.map { rows[id: $0] ?? Row(id: $0) }) { $1 }
      }
      row.keyed(by: String.self).lifted(\.byKey)
      Mutator(\.byKey) { (byKey: inout [String: Row], show: Show) in
        if case .key(let new) = show { byKey["a"] = new }
      }
    }
  }

  static func randomActions(_ random: inout SeededGenerator) -> [any Action] {
    let edit = Edit(
      title: Bool.random(using: &random) ? .random(in: 0..<3, using: &random) : nil,
      number: Bool.random(using: &random) ? .random(in: 0..<3, using: &random) : nil)
    let child = Bool.random(using: &random) ? Row(id: .random(in: 0..<2, using: &random)) : nil
    let action: any Action =
      switch Int.random(in: 0..<9, using: &random) {
      case 0: edit.tagged(App.self)
      case 1: edit
      case 2: edit.tagged(Page.self)
      case 3, 4: ElementAction(id: Int.random(in: 0..<4, using: &random), action: edit)
      case 5: ElementAction(id: "a", action: edit)
      case 6: Show.sheet(child)
      case 7: [Show.page(child.map { .editor($0) } ?? .none), .key(child)]
      default: Show.rows((0..<4).filter { _ in Int.random(in: 0..<4, using: &random) > 0 })
      }
    return [Stamp(), action]
  }

  /// One thing that a view reads, through an observed store and, for the model, of a state.
  struct Reading: Sendable {
    let shown: @MainActor @Sendable (ObservedStore<App>) -> AnyHashable
    let model: @Sendable (App) -> AnyHashable
  }

  static let readings = [
    Reading(shown: { $0[\.part.title] }, model: { $0.part.title }),
    Reading(shown: { $0.scope(\.part).number }, model: { $0.part.number }),
    Reading(shown: { $0.scope(\.part)[double] }, model: { $0.part.title * 2 }),
    Reading(shown: { $0[\.sheet?.id] }, model: { $0.sheet?.id }),
    Reading(
      shown: { $0.scope(\.sheet).map { [$0.id, $0.title] } },
      model: { $0.sheet.map { [$0.id, $0.title] } }),
    // Whoever reads through a child is told of another child in its place too.
    Reading(
      shown: { app in app.scope(\.sheet).map { [$0.id, $0[double]] } },
      model: { $0.sheet.map { [$0.id, $0.title * 2] } }),
    Reading(
      shown: { app in app.scope(\.page, matching: editor).map { [$0.id, $0.number] } },
      model: { editor.extract($0.page).map { [$0.id, $0.number] } }),
    Reading(shown: { $0.scope(\.rows, id: 1)?.title }, model: { $0.rows[id: 1]?.title }),
    Reading(shown: { $0[\.rows, id: 2] }, model: { $0.rows[id: 2] }),
    Reading(
      shown: { $0.scope(\.rows, id: 3).map { [$0.title, $0.number] } },
      model: { $0.rows[id: 3].map { [$0.title, $0.number] } }),
    Reading(
      shown: { $0.scope(\.byKey, id: "a").map { [$0.id, $0.title] } },
      model: { $0.byKey["a"].map { [$0.id, $0.title] } }),
    Reading(shown: { $0[sum] }, model: { $0.rows.reduce(0) { $0 + $1.title } }),
  ]
}

@Suite("Observed stores against a model", .timeLimit(.minutes(30)))
@MainActor
struct ObservedModelTests {
  /// A view that reads some things through one of the observed stores.
  @MainActor private final class View {
    let app: ObservedStore<Scene.App>
    let readings: [Scene.Reading]
    private(set) var seen: [AnyHashable] = []
    /// Whether what it has read differs from what is shown now.
    var isOutdated = false
    /// How often it was to be told.
    var expected = 0
    private(set) var onlooker: Onlooker?

    init(_ app: ObservedStore<Scene.App>, _ readings: [Scene.Reading]) {
      (self.app, self.readings) = (app, readings)
      onlooker = Onlooker { [weak self] in
        guard let self else { return }
        seen = self.readings.map { $0.shown(self.app) }
      }
    }

    func look() {
      onlooker?.look()
      isOutdated = false
    }

    /// Notes that a commit is shown.
    func note(_ state: Scene.App) {
      if isOutdated || seen == readings.map({ $0.model(state) }) { return }
      isOutdated = true
      expected += 1
    }
  }

  private func drain(_ app: ObservedStore<Scene.App>) async {
    // A job for what has arrived, and one for the readers that are told after a first read.
    for _ in 0..<4 { await Task.yield() }
    while app.tracker.touchedCount > 0 {
      app.tracker.showTouched()
      await Task.yield()
    }
  }

  @Test(arguments: 0..<UInt64(20 * VerificationLength.factor))
  func `each is notified exactly when what it read differs`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let store = try Scene.makeStore()
    let apps = [ObservedStore(store), ObservedStore(store), ObservedStore(store.asScope)]
    var views: [View] = []
    for step in 0..<120 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0 where views.count < 12, 1 where views.count < 12:
        let app = try #require(apps.randomElement(using: &random))
        views.append(
          View(app, Scene.readings.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }))
        await drain(apps[0])
      case 2:
        if !views.isEmpty { views.remove(at: .random(in: views.indices, using: &random)) }
      case 3: store.dispatch(Scene.randomActions(&random))
      case 4:
        for _ in 0..<3 { store.dispatch(Scene.randomActions(&random)) }
        await drain(apps[0])
      default:
        apps.randomElement(using: &random)?.dispatch(Scene.randomActions(&random))
        for app in apps { #expect(app.state == store.state, "seed \(seed), step \(step)") }
      }
      let isShown = apps[0].stamp == store.stamp
      #expect(apps.allSatisfy { $0.stamp == apps[0].stamp }, "seed \(seed), step \(step)")
      if !isShown { continue }
      await drain(apps[0])
      for (index, view) in views.enumerated() {
        view.note(store.state)
        #expect(
          view.onlooker?.count == view.expected, "seed \(seed), step \(step), view \(index)")
        if view.isOutdated && Bool.random(using: &random) { view.look() }
      }
    }
  }

  @Test(arguments: 0..<UInt64(4 * VerificationLength.factor))
  func `each shows one commit at every moment, whoever dispatches`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let store = try Scene.makeStore()
    let log = Recorder<Scene.App>()
    let subscription = store.states.subscribe { log.append($0) }
    let apps = [ObservedStore(store), ObservedStore(store), ObservedStore(store.asScope)]
    let threads = (0..<2).map { thread in
      Task.detached {
        var random = SeededGenerator(seed: seed * 10 + UInt64(thread) + 1)
        for _ in 0..<150 {
          store.dispatch(Scene.randomActions(&random))
          await Task.yield()
        }
      }
    }
    var pictures: [(stamp: Int, index: Int, seen: AnyHashable)] = []
    var held: [ObservedStore<Scene.Row>] = []
    var children: [Scene.Row] = []
    var last = 0
    for _ in 0..<150 {
      let app = try #require(apps.randomElement(using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: app.dispatch(Scene.randomActions(&random))
      case 1: await Task.yield()
      case 2: if let sheet = app.scope(\.sheet) { held.append(sheet) }
      case 3: if let row = app.scope(\.rows, id: 1) { held.append(row) }
      default: break
      }
      let index = Int.random(in: Scene.readings.indices, using: &random)
      let reading = Scene.readings[index]
      for app in apps { _ = (app.stamp, reading.shown(app)) }
      let stamps = apps.map(\.stamp)
      #expect(Set(stamps).count == 1, "seed \(seed)")
      for app in apps {
        // A first read brings all of them up to date, and one of another child than before is a first one: then there are
        // two pictures here, and this is of neither.
        let stamp = app.stamp
        let seen = reading.shown(app)
        if app.stamp == stamp { pictures.append((stamp, index, seen)) }
      }
      #expect(app.stamp >= last, "seed \(seed)")
      last = app.stamp
      for child in held.suffix(4) {
        _ = (child.title, child.number, child.state)
        let (title, whole) = (child.title, child.state)
        #expect([child.title, child.number] == [whole.title, whole.number], "seed \(seed)")
        if title == whole.title { children.append(whole) }
      }
    }
    for thread in threads { await thread.value }
    #expect(pictures.count > 300, "seed \(seed)")
    await drain(apps[0])
    #expect(apps.map(\.state) == Array(repeating: store.state, count: 3), "seed \(seed)")
    let states = Dictionary(log.values.map { ($0.stamp, $0) }) { $1 }
    for picture in pictures {
      let state = try #require(states[picture.stamp])
      #expect(picture.seen == Scene.readings[picture.index].model(state), "seed \(seed)")
    }
    let known = Set(
      log.values.flatMap { ($0.sheet.map { [$0] } ?? []) + Array($0.rows) }.map { "\($0)" })
    for child in children { #expect(known.contains("\(child)"), "seed \(seed)") }
    subscription.cancel()
  }
}
