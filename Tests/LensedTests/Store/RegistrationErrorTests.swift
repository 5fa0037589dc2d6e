import Lensed
import LensedTestSupport
import Testing

@Suite("RegistrationError: all faults at once, by property, as sentences")
struct RegistrationErrorTests {
  private struct Profile: Sendable {
    var name = ""
    var age = 0
  }

  private struct Home: Sendable {
    var profile = Profile()
    var first = 0
    var second = 0
    var rest = ""
  }

  private static func number(
    _ lens: Lens<Home, Int>
  ) -> Mutator<Home, Int> {
    Mutator(lens: lens) { (number: inout Int, action: CountAction) in
      if case .add(let amount) = action { number += amount }
    }
  }

  private func error(
    coverage: Coverage = .complete, @StoreBuilder<Home> _ parts: () -> [StorePart<Home>]
  ) throws -> RegistrationError {
    try #require(throws: RegistrationError.self) {
      _ = try Store(initialState: Home(), coverage: coverage, parts: parts)
    }
  }

  private static let profile = Mutator(\Home.profile) {
    (profile: inout Profile, action: TitleAction) in
    if case .rename(let name) = action { profile.name = name }
  }

  private static let name = Mutator(\Home.profile.name) {
    (name: inout String, action: TitleAction) in
    if case .rename(let new) = action { name = new }
  }

  @Test func `two reducers of one property`() throws {
    let error = try error(coverage: .partial) {
      Self.number(Lens(\.first))
      Self.number(Lens(\.first))
    }
    #expect(error.faults == [.twoReducers(property: "first")])
    #expect(error.description.contains("`first` has two reducers"))
  }

  @Test func `one property by key path and by name`() throws {
    let byName = Lens<Home, Int>(
      name: "first", get: { $0.first }, modify: { home, edit in edit(&home.first) })
    let error = try error(coverage: .partial) {
      Self.number(Lens(\.first))
      Self.number(byName)
    }
    #expect(error.faults == [.twoReducers(property: "first")])
  }

  @Test func `a reducer of what is called constant`() throws {
    let error = try error(coverage: .partial) {
      Constant(\.first)
      Self.number(Lens(\.first))
    }
    #expect(error.faults == [.constantPart(property: "first")])
    #expect(error.description.contains("`first` is `Constant`, and is claimed once more"))
    let twice = try self.error(coverage: .partial) {
      Constant(\.first)
      Constant(\.first)
    }
    #expect(twice.faults == [.constantPart(property: "first")])
  }

  @Test func `two properties of one type each have their own`() throws {
    let store = try Store(initialState: Home(), coverage: .partial) {
      Self.number(Lens(\.first))
      Self.number(Lens(\.second))
    }
    store.dispatch(CountAction.add(1))
    #expect(store.first + store.second == 2)
  }

  @Test func `lenses that overlap`() throws {
    let error = try error(coverage: .partial) {
      Self.profile
      Self.name
    }
    #expect(error.faults == [.overlap(property: "profile", other: "profile.name")])
    #expect(error.description.contains("`profile` and `profile.name` overlap"))
  }

  @Test func `the whole overlaps everything`() throws {
    let error = try error(coverage: .partial) {
      Mutator(lens: Lens<Home, Home>.identity) { (home: inout Home, _: ClearAction) in home = Home()
      }
      Self.number(Lens(\.second))
    }
    #expect(error.faults == [.overlap(property: "\\.self", other: "second")])
  }

  @Test func `properties that nobody reduces`() throws {
    let error = try error {
      Self.name
      Self.number(Lens(\.first))
    }
    #expect(
      error.faults == [
        .noReducer(property: "profile.age"), .noReducer(property: "second"),
        .noReducer(property: "rest"),
      ])
    #expect(error.description.contains("`profile.age` has no reducer"))
    #expect(error.description.contains("Constant"))
  }

  @Test func `a closure lens without a name, where coverage is complete`() throws {
    let error = try error {
      Self.profile
      Self.number(Lens(get: { $0.first }, set: { Home(profile: $0.profile, first: $1) }))
      Self.number(Lens(\.second))
      Constant(\.rest)
      Constant(\.first)
    }
    #expect(error.faults == [.unnamedLens(valueType: "Int")])
    #expect(error.description.contains("Lens(name:"))
  }

  @Test func `two unnamed lenses of one type, where coverage is partial`() throws {
    let unnamed = Lens<Home, Int>(
      get: { $0.first }, set: { Home(profile: $0.profile, first: $1) })
    let error = try error(coverage: .partial) {
      Self.number(unnamed)
      Self.number(unnamed)
    }
    #expect(error.faults == [.indistinctLenses(valueType: "Int")])
    #expect(error.description.contains("`Int`"))
    let alone = try Store(initialState: Home(), coverage: .partial) { Self.number(unnamed) }
    alone.dispatch(CountAction.add(1))
    #expect(alone.first == 1)
  }

  @Test func `a reducer of a list`() throws {
    let error = try error(coverage: .partial) {
      Mutator(\.first) { (first: inout Int, _: [CountAction]) in first += 1 }
      Mutator(\.second) { (second: inout Int, _: ActionList) in second += 1 }
    }
    #expect(
      error.faults == [
        .listReducer(property: "first", action: "Array<CountAction>"),
        .listReducer(property: "second", action: "ActionList"),
      ])
    #expect(error.description.contains("member by member"))
  }

  @Test func `every action, over elements`() throws {
    let every = Reducer<Int>(everyAction: { number, _ in number += 1 })
    struct Lists: Sendable {
      var byKey: [String: Int] = [:]
      var byOffset: [Int] = []
    }
    let error = try #require(throws: RegistrationError.self) {
      _ = try Store(initialState: Lists()) {
        Mutator(\.byKey, every.keyed())
        Mutator(\.byOffset, every.offset())
      }
    }
    #expect(
      error.faults == [
        .everyActionOverElements(property: "byKey"), .everyActionOverElements(property: "byOffset"),
      ])
    #expect(error.description.contains("ElementAction"))
  }

  @Test func `all faults together, a sentence each`() throws {
    let error = try error {
      Self.profile
      Self.name
      Self.number(Lens(\.first))
      Self.number(Lens(\.first))
      Mutator(\.rest) { (rest: inout String, _: [TitleAction]) in rest = "" }
    }
    #expect(
      error.faults == [
        .overlap(property: "profile", other: "profile.name"), .twoReducers(property: "first"),
        .listReducer(property: "rest", action: "Array<TitleAction>"),
        .noReducer(property: "second"),
      ])
    let lines = "\(error)".split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("- ") && $0.hasSuffix(".") })
  }

  @Test func `a reducer of a class type traps and says why`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      final class Order: Action {}
      _ = try Store(initialState: Desk(), coverage: .partial) {
        Mutator(\.count) { (count: inout Int, _: Order) in count += 1 }
      }
    }
    #expect(result.message.contains("`count`"))
    #expect(result.message.contains("`Order`"))
    #expect(result.message.contains("class"))
  }
}
