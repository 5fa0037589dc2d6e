import Lensed
import LensedTestSupport
import Testing

@Suite("The difference of two states", .timeLimit(.minutes(30)))
struct StateDifferenceTests {
  private enum Cover: Sendable, Equatable { case plain(HiddenText) }

  private struct Letter: Sendable, Equatable {
    var pages = 1
    var text = HiddenText("a")
    var lines = Array(repeating: HiddenText("a"), count: 20)
    var notes = Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, HiddenText("a")) })
    var cover: Cover? = .plain(HiddenText("a"))
    var readings = Array(repeating: Double.nan, count: 20)
  }

  private func places(
    _ old: Any, _ new: Any, limit: Int = 100,
    where isWanted: @escaping ([String]) -> Bool = { _ in true }
  ) -> [String] {
    StateDifference.entries(from: old, to: new, limit: limit, where: isWanted).map(\.place)
  }

  private func changed(_ change: (inout Letter) -> Void) -> Letter {
    var letter = Letter()
    change(&letter)
    return letter
  }

  @Test func `shows an unequal value whose fields look alike`() {
    let entries = StateDifference.entries(
      from: Letter(), to: changed { $0.text = HiddenText("b") }, limit: 100)
    #expect(entries.map(\.place) == ["text"])
    #expect(entries.first?.line.hasSuffix(" → another one that prints alike") == true)
    #expect(places(HiddenText("a"), HiddenText("b")) == [""])
  }

  @Test func `shows such a value at its place in an array, a dictionary and an optional enum`() {
    #expect(places(Letter(), changed { $0.lines[17] = HiddenText("b") }) == ["lines[17]"])
    #expect(places(Letter(), changed { $0.notes[3] = HiddenText("b") }) == ["notes[3]"])
    let covers = places(Letter(), changed { $0.cover = .plain(HiddenText("b")) })
    #expect(covers.count == 1)
    #expect(covers.first?.hasPrefix("cover") == true)
  }

  @Test func `shows a change once, and not again for the value it lies in`() {
    let new = changed {
      $0.pages = 2
      $0.text = HiddenText("b")
    }
    #expect(places(Letter(), new) == ["pages", "text"])
    #expect(places(Letter(), new, limit: 0) == ["pages"])
  }

  @Test func `takes equal values, and numbers that are none, for no change`() {
    #expect(places(Letter(), Letter()) == [])
    #expect(places([Letter(), Letter()], [Letter(), Letter()]) == [])
    #expect(places(Letter(), changed { $0.readings = $0.readings.map { $0 + 1 } }) == [])
  }

  @Test func `counts only what is wanted`() {
    let old = Array(repeating: 0, count: 300)
    let new = Array(repeating: 1, count: 300)
    let wanted = places(old, new, limit: 5) { $0.isEmpty || $0 == ["[299]"] }
    #expect(wanted == ["[299]"])
  }

  @Test func `shows nothing of a value that differs only where it is not wanted`() {
    let new = changed {
      $0.text = HiddenText("b")
      $0.lines.append(HiddenText("b"))
    }
    #expect(places(Letter(), new) { $0.isEmpty || $0.first == "pages" } == [])
    #expect(places(Letter(), new) { $0.isEmpty || $0.first == "text" } == ["text"])
  }
}
