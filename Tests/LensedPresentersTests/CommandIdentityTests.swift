import Lensed
import LensedPresenters
import Testing

@Suite("Command: types first, then values")
struct CommandIdentityTests {
  private class Base: Hashable, @unchecked Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
    static func == (left: Base, right: Base) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }
  private final class Derived: Base, @unchecked Sendable {}

  /// Ids of which no two are of one type and equal.
  private var distinct: [Command] {
    [
      Command([] as [Int]) {}, Command([] as [String]) {}, Command(Set<Int>()) {},
      Command(Set<String>()) {}, Command([:] as [Int: Int]) {}, Command([:] as [String: Int]) {},
      Command(5) {}, Command(5 as Int?) {}, Command(5 as Int??) {}, Command(5 as UInt8) {},
      Command(5.0) {}, Command("5") {}, Command(nil as Int?) {}, Command(nil as String?) {},
      Command(nil as Int??) {}, Command(.some(nil) as Int??) {},
      Command(Base(1)) {}, Command(Derived(1)) {}, Command(Derived(1) as Base?) {},
      Command("e" as Character) {}, Command("e" as Substring) {}, Command("e") {},
      Command(true) {}, Command(1) {}, Command(ObjectIdentifier(Int.self)) {},
    ]
  }

  @Test func `ids of two types are never equal, either way round`() {
    let commands = distinct
    for (index, one) in commands.enumerated() {
      for (other, two) in commands.enumerated() {
        #expect((one == two) == (index == other), "\(index): \(one), \(other): \(two)")
      }
    }
    #expect(Set(commands).count == commands.count)
  }

  @Test func `equal ids have equal hashes`() {
    for (one, two) in zip(distinct, distinct) {
      #expect(one == two)
      #expect(one.hashValue == two.hashValue)
    }
  }

  @Test func `an object seen as its base class is what it is`() {
    let object = Derived(3)
    #expect(Command(object) {} == Command(object as Base) {})
    #expect(Command(object as Base) {} == Command(object) {})
    #expect(Command(object) {}.hashValue == Command(object as Base) {}.hashValue)
  }

  @Test func `the same holds for commands with an input, and what they make`() {
    let (ints, texts) = (
      CommandWith<Int>([] as [Int]) { _ in }, CommandWith<Int>([] as [String]) { _ in }
    )
    #expect(ints != texts)
    #expect(ints.with(1) != texts.with(1))
    #expect(ints.with(1) == CommandWith<Int>([] as [Int]) { _ in }.with(1))
  }
}
