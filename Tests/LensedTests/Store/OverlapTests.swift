import Lensed
import LensedTestSupport
import Testing

@Suite("Parts that overlap: each pair is refused, and named")
struct OverlapTests {
  private struct Home: Sendable, Equatable {
    var street = ""
    var number = 0
  }

  private struct Profile: Sendable, Equatable {
    var name = ""
    var age = 0
    var home = Home()
  }

  private struct App: Sendable, Equatable {
    var profile = Profile()
    var other = 0
  }

  private struct Note: Action {}

  /// A part of the state, and what a store may be asked to do with its mutator.
  private struct Part: Sendable {
    let name: String
    let owner: @Sendable () -> StorePart<App>
    let unregister: @Sendable (Store<App>) -> Bool
    let replace: @Sendable (Store<App>) throws(RegistrationError) -> Void

    init<Value: Sendable>(
      _ name: String, _ keyPath: any WritableKeyPath<App, Value> & Sendable
    ) {
      self.name = name
      let mutator = Mutator(keyPath) { (_: inout Value, _: Note) in }
      owner = { StorePart(mutator) }
      unregister = { $0.unregister(keyPath) }
      replace = { store throws(RegistrationError) in try store.replace(mutator) }
    }

    func overlap(after other: Part) -> RegistrationError.Fault? {
      if name == other.name { return .twoReducers(property: name) }
      let isNested = name.hasPrefix(other.name + ".") || other.name.hasPrefix(name + ".")
      return isNested ? .overlap(property: other.name, other: name) : nil
    }
  }

  private static let parts = [
    Part("profile", \.profile), Part("profile.name", \.profile.name),
    Part("profile.age", \.profile.age), Part("profile.home", \.profile.home),
    Part("profile.home.street", \.profile.home.street),
    Part("profile.home.number", \.profile.home.number), Part("other", \.other),
  ]

  private static func faults(adding new: [Part], to known: [Part] = []) -> [RegistrationError.Fault]
  {
    var (all, faults) = (known, [RegistrationError.Fault]())
    for part in new {
      for fault in all.compactMap({ part.overlap(after: $0) }) where !faults.contains(fault) {
        faults.append(fault)
      }
      all.append(part)
    }
    return faults
  }

  @Test func `a part overlaps with a larger one behind one that overlaps with it, too`() {
    let error = #expect(throws: RegistrationError.self) {
      _ = try Store(initialState: App(), coverage: .partial) {
        Mutator(\App.profile) { (_: inout Profile, _: Note) in }
        Mutator(\App.profile.age) { (_: inout Int, _: Note) in }
        Mutator(\App.profile.home) { (_: inout Home, _: Note) in }
      }
    }
    #expect(
      error?.faults == [
        .overlap(property: "profile", other: "profile.age"),
        .overlap(property: "profile", other: "profile.home"),
      ])
  }

  @Test(arguments: UInt64(1)...30)
  func `when a store is made, and when parts come to it, go, and are replaced`(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    func some(_ count: ClosedRange<Int>) -> [Part] {
      (0..<Int.random(in: count, using: &random)).compactMap { _ in
        Self.parts.randomElement(using: &random)
      }
    }
    let given = some(2...9)
    let expected = Self.faults(adding: given)
    if expected.isEmpty {
      _ = try Store(initialState: App(), coverage: .partial) { for part in given { part.owner() } }
    } else {
      let error = #expect(throws: RegistrationError.self) {
        _ = try Store(initialState: App(), coverage: .partial) {
          for part in given { part.owner() }
        }
      }
      #expect(error?.faults == expected)
    }

    let store = Store(initialState: App(), coverage: .partial)
    var known: [Part] = []
    for _ in 0..<40 {
      let new = some(1...3)
      let expected = Self.faults(adding: new, to: known)
      let error = Result { () throws(RegistrationError) in
        try store.register(new.map { $0.owner() })
      }
      switch error {
      case .success:
        #expect(expected.isEmpty, "seed \(seed)")
        known += new
      case .failure(let error):
        // What is registered is named in the order of the places that it got, and places are used again.
        let (found, wanted) = (error.faults.map { "\($0)" }, expected.map { "\($0)" })
        #expect(found.sorted() == wanted.sorted(), "seed \(seed)")
      }
      guard let part = Self.parts.randomElement(using: &random) else { continue }
      let isKnown = known.contains { $0.name == part.name }
      if Bool.random(using: &random) {
        #expect(part.unregister(store) == isKnown, "seed \(seed)")
        known.removeAll { $0.name == part.name }
      } else {
        let replaced = Result { () throws(RegistrationError) in try part.replace(store) }
        #expect(((try? replaced.get()) != nil) == isKnown, "seed \(seed)")
      }
    }
  }
}

extension OverlapTests {
  private struct Row: Sendable, Equatable {
    var count = 0
  }

  private struct Table: Sendable, Equatable {
    var rows = [Row()]
  }

  @Test(arguments: [false, true], [false, true])
  func `a part and the features of its children leave together, by whichever name and order`(
    featureIsFirst: Bool, featureIsNamed: Bool
  ) throws {
    let rows = Lens(
      name: "rows", get: { (table: Table) in table.rows },
      modify: { table, edit in edit(&table.rows) })
    let feature = Feature<Row> {
      Mutator(\.count) { (count: inout Int, _: Note) in count += 1 }
    }.offset()
    let adding = Reducer { (rows: inout [Row], _: Note) in rows.append(Row()) }
    let parts: [any StorePartConvertible<Table>] =
      featureIsNamed
      ? [feature.lifted(rows), Mutator(\.rows, adding)]
      : [feature.lifted(\.rows), Mutator(lens: rows, reducer: adding)]
    let store = Store(initialState: Table(), coverage: .partial)
    for part in featureIsFirst ? parts : parts.reversed() { try store.register(part) }
    #expect(store.unregister(\.rows))
    #expect(!store.unregister(\.rows))
    try store.register(Mutator(\.rows, adding))
    store.dispatch(Note())
    #expect(store.state == Table(rows: [Row(count: 0), Row(count: 0)]))
  }

  @Test func `a lens of an unknown part of a child is refused where coverage is complete`() throws {
    let feature = Feature<Row> {
      Mutator(\.count) { (count: inout Int, _: Note) in count += 1 }
      Mutator(
        lens: Lens(get: { (row: Row) in row.count }, set: { Row(count: $1) }),
        reducer: Reducer { (count: inout Int, _: Note) in count += 1 })
    }
    let error = #expect(throws: RegistrationError.self) {
      _ = try Store(initialState: Table(rows: [])) { feature.offset().lifted(\.rows) }
    }
    #expect(error?.faults == [.unnamedLens(valueType: "Int")])
    _ = try Store(initialState: Table(), coverage: .partial) {
      feature.offset().lifted(\.rows)
    }
  }
}
