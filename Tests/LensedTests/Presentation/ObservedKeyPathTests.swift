import Testing

@testable import Lensed

@Suite("ObservedPath: which key paths can be read from every state")
struct ObservedKeyPathTests {
  private struct Person: Sendable {
    var name = ""
    var friends: [Person] = []
    var pick: @Sendable (Int) -> [Int] = { [$0] }
    var initials: String { String(name.prefix(1)) }
  }

  private struct Club: Sendable {
    var people: [Person] = []
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

  @Test func `one index or key behind stored properties is in some`() {
    #expect(range(\.people[0]) == .someStates)
    #expect(range(\.people[0].name) == .someStates)
    #expect(range(\.head.friends[2].name) == .someStates)
    #expect(range(\.byName["a"]) == .someStates)
    #expect(range(\.byName["a"]?.name) == .someStates)
    #expect(range(\.people.count) == .someStates)
    #expect(range(\.head.pick) == .someStates, "functions are stored in another form")
    let deep = ObservedKeyPath(\Club.head.friends[2].name, isProperty: false)
    #expect(deep.prefix == ["head", "friends"])
  }

  @Test func `what goes further, or forces, is in doubt`() {
    #expect(range(\.deputy!.name) == .unknown)
    #expect(range(\.people[0].friends[0]) == .unknown)
    #expect(range(\.people[0].initials) == .unknown)
    #expect(range(\.deputy?.friends[0].name) == .unknown)
    #expect(range(\.byName["a"]!.name) == .unknown)
  }

  @Test func `a computed property is in every state, where it comes after the dot`() {
    #expect(range(\.size, isProperty: true) == .everyState)
    #expect(range(\.size) == .someStates)
    let list: KeyPath<[Person], Person> = \.[0]
    #expect(ObservedKeyPath(list, isProperty: false).range == .someStates)
    #expect(ObservedKeyPath(list, isProperty: false).prefix == [])
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
    #expect(bounds(none, "byName").cover(bounds(one, "byName")))
    #expect(!bounds(one, "head").cover(bounds(one, "head")), "nothing is known of it")
    #expect(!bounds(one, "gone").cover(bounds(one, "gone")))
    #expect(bounds(two, "head", "friends") == .indices(0..<0))
  }
}
