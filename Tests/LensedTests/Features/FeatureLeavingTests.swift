import Lensed
import LensedTestSupport
import Testing

@Suite("A feature leaves as a whole, and can come again", .timeLimit(.minutes(30)))
struct FeatureLeavingTests {
  struct Item: Sendable, Equatable, Identifiable {
    let id: Int
    var text = ""
    var saves = 0
    var loaded = ""
  }
  struct App: Sendable, Equatable {
    var left = Item(id: 1)
    var right = Item(id: 2)
    var sheet: Item? = Item(id: 3)
    var rows: Entities<Item> = [Item(id: 7), Item(id: 8)]
    var others = 0
  }
  struct Write: Action { var text = "x" }
  struct Save: Action {}
  struct Saved: Action {}
  struct Load: Action {}
  enum Left {}
  enum Right {}

  private let begun = Recorder<String>()
  private let ended = Recorder<String>()

  /// Two mutators, two effects and a service.
  private func feature() -> Feature<Item> {
    Feature {
      Mutator(\.text) { (text: inout String, write: Write) in text = write.text }
      Mutator(\.saves) { (saves: inout Int, _: Saved) in saves += 1 }
      Effect<Item>(on: Save.self) { _, context in
        begun.append("save \(context.state.id)")
        return Saved()
      }
      Effect<Item>(whenChanged: \.text) { text, _ in begun.append("changed to \(text)") }
      Feature(
        "s", onInstall: { begun.append("come to \($0.id)") }, onRemove: { ended.append("left") }
      ) {
        Effect(on: Write.self) { _, _ in begun.append("service") }
      }
    }
  }

  @Test(.warnsOnPurpose) func `with the last of its mutators leave its effects and services`()
    async throws
  {
    let store = Store(initialState: App(), coverage: .partial)
    let lifted = feature().lifted(Lens(\App.left))
    try store.register(lifted)
    #expect(begun.values == ["come to 1"])
    #expect(store.unregister(\.left.text))
    try await store.dispatch(Save()).finish()
    #expect(begun.values == ["come to 1", "save 1"])
    #expect(store.left.saves == 1)
    #expect(ended.values == [])
    #expect(store.unregister(\.left.saves))
    #expect(ended.values == ["left"])
    store.dispatch(Save())
    store.dispatch(Write())
    try await store.settled()
    #expect(begun.values == ["come to 1", "save 1"])
  }

  @Test func `registered again, each effect runs once`() async throws {
    let store = Store(initialState: App(), coverage: .partial)
    let lifted = feature().lifted(Lens(\App.left))
    for round in 1...3 {
      try store.register(lifted)
      store.dispatch(Save())
      store.dispatch(Write(text: "\(round)"))
      try await store.settled()
      #expect(begun.values.filter { $0 == "save 1" }.count == round)
      #expect(begun.values.filter { $0 == "service" }.count == round)
      #expect(begun.values.filter { $0 == "changed to \(round)" }.count == 1)
      store.unregister(\.left.saves)
      store.unregister(\.left.text)
      #expect(ended.count == round)
    }
    #expect(store.left.saves == 3)
  }

  @Test(.warnsOnPurpose) func `so it is in children, with whatever owns them`() async throws {
    let store = Store(initialState: App(), coverage: .partial)
    for round in 1...2 {
      try store.register(
        Feature {
          Mutator(\.rows) { (rows: inout Entities<Item>, _: Load) in rows = [] }
          feature().identified().lifted(\.rows)
        })
      try store.register(Feature { feature().optional().lifted(\.sheet) })
      try await store.dispatch(ElementAction(id: 7, action: Save())).finish()
      try await store.dispatch(Save()).finish()
      #expect(begun.values.filter { $0 == "save 7" }.count == round)
      #expect(begun.values.filter { $0 == "save 3" }.count == round)
      #expect(store.unregister(\.rows))
      #expect(ended.count == 3 * round - 1)
      #expect(store.unregister(\.sheet))
      #expect(ended.count == 3 * round)
      #expect(!store.unregister(\.rows))
      store.dispatch(ElementAction(id: 7, action: Save()))
      store.dispatch(Save())
      try await store.settled()
      #expect(begun.values.filter { $0 == "save 7" }.count == round)
      #expect(begun.values.filter { $0 == "save 3" }.count == round)
    }
  }

