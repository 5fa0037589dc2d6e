import Lensed
import LensedTestSupport
import Testing

/// Ways of one kind, gone by one type after the other.
@Suite(
  "A zoo of types: what arrives is what was sent, and all of it is released", .warnsOnPurpose,
  .timeLimit(.minutes(30)))
struct ZooTests {
  @Test(arguments: Zoo.kinds)
  func `actions arrive whole by every way of dispatching`(kind: ZooKind) async throws {
    func walk<S: Specimen>(_: S.Type) async throws {
      try await Visit<S>.walk(Visit<S>.dispatching, seeds: VerificationLength.zooSeeds)
    }
    try await walk(kind.type)
  }

  @Test(arguments: Zoo.kinds)
  func `parts are written whole by every kind of reducer`(kind: ZooKind) async throws {
    func walk<S: Specimen>(_: S.Type) async throws {
      try await Visit<S>.walk(Visit<S>.reducing, seeds: VerificationLength.zooSeeds)
    }
    try await walk(kind.type)
  }

  @Test(arguments: Zoo.kinds)
  func `effects and middleware are given whole values`(kind: ZooKind) async throws {
    func walk<S: Specimen>(_: S.Type) async throws {
      try await Visit<S>.walk(Visit<S>.acting, seeds: VerificationLength.zooSeeds)
    }
    try await walk(kind.type)
  }

  @Test(arguments: Zoo.kinds)
  func `readers, histories and views see whole values`(kind: ZooKind) async throws {
    func walk<S: Specimen>(_: S.Type) async throws {
      try await Visit<S>.walk(Visit<S>.observing, seeds: VerificationLength.zooSeeds)
    }
    try await walk(kind.type)
  }

  @Test(arguments: Zoo.kinds)
  func `the condition of a whenChanged effect has the state before at hand`(
    kind: ZooKind
  ) async throws {
    func walk<S: Specimen>(_: S.Type) async throws {
      try await Visit<S>.walk(Visit<S>.comparing, seeds: VerificationLength.zooSeeds)
    }
    try await walk(kind.type)
  }

  @Test func `the zoo has the sizes that it is said to have`() {
    let sizes = [
      MemoryLayout<Bytes0>.size, MemoryLayout<Bytes1>.size, MemoryLayout<Bytes8>.size,
      MemoryLayout<Bytes24>.size, MemoryLayout<Bytes25>.size, MemoryLayout<Bytes32>.size,
      MemoryLayout<Bytes40>.size, MemoryLayout<Bytes4096>.size,
    ]
    #expect(sizes == [0, 1, 8, 24, 25, 32, 40, 4_096])
    #expect(MemoryLayout<Vector>.alignment > MemoryLayout<Int>.alignment)
  }
}
