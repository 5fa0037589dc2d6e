import LensedTestSupport
import Testing

@testable import Lensed

@Suite("Roster: members by the numbers of their seats")
struct SlotMapTests {
  @Test(arguments: [1, 20, 300] as [UInt64])
  func `it holds what a dictionary by seat holds`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (roster, model, most) = (SlotMap<Int>(), [Int: Int](), 0)
    for step in 0..<1_000 {
      if Bool.random(using: &random) {
        let seat = roster.reserve()
        #expect(model[seat] == nil, "seed \(seed), step \(step)")
        roster.fill(seat, with: step)
        model[seat] = step
        most = max(most, model.count)
        #expect(seat < most, "a seat that was left is taken again: seed \(seed), step \(step)")
      } else if let seat = model.keys.sorted().randomElement(using: &random) {
        #expect(roster.vacate(seat) == model.removeValue(forKey: seat))
      }
      #expect(roster.members.sorted() == model.values.sorted(), "seed \(seed), step \(step)")
    }
  }

  @Test func `who has left, or was never there, leaves nothing`() {
    var roster = SlotMap<String>()
    let seat = roster.reserve()
    roster.fill(seat, with: "a")
    #expect(roster.vacate(seat) == "a")
    #expect(roster.vacate(seat) == nil)
    #expect(roster.vacate(7) == nil)
    #expect(roster.members == [])
  }
}
