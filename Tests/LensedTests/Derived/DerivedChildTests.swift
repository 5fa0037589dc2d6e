import Lensed
import LensedTestSupport
import Testing

@Suite("A derived value of a child that might not be there", .timeLimit(.minutes(30)))
struct DerivedChildTests {
  /// What stands in each place; the token shows whether a store still holds it.
  struct Note: Sendable, Identifiable {
    var id = 7
    var text: String
    var live: LiveCount.Token?
    var inner: [Note] = []
    var topic = Topic.none
  }
  indirect enum Topic: Sendable { case none, left(Note), right(Note) }
  struct House: Sendable {
    var note: Note?
    var other: Note?
    var topic = Topic.none
    var notes: Entities<Note> = []
    var list: [Note] = []
  }
  struct Set: Action { let change: @Sendable (inout House) -> Void }

  static let left = Prism<Topic, Note>(Topic.left) {
    if case .left(let note) = $0 { note } else { nil }
  }
  static let right = Prism<Topic, Note>(Topic.right) {
    if case .right(let note) = $0 { note } else { nil }
  }
  static let shown = Derived(\Note.text) { "<\($0)>" }
  static let framed = Derived(shown, \Note.text) { "\($0)\($1)" }

  static func makeStore() throws -> Store<House> {
    try Store(initialState: House()) {
      Mutator(\House.self) { (house: inout House, set: Set) in set.change(&house) }
    }
  }

  static func first(of stream: StateStream<String>) -> String? {
    let heard = Recorder<String>()
    stream.subscribe { heard.append($0) }.cancel()
    return heard.values.first
  }

  /// A place of a note: how it is filled, and the scope of it.
  struct Place: Sendable, CustomStringConvertible {
    let description: String
    let fill: @Sendable (inout House, Note?) -> Void
    let scope: @Sendable (Store<House>) -> ScopedStore<Note>?
  }

  static let places = [
    Place(description: "an optional", fill: { $0.note = $1 }, scope: { $0.scope(\.note) }),
    Place(description: "another optional", fill: { $0.other = $1 }, scope: { $0.scope(\.other) }),
    Place(
      description: "a case", fill: { $0.topic = $1.map(Topic.left) ?? .none },
      scope: { $0.scope(\.topic, matching: left) }),
    Place(
      description: "another case of the enum", fill: { $0.topic = $1.map(Topic.right) ?? .none },
      scope: { $0.scope(\.topic, matching: right) }),
    Place(
      description: "a row",
      fill: { house, note in
        house.notes.remove(id: 7)
        if let note { house.notes.append(note) }
      }, scope: { $0.scope(\.notes, id: 7) }),
    Place(
      description: "another row",
      fill: { house, note in
        house.notes.remove(id: 8)
        if var note {
          note.id = 8
          house.notes.append(note)
        }
      }, scope: { $0.scope(\.notes, id: 8) }),
    Place(
      description: "an element of an array", fill: { $0.list = $1.map { [$0] } ?? [] },
      scope: { $0.scope(\.list, id: 7) }),
    Place(
      description: "a row of an optional",
      fill: { house, note in
        house.note = note.map { Note(text: "outer \($0.text)", inner: [$0]) }
      }, scope: { $0.scope(\.note)?.scope(\.inner, id: 7) }),
    Place(
      description: "a case in an optional",
      fill: { house, note in house.note = note.map { Note(text: "outer", topic: .left($0)) } },
      scope: { $0.scope(\.note)?.scope(\.topic, matching: left) }),
    Place(
      description: "a case in a row",
      fill: { house, note in
        house.notes = note.map { [Note(text: "outer", topic: .right($0))] } ?? []
      }, scope: { $0.scope(\.notes, id: 7)?.scope(\.topic, matching: right) }),
  ]

