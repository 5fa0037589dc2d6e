import Lensed
import LensedTestSupport
import LensedTesting
import Observation
import Testing

/// Random actions on a state whose type contains itself, against a plain function: few ids, identities that change, parts
/// that come and go from the very beginning, and observers that nothing but a closure holds.
@Suite("A self-similar state agrees with a plain function", .timeLimit(.minutes(30)))
struct SelfSimilarModelTests {
  struct Folder: Sendable, Identifiable, Equatable {
    var id: Int
    var size = 0
    var folders: Entities<Folder> = []
    var byKey: [Int: Folder] = [:]
  }
  struct Grow: Action {}
  struct Name: Action { let id: Int }
  struct Put: Action {
    let folder: Folder
    let isKeyed: Bool
  }
  struct Remove: Action {
    let id: Int
    let isKeyed: Bool
  }

  enum Part: CaseIterable { case id, size, folders, byKey }

  /// The feature of one part; of the folders in it there are features `depth` levels deep.
  private static func feature(_ part: Part, _ depth: Int) -> Feature<Folder> {
    Feature {
      switch part {
      case .id: Mutator(\.id) { (id: inout Int, name: Name) in id = name.id }
      case .size: Mutator(\.size) { (size: inout Int, _: Grow) in size += 1 }
      case .folders:
        Mutator(\.folders) { (folders: inout Entities<Folder>, put: Put) in
          if !put.isKeyed { folders.upsert(put.folder) }
        }
        .on(Remove.self) { folders, remove in
          if !remove.isKeyed { folders.remove(id: remove.id) }
        }
        if depth > 0 { whole(depth - 1).identified().lifted(\.folders) }
      case .byKey:
        Mutator(\.byKey) { (folders: inout [Int: Folder], put: Put) in
          if put.isKeyed { folders[put.folder.id] = put.folder }
        }
        .on(Remove.self) { folders, remove in
          if remove.isKeyed { folders[remove.id] = nil }
        }
        if depth > 0 { whole(depth - 1).keyed().lifted(\.byKey) }
      }
    }
  }

  private static func whole(_ depth: Int) -> Feature<Folder> {
    Feature { for part in Part.allCases { feature(part, depth) } }
  }

  // MARK: The plain function

  indirect enum Step: Sendable {
    case grow
    case name(Int)
    case put(Folder, isKeyed: Bool)
    case remove(Int, isKeyed: Bool)
    case element(Int, Step)

    static func random(_ generator: inout SeededGenerator, _ depth: Int = 2) -> Step {
      func id() -> Int { Int.random(in: 1...3, using: &generator) }
      if depth > 0, Int.random(in: 0..<3, using: &generator) > 0 {
        return .element(id(), random(&generator, depth - 1))
      }
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: return .name(id())
      case 1: return .remove(id(), isKeyed: Bool.random(using: &generator))
      case 2, 3:
        let folder = Folder(
          id: id(), size: Int.random(in: 0..<2, using: &generator),
          folders: Bool.random(using: &generator) ? [] : [Folder(id: id())])
        return .put(folder, isKeyed: Bool.random(using: &generator))
      default: return .grow
      }
    }

    var action: any Action {
      switch self {
      case .grow: Grow()
      case .name(let id): Name(id: id)
      case .put(let folder, let isKeyed): Put(folder: folder, isKeyed: isKeyed)
      case .remove(let id, let isKeyed): Remove(id: id, isKeyed: isKeyed)
      case .element(let id, let inner): Self.element(id, inner.action)
      }
    }

