import Testing

@testable import Lensed

@Suite("ObservedPath: which key paths can be read from every state")
struct ObservedKeyPathTests {
  fileprivate struct Person: Sendable {
    var name = ""
    var friends: [Person] = []
    var byName: [String: Person] = [:]
    var pick: @Sendable (Int) -> [Int] = { [$0] }
    var initials: String { String(name.prefix(1)) }
  }

  private struct Club: Sendable {
    var people: [Person] = []
    var latest: ArraySlice<Person> = []
    var teams: [String: [String: Person]] = [:]
    var byName: [String: Person] = [:]
    var head = Person()
    var deputy: Person?
    var size: Int { people.count }
  }

  private func range<Value>(
    _ keyPath: KeyPath<Club, Value>, isProperty: Bool = false
  ) -> ObservedKeyPath.Range {
    ObservedKeyPath(keyPath, isProperty: isProperty).range
  }

  @Test func `stored properties and optional chains are in every state`() {
    #expect(range(\.self) == .everyState)
    #expect(range(\.people) == .everyState)
    #expect(range(\.head.name) == .everyState)
    #expect(range(\.deputy?.name) == .everyState)
  }

  @Test func `a key of a dictionary is in every state, wherever it is`() {
    #expect(range(\.byName["a"]) == .everyState)
    #expect(range(\.byName["a"]?.name) == .everyState)
    #expect(range(\.teams["a"]?["b"]?.name) == .everyState)
  }

  @Test func `one index of an array behind stored properties is in some`() {
    #expect(range(\.people[0]) == .someStates)
    #expect(range(\.people[0].name) == .someStates)
    #expect(range(\.people[0].byName["a"]) == .someStates)
    #expect(range(\.head.friends[2].name) == .someStates)
    #expect(range(\.latest[2].name) == .someStates)
    let deep = ObservedKeyPath(\Club.head.friends[2].name, isProperty: false)
    #expect(deep.prefix == ["head", "friends"])
  }

  @Test func `what goes further, forces, or is of one's own is in doubt`() {
    #expect(range(\.deputy!.name) == .unknown)
    #expect(range(\.people[0].friends[0]) == .unknown)
    #expect(range(\.people[0].initials) == .unknown)
    #expect(range(\.deputy?.friends[0].name) == .unknown)
    #expect(range(\.byName["a"]!.name) == .unknown)
    #expect(range(\.byName["a"]?.friends[0].name) == .unknown)
    #expect(range(\.people.count) == .unknown)
    #expect(range(\.people[0..<1]) == .unknown)
    #expect(range(\.people[named: "a"]) == .unknown)
    #expect(range(\.head.name[Club().head.name.startIndex]) == .unknown)
    #expect(range(\.head.pick) == .unknown, "functions are stored in another form")
  }

  @Test func `a computed property is in every state, where it comes after the dot`() {
    #expect(range(\.size, isProperty: true) == .everyState)
    #expect(range(\.size) == .unknown)
    for isProperty in [false, true] {
      let list: KeyPath<[Person], Person> = \.[0]
      #expect(ObservedKeyPath(list, isProperty: isProperty).range == .someStates)
      #expect(ObservedKeyPath(list, isProperty: isProperty).prefix == [])
    }
  }

  @Test func `indices that were there are there as long as a list is no shorter`() {
    func bounds(_ club: Club, _ path: String...) -> ObservedBounds {
      ObservedBounds(in: club, along: path)
    }
    let (none, one, two) = (
      Club(), Club(people: [Person()]), Club(people: [Person(), Person()])
    )
    #expect(bounds(two, "people").cover(bounds(one, "people")))
    #expect(bounds(one, "people").cover(bounds(one, "people")))
    #expect(!bounds(one, "people").cover(bounds(two, "people")))
    #expect(!bounds(none, "people").cover(bounds(one, "people")))
    #expect(!bounds(none, "byName").cover(bounds(one, "byName")), "it has no indices")
    #expect(!bounds(one, "head").cover(bounds(one, "head")), "nothing is known of it")
    #expect(!bounds(one, "gone").cover(bounds(one, "gone")))
    #expect(bounds(two, "head", "friends") == .indices(0..<0))
  }
}

extension [ObservedKeyPathTests.Person] {
  fileprivate subscript(named name: String) -> Element { self[name.count] }
}