  @Test func `children in different places have values of their own`() throws {
    for one in Self.places {
      for other in Self.places {
        let store = try Self.makeStore()
        store.dispatch(Set { one.fill(&$0, Note(text: "one")) })
        let first = try #require(one.scope(store))
        #expect(first[Self.framed] == "<one>one", "\(one)")
        store.dispatch(Set { other.fill(&$0, Note(text: "other")) })
        let second = try #require(other.scope(store), "\(other)")
        #expect(second[Self.framed] == "<other>other", "\(one), then \(other)")
        #expect(first[Self.framed] == "<\(first.text)>\(first.text)", "\(one), then \(other)")
        #expect(
          Self.first(of: first.states(Self.framed)) == first[Self.framed], "\(one), then \(other)")
      }
    }
  }

  @Test(arguments: places)
  func `the value agrees with the state of its scope, also once the child has gone`(
    place: Place
  ) throws {
    let store = try Self.makeStore()
    let write: (String?) -> Void = { text in
      store.dispatch(Set { place.fill(&$0, text.map { Note(text: $0) }) })
    }
    write("v1")
    let one = try #require(place.scope(store))
    #expect(one[Self.shown] == "<v1>")
    write("v2")
    let (two, three) = (try #require(place.scope(store)), try #require(place.scope(store)))
    write("v3")
    #expect(two[Self.shown] == "<v3>")
    write(nil)
    for scope in [one, two, three] { #expect(scope[Self.shown] == "<\(scope.text)>") }
    #expect([one, two, three].map(\.text) == ["v1", "v2", "v2"], "as they were made")
    #expect(Self.first(of: three.states(Self.shown)) == "<v2>")
    write("v4")
    for scope in [three, two, one] { #expect(scope[Self.shown] == "<v4>") }
  }

  @Test(arguments: places)
  func `a stream of it keeps the last value once the child has gone, and goes on when it returns`(
    place: Place
  ) throws {
    let (store, heard) = (try Self.makeStore(), Recorder<String>())
    store.dispatch(Set { place.fill(&$0, Note(text: "a")) })
    let scope = try #require(place.scope(store))
    let subscription = scope.states(Self.framed).subscribe { heard.append($0) }
    for text in ["b", nil, nil, "b", "c", nil, "d"] {
      store.dispatch(Set { place.fill(&$0, text.map { Note(text: $0) }) })
    }
    #expect(heard.values == ["<a>a", "<b>b", "<c>c", "<d>d"])
    subscription.cancel()
  }

  @Test(arguments: places) @MainActor
  func `a child that has gone is released, though a value was derived from it`(
    place: Place
  ) throws {
    let (store, live) = (try Self.makeStore(), LiveCount())
    store.dispatch(Set { place.fill(&$0, Note(text: "a", live: live.token())) })
    do {
      let scope = try #require(place.scope(store))
      #expect(scope[Self.framed] == "<a>a")
      #expect(ObservedStore(scope)[Self.framed] == "<a>a")
      let subscription = scope.states(Self.framed).subscribe { _ in }
      subscription.cancel()
    }
    store.dispatch(Set { place.fill(&$0, nil) })
    // The streams of stores leave what they held with the next commit.
    store.dispatch(Set { _ in })
    #expect(live.value == 0)
  }

  @Test(arguments: places)
  func `it is computed once for all scopes of the child`(place: Place) throws {
    let (store, runs) = (try Self.makeStore(), Counter())
    let counted = Derived(\Note.text) { text in
      runs.increment()
      return text.count
    }
    store.dispatch(Set { place.fill(&$0, Note(text: "a")) })
    for _ in 0..<3 { #expect(place.scope(store)?[counted] == 1) }
    #expect(runs.value == 1)
    let scope = try #require(place.scope(store))
    let subscriptions = (0..<3).map { _ in scope.states(counted).subscribe { _ in } }
    #expect(runs.value == 1)
    store.dispatch(Set { place.fill(&$0, Note(text: "bc")) })
    #expect(runs.value == 2)
    #expect(scope[counted] == 2)
    #expect(runs.value == 2)
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `values of children that nobody observes are released, however many there are`() throws
  {
    let (store, live) = (try Self.makeStore(), LiveCount())
    let counted = Derived(\Note.text) { _ in live.token() }
    for id in 0..<1_000 {
      store.dispatch(
        Set { house in
          house.notes = [Note(id: id, text: "")]
          house.topic = .left(Note(text: ""))
        })
      _ = store.scope(\.notes, id: id)?[counted]
      let left = Prism<Topic, Note>(Topic.left) { Self.left.extract($0) }
      _ = store.scope(\.topic, matching: left)?[counted]
      #expect(live.value <= 18)
    }
  }
}