  @Test func `its runs are cancelled, and what their commits have set off goes on`() async throws {
    let (gate, rest, log) = (Gate(), Gate(), Recorder<String>())
    let item = Feature<Item> {
      Mutator(\.text) { (text: inout String, write: Write) in text = write.text }
      Effect<Item>(on: Load.self) { _, context in
        context.dispatch(Write(text: "applied"))
        do { try await gate.wait() } catch { log.append("cancelled") }
        context.dispatch(Write(text: "late"))
      }
    }
    let store = try Store(initialState: App(), coverage: .partial) {
      item.lifted(Lens(\App.left))
      Effect<App>(on: Write.self) { _, _ in
        try await rest.wait()
        log.append("followed")
      }
    }
    let task = store.dispatch(Load())
    await gate.waitForWaiters()
    await rest.waitForWaiters()
    store.unregister(\.left.text)
    rest.open()
    try await task.finish()
    #expect(log.values.sorted() == ["cancelled", "followed"])
    #expect(store.left.text == "applied")
  }

  @Test(.warnsOnPurpose)
  func `a feature inside of another leaves with its own mutators, or else with those around it`()
    async throws
  {
    let alone = Feature<Item> { Effect(on: Save.self) { _, _ in begun.append("alone") } }
    let inner = Feature<Item> {
      Mutator(\.saves) { (saves: inout Int, _: Saved) in saves += 1 }
      Effect(on: Save.self) { _, _ in begun.append("inner") }
    }
    let outer = Feature<Item> {
      Mutator(\.text) { (text: inout String, write: Write) in text = write.text }
      inner
      alone
      Effect(on: Save.self) { _, _ in begun.append("outer") }
    }
    let store = Store(initialState: App(), coverage: .partial)
    func runs() async throws -> Set<String> {
      let before = begun.count
      store.dispatch(Save())
      try await store.settled()
      return Set(begun.values.dropFirst(before))
    }
    for _ in 0..<2 {
      try store.register(outer.lifted(Lens(\App.left)))
      #expect(try await runs() == ["alone", "inner", "outer"])
      store.unregister(\.left.saves)
      // The outer feature has another mutator.
      #expect(try await runs() == ["alone", "outer"])
      store.unregister(\.left.text)
      #expect(try await runs() == [])
    }
  }

  @Test(.warnsOnPurpose) func `of two instances of one feature, each leaves by itself`()
    async throws
  {
    let page = Feature<Item> {
      AsyncMutator(\.loaded) { (_: String, load: Load) in AsyncResult { "done" } }
      Effect<Item>(on: Save.self) { _, context in begun.append("save \(context.state.id)") }
    }
    let store = try Store(initialState: App(), coverage: .partial) {
      page.tagged(Left.self).lifted(\.left)
      page.tagged(Right.self).lifted(\.right)
    }
    let (left, right) = (Recorder<String>(), Recorder<String>())
    let observing = [
      store.states(\.left.loaded).subscribe { left.append($0) },
      store.states(\.right.loaded).subscribe { right.append($0) },
    ]
    // Each result is a commit of its own instance.
    try await store.dispatch(Load().tagged(Right.self)).finish()
    #expect(right.values == ["", "done"])
    #expect(left.values == [""])
    #expect(store.unregister(\.left.loaded))
    store.dispatch(Save().tagged(Left.self))
    try await store.dispatch(Save().tagged(Right.self)).finish()
    try await store.settled()
    #expect(begun.values == ["save 2"])
    store.dispatch(Load().tagged(Left.self))
    store.replaceState(App())
    try await store.dispatch(Load().tagged(Right.self)).finish()
    #expect(right.values == ["", "done", "", "done"])
    #expect(store.left.loaded == "")
    for one in observing { one.cancel() }
  }

  @Test func `the effects between the braces of a store stay`() async throws {
    let store = try Store(initialState: App(), coverage: .partial) {
      Mutator(\.others) { (others: inout Int, _: Save) in others += 1 }
      Effect<App>(on: Save.self) { _, _ in begun.append("save") }
    }
    store.unregister(\.others)
    try await store.dispatch(Save()).finish()
    #expect(begun.values == ["save"])
  }

  @Test(.warnsOnPurpose) func `it leaves on one thread while it comes and works on others`()
    async throws
  {
    let store = Store(initialState: App(), coverage: .partial)
    let lifted = feature().lifted(Lens(\App.left))
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<150 {
            try? store.register(lifted)
            store.dispatch(Save())
            store.unregister(\.left.text)
            store.unregister(\.left.saves)
          }
        }
      }
    }
    store.unregister(\.left.text)
    store.unregister(\.left.saves)
    try await store.settled()
    let (come, saved) = (
      begun.values.filter { $0.hasPrefix("come") }.count,
      begun.values.filter { $0 == "save 1" }.count
    )
    #expect(come == ended.count)
    store.dispatch(Save())
    try await store.settled()
    #expect(begun.values.filter { $0 == "save 1" }.count == saved)
  }
}
