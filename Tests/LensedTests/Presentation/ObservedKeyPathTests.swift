import Testing

@testable import Lensed

@Suite("ObservedKeyPath: which key paths can be read from every state")
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

  private func isSafe<Value>(
    _ keyPath: KeyPath<Club, Value>, isProperty: Bool = false
  ) -> Bool {
    ObservedKeyPath(keyPath, isProperty: isProperty).isSafe
  }

  @Test func `stored properties and optional chains are in every state`() {
    #expect(isSafe(\.self))
    #expect(isSafe(\.people))
    #expect(isSafe(\.head.name))
    #expect(isSafe(\.deputy?.name))
  }

  @Test func `a key of a dictionary is in every state, wherever it is`() {
    #expect(isSafe(\.byName["a"]))
    #expect(isSafe(\.byName["a"]?.name))
    #expect(isSafe(\.teams["a"]?["b"]?.name))
  }

  @Test func `an index of an array is in doubt, wherever it is`() {
    #expect(!isSafe(\.people[0]))
    #expect(!isSafe(\.people[0].name))
    #expect(!isSafe(\.people[0].byName["a"]))
    #expect(!isSafe(\.head.friends[2].name))
    #expect(!isSafe(\.latest[2].name))
    let deep = ObservedKeyPath(\Club.head.friends[2].name, isProperty: false)
    #expect(deep.prefix == ["head", "friends"])
  }

  @Test func `what goes further, forces, or is of one's own is in doubt`() {
    #expect(!isSafe(\.deputy!.name))
    #expect(!isSafe(\.people[0].friends[0]))
    #expect(!isSafe(\.people[0].initials))
    #expect(!isSafe(\.deputy?.friends[0].name))
    #expect(!isSafe(\.byName["a"]!.name))
    #expect(!isSafe(\.byName["a"]?.friends[0].name))
    #expect(!isSafe(\.people.count))
    #expect(!isSafe(\.people[0..<1]))
    #expect(!isSafe(\.people[named: "a"]))
    #expect(!isSafe(\.head.name[Club().head.name.startIndex]))
    #expect(!isSafe(\.head.pick), "functions are stored in another form")
  }

  @Test func `a computed property is in every state, where it comes after the dot`() {
    #expect(isSafe(\.size, isProperty: true))
    #expect(!isSafe(\.size))
    for isProperty in [false, true] {
      let list: KeyPath<[Person], Person> = \.[0]
      #expect(!ObservedKeyPath(list, isProperty: isProperty).isSafe)
      #expect(ObservedKeyPath(list, isProperty: isProperty).prefix == [])
      let ranges: [AnyKeyPath] = [
        \[Person].[0..<1], \[Person].[0...1], \ArraySlice<Person>.[0..<1],
        \ContiguousArray<Person>.[0..<1], \ContiguousArray<Person>.[0...1],
      ]
      for range in ranges {
        #expect(!ObservedKeyPath(range, isProperty: isProperty).isSafe, "\(range)")
      }
    }
  }
}

extension [ObservedKeyPathTests.Person] {
  fileprivate subscript(named name: String) -> Element { self[name.count] }
}
