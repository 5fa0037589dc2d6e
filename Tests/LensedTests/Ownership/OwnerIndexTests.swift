import LensedTestSupport
import Testing

@testable import Lensed

@Suite("OwnerIndex: the few that a new part may overlap")
struct OwnerIndexTests {
  /// A footprint with bytes, with a path, with both, with neither, or of the whole.
  private static func footprint(_ random: inout SeededGenerator) -> Footprint {
    let names = ["a", "b", "c", "d"]
    let depth = Int.random(in: 0...3, using: &random)
    let path: [String]? =
      Int.random(in: 0..<6, using: &random) == 0
      ? nil : (0..<depth).map { _ in names.randomElement(using: &random) ?? "a" }
    let start = Int.random(in: 0..<64, using: &random)
    let bytes: Range<Int>? =
      Bool.random(using: &random) ? nil : start..<(start + Int.random(in: 0...9, using: &random))
    return Footprint(path: path, bytes: bytes, typeName: "Int")
  }

  @Test(arguments: UInt64(1)...40)
  func `nothing that shares something is left out, and the order is that of adding`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var index = OwnerIndex()
    var known: [Owner] = []
    for _ in 0..<120 {
      let next = Self.footprint(&random)
      let sharing = known.map(\.footprint).filter { $0.overlap(with: next) != .none }
      let near = index.near(next).map(\.footprint)
      #expect(near.filter { $0.overlap(with: next) != .none } == sharing, "seed \(seed)")
      let owner = Owner(footprint: next, cases: [])
      index.insert(owner)
      known.append(owner)
      if Int.random(in: 0..<4, using: &random) == 0, let old = known.randomElement(using: &random) {
        index.remove(old)
        known.removeAll { $0.identity == old.identity }
      }
    }
  }

  @Test(arguments: UInt64(1)...40)
  func `each pair of parts that share something is named, in the order of the parts`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let footprints = (0..<30).map { _ in Self.footprint(&random) }
    var faults: [RegistrationError.Fault] = []
    for (number, two) in footprints.enumerated() {
      for one in footprints[..<number] {
        let fault: RegistrationError.Fault? =
          switch one.overlap(with: two) {
          case .none: nil
          case .same: .twoReducers(property: one.name)
          case .partial: .overlap(property: one.name, other: two.name)
          case .unknown:
            one.isUndecided && two.isUndecided ? .indistinctLenses(valueType: "Int") : nil
          }
        if let fault, !faults.contains(fault) { faults.append(fault) }
      }
    }
    let found = OwnershipCheck(coverage: .partial)
      .faults(adding: footprints.map { Owner(footprint: $0, cases: []) })
    #expect(found.map(\.fault) == faults, "seed \(seed)")
  }

  @Test func `a part among a thousand with other names is compared with none of them`() {
    var index = OwnerIndex()
    for number in 0..<1_000 {
      let part = Footprint(
        path: ["part\(number)"], bytes: number * 8..<number * 8 + 8, typeName: "Int")
      index.insert(Owner(footprint: part, cases: []))
    }
    #expect(
      index.near(Footprint(path: ["other"], bytes: 8_000..<8_008, typeName: "Int")).isEmpty)
    #expect(index.near(Footprint(path: ["part7"], bytes: nil, typeName: "Int")).count == 1)
    #expect(index.near(Footprint(path: ["other"], bytes: 60..<70, typeName: "Int")).count == 2)
    #expect(index.near(Footprint(path: ["part7"], bytes: 0..<8, typeName: "Int")).count == 1)
    #expect(index.near(Footprint(path: [], bytes: 0..<8_000, typeName: "App")).count == 1_000)
  }
}
