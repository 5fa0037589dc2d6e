import LensedTestSupport
import Testing

@testable import Lensed

@Suite struct `An id whose type is erased` {
  /// A class of ids, and one below it.
  class Base: Hashable, @unchecked Sendable {
    let number: Int

    init(_ number: Int) { self.number = number }

    static func == (left: Base, right: Base) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }
  final class Below: Base, @unchecked Sendable {}

  /// Pairs of ids, of which each equals the other one of its pair, and no other.
  private static let pairs: [[AnyID]] = [
    [AnyID(7), AnyID(7)], [AnyID(8), AnyID(8)], [AnyID(7 as Int8), AnyID(7 as Int8)],
    [AnyID(7 as UInt), AnyID(7 as UInt)], [AnyID(7.0), AnyID(7.0)],
    [AnyID(Optional(7)), AnyID(Optional(7))], [AnyID(Optional(Optional(7))), AnyID(7 as Int??)],
    [AnyID(nil as Int?), AnyID(nil as Int?)], [AnyID(nil as String?), AnyID(nil as String?)],
    [AnyID(.some(nil) as Int??), AnyID(.some(nil) as Int??)],
    [AnyID([] as [Int]), AnyID([] as [Int])], [AnyID([] as [String]), AnyID([] as [String])],
    [AnyID([7]), AnyID([7])], [AnyID([Optional(7)]), AnyID([Optional(7)])],
    [AnyID([] as Set<Int>), AnyID([] as Set<Int>)],
    [AnyID([:] as [Int: Int]), AnyID([:] as [Int: Int])],
    [AnyID([:] as [Int: String]), AnyID([:] as [Int: String])],
    [AnyID("7"), AnyID("7")], [AnyID("7" as Substring), AnyID("7" as Substring)],
    [AnyID("7" as Character), AnyID("7" as Character)], [AnyID(true), AnyID(true)],
    [AnyID(Below(7)), AnyID(Below(7))],
  ]

  @Test func `equals an id of the same type and value, and no other`() {
    for (index, pair) in Self.pairs.enumerated() {
      for (other, candidates) in Self.pairs.enumerated() {
        for (left, right) in zip(pair, candidates.reversed()) {
          #expect((left == right) == (index == other), "\(left) \(right), \(index) \(other)")
        }
      }
    }
  }

  @Test func `is hashed as its equals are`() {
    let all = Self.pairs.flatMap(\.self)
    for left in all {
      for right in all where left == right { #expect(left.hashValue == right.hashValue) }
    }
    #expect(Set(all).count == Self.pairs.count)
  }

  @Test func `of a class is that of the type it was given as`() {
    let (below, base): (Base, Base) = (Below(7), Base(7))
    #expect(AnyID(below) == AnyID(base))
  }
}
