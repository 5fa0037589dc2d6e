import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// What the article `Streams` shows, word for word: between the marks stand the very lines of its code.
@Suite("Contract: the code of the article Streams", .timeLimit(.minutes(30)))
struct StreamsGuideTests {
  // GUIDE: The app
  struct AppState: Sendable, Equatable {
    var query = ""
    var titles: [String] = []
    var progress = 0.0
  }
  struct Typed: Action { let text: String }
  struct Found: Action { let titles: [String] }
  struct Progress: Action { let part: Double }
  // GUIDE: end

  private func makeStore(_ state: AppState = AppState()) throws -> Store<AppState> {
    try Store(initialState: state) {
      Mutator(\.query) { (query: inout String, action: Typed) in query = action.text }
      Mutator(\.titles) { (titles: inout [String], action: Found) in titles = action.titles }
      Mutator(\.progress) { (progress: inout Double, action: Progress) in
        progress = action.part
      }
    }
  }

  @Test func `a reader sees the current value, and then newer ones`() async throws {
    let store = try makeStore()
    let shown = Recorder<[String]>()
    @Sendable func show(_ titles: [String]) {
      shown.append(titles)
      store.dispatch([Progress(part: 0.5)])
      store.dispatch(Found(titles: titles + ["Dune"]))
    }

    // GUIDE: A part
    for await titles in store.states(\.titles) {
      show(titles)
      if titles.count == 2 { break }
    }
    // GUIDE: end

    #expect(shown.values == [[], ["Dune"], ["Dune", "Dune"]])
  }

  @Test func `a subscription is called before dispatch returns`() throws {
    let store = try makeStore()
    let counts = Recorder<Int>()

    // GUIDE: Callbacks
    let subscription = store.states(\.titles).map(\.count).subscribe { count in
      counts.append(count)
    }
    store.dispatch(Found(titles: ["Dune"]))
    subscription.cancel()
    // GUIDE: end

    store.dispatch(Found(titles: []))
    #expect(counts.values == [0, 1])
  }

  @MainActor @Test func `a subscription on the main actor is kept in a set`() async throws {
    let store = try makeStore(AppState(titles: ["Dune"]))
    let shown = Gate()
    @Sendable func show(_ titles: [String]) { if titles == ["Dune"] { shown.open() } }

    // GUIDE: On the main actor
    var subscriptions: Set<StoreSubscription> = []
    store.states(\.titles).subscribe(onMain: { titles in show(titles) }).keep(in: &subscriptions)
    // GUIDE: end

    try await shown.wait()
    #expect(subscriptions.count == 1)
  }

  @Test func `operators are put together`() async throws {
    let store = try makeStore()
    let clock = ManualClock()

    // GUIDE: Operators
    let heading = store.states(\.query)
      .combineLatest(store.states(\.titles)) { query, titles in "\(query): \(titles.count)" }
      .removeDuplicates()
    let long = store.states(\.query).filter { $0.count > 2 }
    let first = store.states.select(\.titles.first)
    // GUIDE: end
    // GUIDE: A clock
    let typed = store.states(\.query).debounce(for: .milliseconds(300), clock: clock)
    // GUIDE: end

    let (headings, longs, firsts) = (Recorder<String>(), Recorder<String>(), Recorder<String?>())
    let subscriptions = [
      heading.subscribe { headings.append($0) }, long.subscribe { longs.append($0) },
      first.subscribe { firsts.append($0) },
    ]
    store.dispatch([Typed(text: "Dune"), Found(titles: ["Dune I"])] as [any Action])
    store.dispatch(Progress(part: 1))
    #expect(headings.values == [": 0", "Dune: 1"])
    #expect(longs.values == ["Dune"])
    #expect(firsts.values == [nil, "Dune I"])
    subscriptions.forEach { $0.cancel() }

    let reader = Task {
      for await query in typed { return query }
      return ""
    }
    await clock.waitForSleeps(1)
    clock.move(by: .milliseconds(300))
    #expect(await reader.value == "Dune")
  }

  @Test func `a reader of changes writes each commit down`() async throws {
    var store: Store<AppState>! = try makeStore()
    let journal = Recorder<String>()
    // GUIDE: A reader of changes
    var reader = store.changes(buffering: .bounded(100, dropping: .oldest)).makeAsyncIterator()
    // GUIDE: end
    store.dispatch(Typed(text: "Dune"))
    store.replaceState(AppState())
    store.dispatch(Progress(part: 1))
    store = nil  // what is buffered is delivered before the end
    // GUIDE: Changes
    while let change = await reader.next() {
      let types = change.actions.map { "\(type(of: $0))" }
      let what = types.isEmpty ? "restored" : types.joined(separator: ", ")
      journal.append("#\(change.revision) \(what)")
      if change.droppedCount > 0 { journal.append("\(change.droppedCount) are missing") }
    }
    // GUIDE: end

    #expect(journal.values == ["#1 Typed", "#2 restored", "#3 Progress"])
  }

  @MainActor @Test func `what happened is shown once each time`() async throws {
    let store = try makeStore()
    let (shown, isShown) = (Recorder<String>(), Gate())
    @Sendable func alert(_ text: String) {
      shown.append(text)
      if shown.count == 2 { isShown.open() }
    }
    // GUIDE: Shown once
    let alerts = store.changes(buffering: .bounded(100, dropping: .oldest)).subscribe(onMain: {
      change in
      for case let found as Found in change.actions where found.titles.isEmpty {
        alert("Nothing was found.")
      }
    })
    // GUIDE: end
    store.dispatch(Found(titles: ["Dune"]))
    store.dispatch(Found(titles: []))
    store.dispatch(Found(titles: []))
    try await isShown.wait()
    #expect(shown.values == ["Nothing was found.", "Nothing was found."])
    alerts.cancel()
  }

  @Test func `the article shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 9)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "Streams") == marked)
  }
}
