import Lensed
import LensedTestSupport
import Testing

@Suite("Messages call things as a person would write them", .timeLimit(.minutes(30)))
struct MessageNameTests {
  private struct Inner: Sendable { var `in side` = 0 }
  private struct Row: Sendable, Identifiable {
    let id: Int?
    var `a name` = ""
  }
  private struct Raw: Sendable {
    var `a b` = 0
    var inner = Inner()
    var `the rows` = [Row(id: 1), Row(id: nil)]
    var plain = [Row(id: 1)]
  }
  private struct `Do it`: Action {}

  private static let number = Reducer { (number: inout Int, _: `Do it`) in number += 1 }

  /// Each fault, of names that are raw.
  private static let faults: [RegistrationError.Fault] = {
    let (part, type) = ("`a b`", "`Do it`")
    return [
      .twoReducers(property: part), .overlap(property: part, other: "inner.`in side`"),
      .noReducer(property: part), .unnamedLens(valueType: type),
      .indistinctLenses(valueType: type), .listReducer(property: part, action: type),
      .classReducer(property: part, action: type), .listEffect(effect: part, action: type),
      .classEffect(effect: part, action: type),
      .unmatchedPrism(property: part, wide: type, narrow: type),
      .everyActionOverElements(property: part), .twoFeatures(property: part),
      .constantPart(property: part), .constantChildren(property: part),
      .unmatchedFeature(state: type, wide: type, narrow: type),
      .doubledFeature(state: type, place: part, effects: part), .noOwner(property: part),
      .otherType(property: part, owned: type, given: type), .childrenPart(property: part),
      .notGiven(type: type, asker: part, site: "A.swift:1"),
    ]
  }()

  @Test(arguments: faults.indices) func `a fault of raw names has each between one pair`(
    _ index: Int
  ) {
    let text = "\(Self.faults[index])"
    #expect(!text.contains("``"))
    #expect(!text.contains("`inner"))
    #expect(text.contains("`a b`") || text.contains("`Do it`"))
  }

  @Test func `a store that is not covered names a raw property as it is written`() throws {
    let error = try #require(throws: RegistrationError.self) {
      _ = try Store(initialState: Raw()) {
        Constant(\.`the rows`)
        Constant(\.plain)
        Mutator(\.`a b`, Self.number)
      }
    }
    #expect(error.description.contains("- `inner` has no reducer"))
    let nested = try #require(throws: RegistrationError.self) {
      _ = try Store(initialState: Raw(), coverage: .partial) {
        Mutator(\.inner.`in side`, Self.number)
        Mutator(\.inner.`in side`, Self.number)
      }
    }
    #expect(nested.description.contains("- inner.`in side` has two reducers"))
  }

  @Test func `a reducer of a raw property that traps is named as it is written`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let own = WeakReference<Store<Raw>>()
      let store = try Store(initialState: Raw(), coverage: .partial) {
        Mutator(\.`a b`) { (_: inout Int, _: `Do it`) in own.object?.dispatch(`Do it`()) }
      }
      own.refer(to: store)
      store.dispatch(`Do it`())
    }
    #expect(result.message.contains("The reducer of `a b`, which is written at"))
    #expect(!result.message.contains("``"))
  }

  private func warning(
    for id: Int?, _ path: @Sendable (Store<Raw>) throws -> Void
  ) throws -> StoreWarning {
    let warnings = Recorder<StoreWarning>()
    let store = try Store(
      initialState: Raw(), coverage: .partial, onWarning: { warnings.append($0) }
    ) {}
    try path(store)
    store.dispatch(ElementAction(id: id, action: `Do it`()))
    return try #require(warnings.last)
  }

  private static let row = Reducer { (row: inout Row, _: `Do it`) in row.`a name` = "x" }

  @Test func `a row with an optional id is called by what is in that`() throws {
    for (id, shown) in [(2, "2"), (nil, "nil")] as [(Int?, String)] {
      let plain = try warning(for: id) {
        try $0.register(Mutator(\.plain, Self.row.identified()))
      }
      #expect(plain.missing == "`plain[\(shown)]`")
      #expect(plain.element == shown)
      #expect(plain.description.contains("for \(shown), which `plain` does not have"))
    }
  }

  @Test func `a row of a raw property is called as it is written`() throws {
    let raw = try warning(for: 2) {
      try $0.register(Mutator(\.`the rows`, Self.row.identified()))
    }
    #expect(raw.property == "`the rows`")
    #expect(raw.missing == "`the rows`[2]")
    #expect(raw.description.contains("for 2, which `the rows` does not have"))
    #expect(!raw.description.contains("``"))
  }

  @Test func `a doubled id that is optional is called by what is in it`() throws {
    let error = try #require(throws: DuplicateIDError.self) {
      _ = try Entities([Row(id: 1), Row(id: 1)])
    }
    #expect(error.id == "1")
  }

  @Test func `an error says what was asked for`() throws {
    let made = try #require(throws: RegistrationError.self) {
      _ = try Store(initialState: Desk()) { Desk.countMutator }
    }
    #expect(made.description.hasPrefix("The store cannot be built of these parts:\n- `"))
    let store = try Desk.makeStore()
    let registered = try #require(throws: RegistrationError.self) {
      try store.register(Desk.countMutator)
    }
    #expect(
      registered.description.hasPrefix(
        "These parts cannot be registered, and the store is as it was:\n- `count` has two"))
    let byName = try #require(throws: RegistrationError.self) {
      try store.register(
        Mutator(lens: Lens(name: "count", get: { $0.count }, set: { desk, _ in desk })) {
          (_: inout Int, _: CountAction) in
        })
    }
    #expect(byName.description.hasPrefix("These parts cannot be registered"))
    let replaced = try #require(throws: RegistrationError.self) {
      try Store(initialState: Desk(), coverage: .partial).replace(Desk.countMutator)
    }
    #expect(
      replaced.description.hasPrefix(
        "The mutator cannot be replaced, and the store is as it was:\n- "))
  }
}
