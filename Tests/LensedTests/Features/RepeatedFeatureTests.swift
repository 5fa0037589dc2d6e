import Lensed
import LensedTestSupport
import Testing

@Suite("A feature of effects alone is registered once", .warnsOnPurpose, .timeLimit(.minutes(30)))
struct RepeatedFeatureTests {
  private typealias App = FeatureLeavingTests.App
  private typealias Item = FeatureLeavingTests.Item
  private typealias Save = FeatureLeavingTests.Save
  private typealias Write = FeatureLeavingTests.Write

  private let begun = Recorder<String>()

  @Test func `registered already, it is refused by name`()
    async throws
  {
    let saving = Feature<Item> {
      Effect<Item>(on: Save.self) { _, context in begun.append("save \(context.state.id)") }.named(
        "Save")
    }
    let store = try Store(initialState: App(), coverage: .partial) { saving.lifted(\.left) }
    let fault = RegistrationError.Fault.doubledFeature(
      state: "App", place: "left", effects: "the effect Save")
    let error = #expect(throws: RegistrationError.self) {
      try store.register(saving.lifted(Lens(\App.left)))
    }
    #expect(error?.faults == [fault])
    try store.register(saving.lifted(Lens(\App.right)))
    let second = #expect(throws: RegistrationError.self) {
      try store.register(
        Feature {
          saving.lifted(Lens(\App.right))
          Mutator(\App.others) { (others: inout Int, _: Save) in others += 1 }
        })
    }
    #expect(second?.faults.count == 1)
    // Nothing of what was refused is there.
    store.dispatch(Save())
    try await store.settled()
    #expect(begun.values.sorted() == ["save 1", "save 2"])
    #expect(store.others == 0)
    // Each store has its own.
    let blueprint = try StoreBlueprint<App>(coverage: .partial) { saving.lifted(\.left) }
    for _ in 0..<2 {
      let other = blueprint.makeStore(initialState: App())
      #expect(throws: RegistrationError.self) { try other.register(saving.lifted(Lens(\App.left))) }
    }
  }

  @Test func `in a feature that has left, it can come again`() async throws {
    let saving = Feature<App> { Effect(on: Save.self) { _, _ in begun.append("save") } }
    let outer = Feature<App> {
      Mutator(\.others) { (others: inout Int, _: Write) in others += 1 }
      saving
    }
    let store = Store(initialState: App(), coverage: .partial)
    for round in 1...3 {
      try store.register(outer)
      #expect(throws: RegistrationError.self) { try store.register(saving) }
      try await store.dispatch(Save()).finish()
      #expect(begun.count == round)
      store.unregister(\.others)
    }
    try store.register(saving)
    #expect(throws: RegistrationError.self) { try store.register(outer) }
  }

  @Test func `of many threads that register it, one does so`() async throws {
    for _ in 0..<50 {
      let (store, count) = (Store(initialState: App(), coverage: .partial), Counter())
      let saving = Feature<App> { Effect(on: Save.self) { _, _ -> Void in count.increment() } }
      let refused = Counter()
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            do { try store.register(saving) } catch { refused.increment() }
          }
        }
      }
      #expect(refused.value == 3)
      store.dispatch(Save())
      try await store.settled()
      #expect(count.value == 1)
    }
  }
}
