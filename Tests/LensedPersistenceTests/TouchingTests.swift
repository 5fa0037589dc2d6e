import Lensed
import LensedPersistence
import LensedTestSupport
import LensedTesting
import Testing

private struct Page: Sendable, Equatable {
  var profile = Profile()
  var count = 0
  var other = 0

  struct Profile: Codable, Sendable, Equatable {
    var name = ""
    var age = 0
  }
}

private enum PageAction: Action { case load, name(String), count, other }
private struct OtherAction: Action { var number: Int }

/// Which commits are written, whatever made them.
@Suite struct TouchingTests {
  /// Does something with a store, and returns what is kept of it.
  private func kept(
    middleware: [any Middleware<Page>] = [],
    _ body: (Store<Page>) async throws -> Void
  ) async throws -> (page: Page, state: Page) {
    let memory = MemoryStorage()
    func open() throws -> Persistence<Page> {
      try Persistence(in: memory, writing: .eachCommit) {
        Kept(\.profile.name)
        Kept(\.profile.age)
        Kept(\.count)
      }
    }
    func store(_ disk: Persistence<Page>, _ more: [any Middleware<Page>]) throws -> Store<Page> {
      try Store(initialState: Page(), middleware: more + [disk]) {
        Mutator(\.profile) { (profile: inout Page.Profile, action: PageAction) in
          if case .name(let name) = action {
            profile.name = name
            profile.age += 1
          }
        }
        AsyncMutator(\.count) { (count: Int, action: PageAction) -> AsyncResult<Int> in
          AsyncResult(value: { if case .count = action { count + 1 } else { count } }())
        }
        Mutator(\.other) { (other: inout Int, action: PageAction) in
          if case .other = action { other += 1 }
        }
      }
    }
    let disk = try open()
    let first = try store(disk, middleware)
    try await body(first)
    let state = first.state
    try await disk.close()
    return (try store(try open(), []).state, state)
  }

  @Test func `all that one owner owns is touched by it`() async throws {
    let (page, _) = try await kept { $0.dispatch(PageAction.name("a")) }
    #expect(page.profile == Page.Profile(name: "a", age: 1))
  }

  @Test func `the result of an asynchronous reducer is kept`() async throws {
    let (page, state) = try await kept { store in
      store.dispatch(PageAction.count)
      store.dispatch(PageAction.count)
      try await store.settled()
    }
    #expect(state.count == 2 && page.count == 2)
  }

  @Test func `a replaced state is kept, but for what is not named`() async throws {
    let (page, _) = try await kept { store in
      store.replaceState(Page(profile: Page.Profile(name: "b", age: 7), count: 9, other: 3))
    }
    #expect(page == Page(profile: Page.Profile(name: "b", age: 7), count: 9))
  }

  @Test func `an undo is kept, of the whole and of a part`() async throws {
    let whole = History<Page>(limit: 9)
    let (page, _) = try await kept(middleware: [whole]) { store in
      store.dispatch(PageAction.name("a"))
      store.dispatch(PageAction.name("b"))
      try await store.settled()
      whole.jump(to: 1)
    }
    #expect(page.profile.name == "a")
    let part = History<Page>(\.profile, limit: 9)
    let (other, state) = try await kept(middleware: [part]) { store in
      store.dispatch(PageAction.name("a"))
      store.dispatch(PageAction.name("b"))
      try await store.settled()
      part.undo()
    }
    #expect(state.profile.name == "a" && other.profile == state.profile)
  }

  @Test func `what is registered later is kept from then on`() async throws {
    let memory = MemoryStorage()
    let disk = try Persistence<Page>(in: memory, writing: .eachCommit) { Kept(\.other) }
    let store = Store<Page>(initialState: Page(), coverage: .partial, middleware: [disk])
    struct Raise: Action {}
    let mutator = Mutator(\Page.other) { (other: inout Int, _: Raise) in other += 1 }
    for _ in 0..<2 {
      try store.register(mutator)
      store.dispatch(Raise())
      store.unregister(\.other)
    }
    try await disk.close()
    let next = try Persistence<Page>(in: memory) { Kept(\.other) }
    #expect(Store(initialState: Page(), coverage: .partial, middleware: [next]).other == 2)
  }

  @Test func `a part that no commit touches is not written, however the store came and went`()
    async throws
  {
    for (isNew, isReleased) in [(true, false), (true, true), (false, false), (false, true)] {
      let memory = MemoryStorage()
      // The second process restores what the first one has kept.
      for run in 1...2 {
        let disk = try Persistence<Page>(in: memory, writing: .eachCommit) {
          Kept(\.profile)
          Kept(\.other)
        }
        var store: Store<Page>? = try Store(
          initialState: Page(), coverage: .partial, middleware: isNew ? [disk] : []
        ) {
          Mutator(\.profile) { (profile: inout Page.Profile, action: PageAction) in
            if case .name(let name) = action { profile.name = name }
          }
          Mutator(\.other) { (other: inout Int, action: OtherAction) in other += action.number }
          Mutator(\.count) { (count: inout Int, _: CountAction) in count += 1 }
        }
        let attached = isNew ? nil : try store?.attach(disk)
        for _ in 0..<3 {
          store?.dispatch(CountAction.add(1))
          store?.dispatch(OtherAction(number: 1))
          try await disk.sync()
        }
        store?.dispatch(OtherAction(number: 1))
        if isReleased { store = nil }
        try await disk.close()
        let text = memory.files.values.map { String(decoding: $0, as: UTF8.self) }.joined()
        #expect(
          text.contains("other") && !text.contains("profile"), "\(isNew), \(isReleased), \(run)")
        withExtendedLifetime((store, attached)) {}
      }
      let next = try Persistence<Page>(in: memory) { Kept(\.other) }
      #expect(Store(initialState: Page(), coverage: .partial, middleware: [next]).other == 8)
    }
  }

  @Test func `what is committed once it was detached is kept with all parts, or with none`()
    async throws
  {
    func open(_ storage: some PersistenceStorage) throws -> Persistence<Page> {
      try Persistence(in: storage, writing: .eachCommit) {
        Kept(\.profile)
        Kept(\.other)
      }
    }
    let faulty = FaultyStorage()
    let disk = try open(faulty)
    let store = try Store(initialState: Page(), coverage: .partial) {
      Mutator(\.profile) { (profile: inout Page.Profile, action: PageAction) in
        if case .name(let name) = action { profile.name = name }
      }
      Mutator(\.other) { (other: inout Int, action: OtherAction) in other = action.number }
    }
    let attached = try store.attach(disk)
    faulty.hold()
    store.dispatch(PageAction.name("first"))
    await faulty.waitUntilHeld()
    // It waits until the disk has taken the first one.
    store.dispatch(PageAction.name("second"))
    attached.cancel()
    store.dispatch([PageAction.name("third"), OtherAction(number: 3)] as [any Action])
    faulty.release()
    try await disk.close()
    let next = try open(MemoryStorage(faulty.files))
    let page = Store(initialState: Page(), coverage: .partial, middleware: [next]).state
    #expect(["second", "third"].contains(page.profile.name))
    #expect((page.profile.name == "third") == (page.other == 3))
  }
}
