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

  @Test func `an error of the store equals one of register or replace with the same faults`() throws
  {
    let whole = try error(coverage: .partial) {
      Self.profile
      Self.name
    }
    let store = try Store(initialState: Home(), coverage: .partial) { Self.profile }
    let later = try #require(throws: RegistrationError.self) { try store.register(Self.name) }
    #expect(whole == later && whole.faults == later.faults)
    #expect(whole.description != later.description, "what was asked for is in the text")
    let other = try #require(throws: RegistrationError.self) { try store.register(Self.profile) }
    #expect(whole != other)
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

  @Test func `a constant that overlaps is called no reducer`() throws {
    let error = try error(coverage: .partial) {
      Constant(\.self)
      Constant(\.second)
    }
    #expect(error.faults == [.overlap(property: "\\.self", other: "second")])
    #expect(!error.description.contains("reducer"), "\(error)")
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

  /// A property of two names.
  private struct Page: Sendable {
    @propertyWrapper
    struct Plain: Sendable { var wrappedValue: Int }

    @Plain var word = 0

    static func lens(_ name: String) -> Lens<Page, Int> {
      Lens(name: name, get: { $0.word }, modify: { page, edit in edit(&page.word) })
    }
  }

  /// A mutator that is written at a line.
  private static func number(
    _ lens: Lens<Home, Int> = Lens(\.first), at line: UInt
  ) -> Mutator<Home, Int> {
    Mutator(lens: lens, line: line) { (number: inout Int, _: CountAction) in number += 1 }
  }

  private func sites(_ lines: UInt...) -> String {
    let sites = lines.map { "LensedTests/RegistrationErrorTests.swift:\($0)" }
    return " See \(sites.joined(separator: " and "))."
  }

  @Test func `each sentence about mutators says where they are written`() throws {
    let title = { @Sendable (title: inout String, _: TitleAction) in title = "" }
    let lists = { @Sendable (title: inout String, _: [TitleAction]) in title = "" }
    let several = try error {
      Self.number(at: 1)
      Self.number(at: 2)
      Self.profile
      Mutator(\.profile.name, line: 4, title)
      Constant(\.second)
      Self.number(Lens(\.second), at: 5)
      Mutator(\.rest, line: 6, lists)
    }
    for (start, lines) in [
      ("- `first` has two", sites(1, 2)), ("- `second` is `Constant`", sites(5)),
      ("- A reducer of `rest`", sites(6)),
    ] {
      let sentence = "\(several)".split(separator: "\n").first { $0.hasPrefix(start) }
      #expect(sentence?.hasSuffix(lines) == true, "\(several)")
    }
    let overlap = "\(several)".split(separator: "\n").first { $0.contains("overlap") }
    #expect(overlap?.hasSuffix("RegistrationErrorTests.swift:4.") == true, "\(several)")

    // What has no mutator has no place.
    #expect("\(try error { Self.number(at: 1) })".hasSuffix("`coverage: .partial`."))
  }

  @Test func `each place is named, and named once`() throws {
    let twice = Self.number(at: 1)
    #expect("\(try error(coverage: .partial) { twice; twice })".hasSuffix(sites(1)))
    let three = try error(coverage: .partial) {
      Self.number(at: 1)
      Self.number(at: 2)
      Self.number(at: 3)
    }
    #expect(three.faults == [.twoReducers(property: "first")])
    #expect("\(three)".hasSuffix(sites(1, 2, 3)), "\(three)")
  }

  @Test func `so do the sentences about names that the state shows, and about children`() throws {
    let named = Lens<Home, Int>(
      name: "first", get: { $0.first }, modify: { home, edit in edit(&home.first) })
    let error = try error(coverage: .partial) {
      Self.number(named, at: 7)
      Self.number(Lens(\.first), at: 8)
    }
    #expect("\(error)".hasSuffix(sites(7, 8)), "\(error)")
    // The state shows that both names are those of one property.
    let shown = try #require(throws: RegistrationError.self) {
      _ = try Store(initialState: Page()) {
        Mutator(lens: Page.lens("word"), line: 9) { (word: inout Int, _: CountAction) in word = 0 }
        Mutator(lens: Page.lens("_word"), line: 10) { (word: inout Int, _: CountAction) in word = 1
        }
      }
    }
    #expect(shown.faults == [.twoReducers(property: "_word")])
    #expect("\(shown)".hasSuffix(sites(9, 10)), "\(shown)")

    struct House: Sendable { var homes: [Int: Home] = [:] }
    let feature = Feature<Home> {
      Self.number(at: 11)
      Self.number(at: 12)
    }
    let inChildren = try #require(throws: RegistrationError.self) {
      _ = try Store(initialState: House(), feature.keyed().lifted(\House.homes))
    }
    #expect(inChildren.faults == [.twoReducers(property: "homes[…].first")])
    #expect("\(inChildren)".hasSuffix(sites(11, 12)), "\(inChildren)")
  }

  @Test func `so do those of asynchronous mutators, and of one that was to replace another`() throws
  {
    let asynchronous = try error(coverage: .partial) {
      AsyncMutator(\.first, line: 13) { (_: Int, _: [CountAction]) in AsyncResult(value: 1) }
    }
    #expect("\(asynchronous)".hasSuffix(sites(13)), "\(asynchronous)")

    let store = try Store(initialState: Home(), coverage: .partial) { Self.number(at: 14) }
    let unowned = try #require(throws: RegistrationError.self) {
      try store.replace(Self.number(Lens(\.second), at: 15))
    }
    #expect(unowned.faults == [.noOwner(property: "second")])
    #expect("\(unowned)".hasSuffix(sites(15)), "\(unowned)")
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
