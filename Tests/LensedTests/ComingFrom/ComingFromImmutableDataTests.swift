import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// What the guide for those who come from ImmutableData shows, word for word.
@Suite("Contract: the code of the guide from ImmutableData", .timeLimit(.minutes(30)))
struct ComingFromImmutableDataTests {
  // GUIDE: The feature
  struct Animal: Sendable, Equatable, Identifiable {
    let id: Int
    var name: String
  }
  struct Animals: Sendable {
    var all: Entities<Animal> = []
    var isLoading = false

    static let byName = Derived.sorted(\Animals.all, by: \.name)
  }
  struct AnimalsShown: Action {}
  struct AnimalsLoaded: Action { let animals: [Animal] }
  struct LoadingEnded: Action {}
  struct AnimalRenamed: Action { let name: String }

  let animal = Feature<Animal> {
    Constant(\.id)
    Mutator(\.name) { (name: inout String, renamed: AnimalRenamed) in name = renamed.name }
  }
  func animals(_ load: @escaping @Sendable () async throws -> [Animal]) -> Feature<Animals> {
    let animal = animal
    return Feature {
      Mutator(\.all) { (all: inout Entities<Animal>, loaded: AnimalsLoaded) in
        all.upsert(contentsOf: loaded.animals)
      }
      Mutator(\.isLoading) { (isLoading: inout Bool, _: AnimalsShown) in isLoading = true }
        .on(LoadingEnded.self) { isLoading, _ in isLoading = false }
      Effect(on: AnimalsShown.self, .first) { _, _ in AnimalsLoaded(animals: try await load()) }
        .ended { _, _ in LoadingEnded() }
      animal.identified().lifted(\.all)
    }
  }
  // GUIDE: end

  @Test func `a list is loaded, derived from and edited row by row`() async throws {
    // GUIDE: Use
    let store = try Store(
      initialState: Animals(),
      animals { [Animal(id: 1, name: "Cat"), Animal(id: 2, name: "Ant")] })
    try await store.dispatch(AnimalsShown()).finish()
    store.dispatch(AnimalRenamed(name: "Dog").element(1))
    let names = store[Animals.byName].map(\.name)  // ["Ant", "Dog"]
    // GUIDE: end
    #expect(names == ["Ant", "Dog"])
  }

  @Test func `the root reducer runs as it is`() throws {
    // GUIDE: The old reducer
    enum OldAction: Action { case renamed(id: Int, String) }
    struct Unknown: Error {}

    @Sendable func reduce(state: Animals, action: OldAction) throws -> Animals {
      var state = state
      switch action {
      case .renamed(let id, let name):
        guard state.all.contains(id: id) else { throw Unknown() }
        state.all[id: id]?.name = name
      }
      return state
    }
    let old = try Store(initialState: Animals(all: [Animal(id: 1, name: "Cat")])) {
      Mutator(
        lens: Lens<Animals, Animals>.identity,
        reducer: Reducer { (state: inout Animals, action: OldAction) in
          if let next = try? reduce(state: state, action: action) { state = next }
        })
    }
    old.dispatch(OldAction.renamed(id: 1, "Dog"))
    // GUIDE: end
    #expect(old.all.map(\.name) == ["Dog"])
  }

  @Test func `the guide shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 3)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "ComingFromImmutableData") == marked)
  }
}
