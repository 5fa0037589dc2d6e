import Lensed
import LensedTestSupport
import Testing

@Suite("ObservedStore: writing through actions")
@MainActor
struct ObservedStoreWritingTests {
  /// A view, as far as it concerns a binding.
  @MainActor
  private struct Field {
    @Bindable var store: ObservedStore<Desk>

    var title: Bindable<ObservedStore<Desk>>.Binding<String> {
      $store[\.title, send: .action(TitleAction.rename)]
    }
  }

  private let store: Store<Desk>
  private let observed: ObservedStore<Desk>

  init() throws {
    store = try Desk.makeStore()
    observed = ObservedStore(store)
  }

  @Test func `set sends the action, which is reflected when it returns`() {
    _ = observed.title
    observed.set(\.title, to: "alien", as: TitleAction.rename)
    #expect(observed.title == "alien")
    #expect(store.title == "alien")
  }

  @Test func `what becomes of the value is for the reducer to say`() throws {
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Mutator(\.title) { (title: inout String, action: TitleAction) in
        if case .rename(let name) = action { title = String(name.prefix(3)) }
      }
    }
    let observed = ObservedStore(store)
    observed.set(\.title, to: "alien", as: TitleAction.rename)
    #expect(observed.title == "ali")
  }

  @Test func `a subscript with a function reads the state and writes by an action`() {
    #expect(observed[\.title, send: TitleAction.rename] == "")
    observed[\.title, send: TitleAction.rename] = "alien"
    #expect(observed.title == "alien")
    observed[\.count, send: { .add($0) as CountAction }] += 2
    #expect(observed.count == 2)
  }

  @Test func `the spelling of a binding reads, writes and tracks`() {
    let field = Field(store: observed)
    let title = field.title
    let (titles, counts) = (
      Onlooker { _ = title.value }, Onlooker { [observed] in _ = observed.count }
    )
    title.value = "alien"
    #expect(title.value == "alien")
    #expect(store.title == "alien")
    #expect(titles.count == 1)
    #expect(counts.count == 0)
  }

  @Test func `a way of sending compares by id, as a command does`() {
    let own = Sending<String>.action(TitleAction.rename)
    #expect(own == own)
    #expect(own != .action(TitleAction.rename))
    let named = Sending<String>.action("rename", TitleAction.rename)
    #expect(named == .action("rename", TitleAction.rename))
    #expect(named.hashValue == Sending<String>.action("rename", TitleAction.rename).hashValue)
    let path = \ObservedStore<Desk>.[\.title, send: named]
    #expect(path == \ObservedStore<Desk>.[\.title, send: named])
  }
}

@Suite("ObservedStore: of a scope, and lifetimes", .timeLimit(.minutes(30)))
@MainActor
struct ObservedStoreLifeTests {
  private enum Left {}

  private struct App: Sendable, Equatable {
    var left = Desk()
    var right = Desk()
  }

  private func makeStore() throws -> Store<App> {
    try Store(initialState: App(), coverage: .partial) {
      Desk.countMutator.lifted(Lens(\App.left)).tagged(Left.self)
      Desk.titleMutator.lifted(Lens(\App.left)).tagged(Left.self)
      Desk.countMutator.lifted(Lens(\App.right))
    }
  }

  @Test func `a scope is observed: its part, its tag`() throws {
    let store = try makeStore()
    let observed = ObservedStore(store.scope(\.left, actions: .tagged(Left.self)))
    let (counts, titles) = (Onlooker { _ = observed.count }, Onlooker { _ = observed.title })
    observed.dispatch(CountAction.add(1))
    #expect(observed.count == 1)
    #expect(store.state == App(left: Desk(count: 1)))
    #expect(counts.count == 1)
    #expect(titles.count == 0)
    observed.dispatch([CountAction.add(1), TitleAction.rename("L")])
    observed.set(\.count, to: 1, as: CountAction.add)
    #expect(observed.count == 3)
    #expect(observed.title == "L")
  }

  @Test func `another part of the app tells it nothing`() async throws {
    let store = try makeStore()
    let observed = ObservedStore(store.scope(\.left, actions: .tagged(Left.self)))
    let all = Onlooker { _ = observed.state }
    ObservedStore(store).dispatch(CountAction.add(1))
    let arrived = Recorder<Int>()
    let subscription = store.states(\.right.count).subscribe(onMain: { arrived.append($0) })
    await arrived.waitForCount(1)
    #expect(all.count == 0)
    #expect(observed.state == Desk())
    subscription.cancel()
  }

  @Test func `it keeps a store alive, and a scope does not`() throws {
    var store: Store<App>? = try makeStore()
    let reference = WeakReference(store)
    var whole: ObservedStore<App>? = ObservedStore(try #require(store))
    let part = ObservedStore(try #require(store).scope(\.left, actions: .tagged(Left.self)))
    part.dispatch(CountAction.add(2))
    #expect(part.count == 2)
    store = nil
    #expect(reference.object != nil)
    whole?.dispatch(CountAction.add(1))
    #expect(whole?.right.count == 1)
    whole = nil
    #expect(reference.object == nil)
    part.dispatch(CountAction.add(1))
    #expect(part.count == 2, "the last there was")
    #expect(part.title == "", "also of what was never read before")
  }

  @Test func `it goes when it is let go, and the store notices`() throws {
    let store = try Desk.makeStore()
    var observed: ObservedStore<Desk>? = ObservedStore(store)
    weak let reference = observed
    _ = observed?.count
    store.dispatch(CountAction.add(1))
    observed = nil
    #expect(reference == nil)
    store.dispatch(CountAction.add(1))
    #expect(store.count == 2)
  }

  @Test func `several observed stores of one store agree`() async throws {
    let store = try Desk.makeStore()
    let (first, second) = (ObservedStore(store), ObservedStore(store))
    _ = (first.count, second.count)
    first.dispatch(CountAction.add(1))
    #expect(first.count == 1)
    while second.count != 1 { await Task.yield() }
    second.dispatch(CountAction.add(1))
    #expect(second.count == 2)
    while first.count != 2 { await Task.yield() }
  }
}
