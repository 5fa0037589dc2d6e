import Lensed
import LensedTestSupport
import Observation
import Testing

/// What the guide for those who come from observable classes shows, word for word.
@MainActor
@Suite("Contract: the code of the guide from @Observable", .timeLimit(.minutes(30)))
struct ComingFromObservableTests {
  protocol Library: Sendable {
    func titles(_ query: String) async throws -> [String]
  }
  private struct Shelf: Library {
    func titles(_ query: String) async throws -> [String] { ["Dune"] }
  }

  // GUIDE: The feature
  struct Search: Sendable, Equatable {
    var query = ""
    var titles: [String] = []
    var isBusy = false
  }
  struct QueryTyped: Action { let text: String }
  struct Found: Action { let titles: [String] }

  func search<C: Clock<Duration>>(_ library: any Library, _ clock: C) -> Feature<Search> {
    Feature {
      Mutator(\.query) { (query: inout String, action: QueryTyped) in query = action.text }
      Mutator(\.titles) { (titles: inout [String], found: Found) in titles = found.titles }
      Mutator(\.isBusy) { (isBusy: inout Bool, _: QueryTyped) in isBusy = true }
        .on(Found.self) { isBusy, _ in isBusy = false }
      Effect(on: QueryTyped.self, .latest) { typed, _ in
        Found(titles: (try? await library.titles(typed.text)) ?? [])
      }
      .debounced(for: .milliseconds(300), clock: clock)
    }
  }
  // GUIDE: end

  @Test(.warnsOnPurpose) func `a view reads and writes`() throws {
    let (library, clock) = (Shelf(), ManualClock())
    // GUIDE: The view
    let store = ObservedStore(try Store(initialState: Search(), search(library, clock)))
    store.set(\.query, to: "du", as: QueryTyped.init)
    #expect(store.query == "du")
    #expect(store.isBusy)
    // GUIDE: end
  }

  @Test func `its test takes no time`() async throws {
    let library = Shelf()
    // GUIDE: Its test
    let clock = ManualClock()
    let test = try TestStore(initialState: Search(), search(library, clock))
    await test.dispatch(QueryTyped(text: "du")) {
      $0.query = "du"
      $0.isBusy = true
    }
    await clock.advance(by: .milliseconds(300))
    await test.receive(Found.self) {
      $0.titles = ["Dune"]
      $0.isBusy = false
    }
    await test.finish()
    // GUIDE: end
  }

  // GUIDE: Both in one app
  @MainActor @Observable
  final class LibraryModel {
    var isShelfOpen = false  // stays here
    @ObservationIgnored private let store: ObservedStore<Search>

    init(_ store: ObservedStore<Search>) { self.store = store }

    var titles: [String] { store.titles }
    var query: String {
      get { store.query }
      set { store.set(\.query, to: newValue, as: QueryTyped.init) }
    }
  }
  // GUIDE: end

  @Test(.warnsOnPurpose) func `a model keeps its face, and its readers are notified`() throws {
    let clock = ManualClock()
    let store = try Store(initialState: Search(), search(Shelf(), clock))
    let model = LibraryModel(ObservedStore(store))
    let (typed, opened) = (Recorder<Bool>(), Recorder<Bool>())
    withObservationTracking {
      _ = model.query
    } onChange: {
      typed.append(true)
    }
    withObservationTracking {
      _ = (model.isShelfOpen, model.titles)
    } onChange: {
      opened.append(true)
    }
    model.query = "du"
    #expect(model.query == "du")
    #expect(store.query == "du")
    #expect(typed.count == 1)
    #expect(opened.count == 0, "titles are another part")
    model.isShelfOpen = true
    #expect(opened.count == 1)
  }

  @Test func `the guide shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 4)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "ComingFromObservable") == marked)
  }
}
