import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// Differences in the scopes of rows whose type contains itself, compared with a comparison of all rows.
@Suite("Differences in self-similar states", .warnsOnPurpose, .timeLimit(.minutes(30)))
struct SelfSimilarDifferenceTests {
  struct Folder: Sendable, Identifiable, Equatable {
    let id: Int
    var size = 0
    var folders: Entities<Folder> = []
    var byKey: [Int: Folder] = [:]
  }
  struct Grow: Action {}
  struct Put: Action {
    let folder: Folder
    let isKeyed: Bool
  }

  private static func feature(_ depth: Int) -> Feature<Folder> {
    Feature<Folder> {
      Constant(\Folder.id)
      Mutator(\Folder.size) { (size: inout Int, _: Grow) in size += 1 }
      Mutator(\Folder.folders) { (folders: inout Entities<Folder>, action: Put) in
        if !action.isKeyed { folders.upsert(action.folder) }
      }
      Mutator(\Folder.byKey) { (folders: inout [Int: Folder], action: Put) in
        if action.isKeyed { folders[action.folder.id] = action.folder }
      }
      if depth > 0 {
        feature(depth - 1).identified().lifted(\Folder.folders)
        feature(depth - 1).keyed().lifted(\Folder.byKey)
      }
    }
  }

  private static func root(_ depth: Int = 2) -> Folder {
    var folder = Folder(id: 0)
    if depth > 0 {
      for id in 1...2 {
        var child = root(depth - 1)
        child = Folder(id: id, folders: child.folders, byKey: child.byKey)
        folder.folders.append(child)
        folder.byKey[id] = child
      }
    }
    return folder
  }

  private static func action(
    _ generator: inout some RandomNumberGenerator, _ depth: Int = 2
  ) -> any Action {
    func element(_ action: some Action) -> any Action {
      ElementAction(id: Int.random(in: 1...3, using: &generator), action: action)
    }
    if depth == 0 || Int.random(in: 0..<3, using: &generator) == 0 {
      let id = Int.random(in: 1...3, using: &generator)
      return Bool.random(using: &generator)
        ? Grow() : Put(folder: Folder(id: id, size: 50), isKeyed: Bool.random(using: &generator))
    }
    return element(action(&generator, depth - 1))
  }

  @Test func `in the scope of a row, name the rows that differ`() async throws {
    for seed in 1...UInt64(20 * VerificationLength.factor) {
      var generator = SeededGenerator(seed: seed)
      let store = try Store(initialState: Self.root(), Self.feature(2))
      let outer = try #require(store.scope(\.folders, id: 1))
      let inner = try #require(outer.scope(\.folders, id: 1))
      var readers = [store.asScope, outer, inner].map {
        $0.changes(keepingPrevious: true).makeAsyncIterator()
      }
      for _ in 0..<10 {
        let count = Int.random(in: 1...3, using: &generator)
        store.dispatch((0..<count).map { _ in Self.action(&generator) })
        for index in readers.indices {
          let change = try #require(await readers[index].next())
          let former = try #require(change.previous)
          Self.check(
            change.difference(of: \.folders), change.state.folders.map { $0 },
            former.folders.map { $0 }, "seed \(seed), reader \(index)")
          Self.check(
            change.difference(of: \.byKey), Array(change.state.byKey.values),
            Array(former.byKey.values), "seed \(seed), reader \(index), by key")
        }
      }
    }
  }

  private static func check(
    _ difference: EntitiesDifference<Int>, _ new: [Folder], _ old: [Folder], _ place: String
  ) {
    let former = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0) })
    let edited = new.filter { row in former[row.id].map { $0 != row } ?? false }.map(\.id)
    let inserted = new.filter { former[$0.id] == nil }.map(\.id)
    #expect(Set(difference.edited) == Set(edited), "\(place)")
    #expect(Set(difference.inserted) == Set(inserted), "\(place)")
  }
}
