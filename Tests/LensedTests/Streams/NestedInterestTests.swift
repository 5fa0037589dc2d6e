import Lensed
import LensedTestSupport
import Testing

@Suite("StateStream: parts of parts, and owners that come and go", .timeLimit(.minutes(30)))
struct NestedInterestTests {
  private struct Person: Sendable, Equatable {
    var name = ""
    var age = 0
  }

  private struct Home: Sendable, Equatable {
    var person = Person()
    var guests = 0
    let address = "here"
  }

  private static let rename = Mutator(\Home.person.name) {
    (name: inout String, action: TitleAction) in
    if case .rename(let new) = action { name = new }
  }

  private static let welcome = Mutator(\Home.guests) { (guests: inout Int, action: CountAction) in
    if case .add(let more) = action { guests += more }
  }

  @Test func `a reader of the outer part hears the owner of an inner one`() async throws {
    let store = Store(initialState: Home(), coverage: .partial)
    try store.register(Self.rename)
    var (outer, sibling) = (
      store.states(\.person).makeAsyncIterator(), store.states(\.person.age).makeAsyncIterator()
    )
    #expect(await outer.next() == Person())
    #expect(await sibling.next() == 0)
    store.dispatch(TitleAction.rename("Ada"))
    #expect(await outer.next() == Person(name: "Ada"))
  }

  @Test func `a reader of an inner part hears the owner of the outer one`() async throws {
    let store = Store(initialState: Home(), coverage: .partial)
    try store.register(
      Mutator(\Home.person) { (person: inout Person, action: TitleAction) in
        if case .rename(let new) = action { person.name = new }
      })
    var names = store.states(\.person.name).makeAsyncIterator()
    #expect(await names.next() == "")
    store.dispatch(TitleAction.rename("Ada"))
    #expect(await names.next() == "Ada")
  }

  @Test func `a constant can be read`() async throws {
    var store: Store<Home>? = Store(initialState: Home(), coverage: .partial)
    try store?.register(Self.welcome)
    var addresses = try #require(store).states(\.address, repeats: .kept).makeAsyncIterator()
    #expect(await addresses.next() == "here")
    store?.dispatch(CountAction.add(1))
    store = nil
    #expect(await addresses.next() == nil)
  }

  @Test(.warnsOnPurpose) func `a part whose owner is registered later is heard from then on`()
    async throws
  {
    let store = Store(initialState: Home(), coverage: .partial)
    let reading = Recording(store.states(\.guests, repeats: .kept))
    await reading.heard.waitForCount(1)
    store.dispatch(CountAction.add(1))
    try store.register(Self.welcome)
    store.dispatch(CountAction.add(2))
    #expect(await reading.heard.waitForCount(2) == [0, 2])
  }

  @Test func `a reader that lags when the owner leaves has missed nothing`() async throws {
    let store = Store(initialState: Home(), coverage: .partial)
    try store.register(Self.welcome)
    var guests = store.states(\.guests).makeAsyncIterator()
    #expect(await guests.next() == 0)
    store.dispatch(CountAction.add(1))
    #expect(store.unregister(\.guests))
    store.replaceState(store.state)
    #expect(await guests.next() == 1)
  }

  @Test func `a reader that lags when the owner leaves hears of it without another commit`()
    async throws
  {
    var store: Store<Home>? = Store(initialState: Home(), coverage: .partial)
    try store?.register(Self.welcome)
    var guests = try #require(store).states(\.guests).makeAsyncIterator()
    #expect(await guests.next() == 0)
    store?.dispatch(CountAction.add(1))
    store?.unregister(\.guests)
    store = nil
    #expect(await guests.next() == 1)
    #expect(await guests.next() == nil)
  }

  @Test func `an owner that takes the place of another does not wake the readers of its part`()
    async throws
  {
    var store: Store<Home>? = Store(initialState: Home(), coverage: .partial)
    try store?.register(Self.welcome)
    store?.dispatch(CountAction.add(1))
    var names = try #require(store).states(\.person.name, repeats: .kept).makeAsyncIterator()
    #expect(await names.next() == "")
    store?.unregister(\.guests)
    try store?.register(Self.rename)
    store = nil
    #expect(await names.next() == nil)
  }
}
