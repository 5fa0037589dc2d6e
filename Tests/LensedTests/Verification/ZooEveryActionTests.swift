import Lensed
import LensedTestSupport
import Testing

@Suite("A zoo of types: reducers of every action are given whole actions", .timeLimit(.minutes(30)))
struct ZooEveryActionTests {
  @Test(arguments: Zoo.kinds)
  func `an action of any layout arrives whole in a reducer of every action`(
    kind: ZooKind
  ) async throws {
    func walk<S: Specimen>(_: S.Type) async throws {
      try await Visit<S>.walk(Visit<S>.seeingEvery, seeds: VerificationLength.zooSeeds)
    }
    try await walk(kind.type)
  }
}