    private static func element(_ id: Int, _ action: some Action) -> any Action {
      ElementAction(id: id, action: action)
    }
  }

  private static func apply(_ step: Step, to folder: inout Folder, _ parts: Set<Part>) {
    switch step {
    case .grow: if parts.contains(.size) { folder.size += 1 }
    case .name(let id): if parts.contains(.id) { folder.id = id }
    case .put(let new, isKeyed: true):
      if parts.contains(.byKey) { folder.byKey[new.id] = new }
    case .put(let new, isKeyed: false):
      if parts.contains(.folders) { folder.folders.upsert(new) }
    case .remove(let id, isKeyed: true):
      if parts.contains(.byKey) { folder.byKey[id] = nil }
    case .remove(let id, isKeyed: false):
      if parts.contains(.folders) { folder.folders.remove(id: id) }
    case .element(let id, let inner):
      let all = Set(Part.allCases)
      if parts.contains(.folders), var row = folder.folders[id: id] {
        apply(inner, to: &row, all)
        folder.folders[id: id] = row
      }
      if parts.contains(.byKey), var row = folder.byKey[id] {
        apply(inner, to: &row, all)
        folder.byKey[id] = row
      }
    }
  }

  // MARK: The store

  /// A store, the parts that it has, and what the state should be.
  private struct Scene {
    let store: Store<Folder>
    var parts: Set<Part> = []
    var model = Folder(
      id: 0, folders: [Folder(id: 1), Folder(id: 2)], byKey: [1: Folder(id: 1)])

    init() throws {
      store = try Store(initialState: model, coverage: .partial, onWarning: { _ in }) {}
    }

    mutating func toggle(_ part: Part) throws {
      if parts.remove(part) == nil {
        parts.insert(part)
        try store.register(feature(part, 2))
        return
      }
      switch part {
      case .id: store.unregister(\.id)
      case .size: store.unregister(\.size)
      case .folders: store.unregister(\.folders)
      case .byKey: store.unregister(\.byKey)
      }
    }

    mutating func apply(_ steps: [Step]) {
      for step in steps { SelfSimilarModelTests.apply(step, to: &model, parts) }
    }

    /// Some parts come or go, with more of them at the beginning.
    mutating func toggle(_ generator: inout SeededGenerator, isFirst: Bool) throws {
      for part in Part.allCases
      where Int.random(in: 0..<8, using: &generator) < (isFirst ? 6 : 1) { try toggle(part) }
    }
  }

  /// An observer of a row, and the values that it is to be given.
  private struct Observer {
    let heard = Recorder<Folder?>()
    let read: (Folder) -> Folder?
    var expected: [Folder?]
    /// Nothing else holds the subscription, or the scope that it is of.
    let hold: @Sendable () -> Void

    init(_ scene: Scene, _ generator: inout SeededGenerator) {
      let (heard, id) = (heard, Int.random(in: 1...3, using: &generator))
      let isKeyed = Bool.random(using: &generator)
      read = { isKeyed ? $0.byKey[id] : $0.folders[id: id] }
      expected = [read(scene.model)]
      let source: any StateObserving<Folder> =
        Bool.random(using: &generator) ? scene.store : scene.store.scope(\.self)
      let subscription = Self.subscribe(to: source, isKeyed, id, heard)
      hold = { withExtendedLifetime(subscription) {} }
    }

    private static func subscribe(
      to source: some StateObserving<Folder>, _ isKeyed: Bool, _ id: Int,
      _ heard: Recorder<Folder?>
    ) -> StoreSubscription {
      isKeyed
        ? source.states(\.byKey, id: id).subscribe { heard.append($0) }
        : source.states(\.folders, id: id).subscribe { heard.append($0) }
    }

    mutating func note(_ state: Folder) {
      let value = read(state)
      if expected.last != value { expected.append(value) }
    }
  }

  private static func check(
    _ difference: EntitiesDifference<Int>, _ new: [Folder], _ old: [Folder], _ place: String
  ) {
    let former = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0) })
    let ids = Set(new.map(\.id))
    let edited = new.filter { row in former[row.id].map { $0 != row } ?? false }.map(\.id)
    #expect(Set(difference.edited) == Set(edited), "\(place)")
    #expect(
      Set(difference.inserted) == ids.filter { former[$0] == nil }, "\(place)")
    #expect(
      Set(difference.removed) == Set(former.keys).subtracting(ids), "\(place)")
  }

  @Test func `in its state, its differences, and what observers of its rows are given`()
    async throws
  {
    for seed in 1...UInt64(15 * VerificationLength.factor) {
      var generator = SeededGenerator(seed: seed)
      var scene = try Scene()
      try scene.toggle(&generator, isFirst: true)
      var observers: [Observer] = []
      for round in 0..<12 {
        let place: Comment = "seed \(seed), round \(round)"
        if Bool.random(using: &generator) { observers.append(Observer(scene, &generator)) }
        if observers.count > 4 { observers.removeFirst() }
        let rows = try #require(scene.store.scope(\.self) as ScopedStore<Folder>?)
        let inner = rows.scope(\.folders, id: 1)
        var outerChanges = rows.changes(keepingPrevious: true).makeAsyncIterator()
        var innerChanges = inner?.changes(keepingPrevious: true).makeAsyncIterator()
        let steps = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
          Step.random(&generator)
        }
        scene.store.dispatch(steps.map(\.action))
        scene.apply(steps)
        try #require(scene.store.state == scene.model, "\(place): \(steps) \(scene.parts)")
        let change = try #require(await outerChanges.next())
        Self.check(
          change.difference(of: \.folders), Array(scene.model.folders),
          Array(try #require(change.previous).folders), "\(place)")
        if scene.model.folders[id: 1] != nil, let change = await innerChanges?.next() {
          let former = try #require(change.previous)
          #expect(change.state == scene.model.folders[id: 1], place)
          Self.check(
            change.difference(of: \.folders), Array(change.state.folders), Array(former.folders),
            "\(place), in row 1")
        }
        for index in observers.indices {
          observers[index].note(scene.model)
          #expect(observers[index].heard.values == observers[index].expected, place)
          observers[index].hold()
        }
        try scene.toggle(&generator, isFirst: false)
      }
    }
  }

  /// A view that reads through children which nothing holds is rendered again when what it showed differs.
  @Test @MainActor func `in what a view shows of children that nothing holds`() throws {
    for seed in 1...UInt64(10 * VerificationLength.factor) {
      var generator = SeededGenerator(seed: seed)
      var scene = try Scene()
      try scene.toggle(&generator, isFirst: true)
      let observed = ObservedStore(scene.store)
      let renders = Counter()
      @MainActor func body() -> [Int?] {
        (1...3).flatMap { id -> [Int?] in
          let row = observed.scope(\.folders, id: id)
          return [row?.size, row?.scope(\.folders, id: 1)?.size, row?.folders.count]
        }
      }
      func shown(in state: Folder) -> [Int?] {
        (1...3).flatMap { id -> [Int?] in
          let row = state.folders[id: id]
          return [row?.size, row?.folders[id: 1]?.size, row?.folders.count]
        }
      }
      for round in 0..<12 {
        let before = withObservationTracking(body) { _ = renders.increment() }
        #expect(before == shown(in: scene.model), "seed \(seed), round \(round)")
        let count = renders.value
        let step = Step.random(&generator)
        observed.dispatch([step.action])
        scene.apply([step])
        try #require(scene.store.state == scene.model, "seed \(seed), round \(round): \(step)")
        if shown(in: scene.model) != before {
          #expect(renders.value > count, "seed \(seed), round \(round): \(step)")
        }
        try scene.toggle(&generator, isFirst: false)
      }
    }
  }
}
