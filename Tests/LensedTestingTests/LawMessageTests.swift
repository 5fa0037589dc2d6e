import Lensed
import LensedTesting
import LensedTestSupport
import Testing

/// The laws that only a strange value breaks.
@Suite struct `Each law can be broken` {
  private final class Key: Sendable, Hashable {
    let number: Int
    /// What the others of its kind count as.
    let mask: Counter

    init(_ number: Int, _ mask: Counter) { (self.number, self.mask) = (number, mask) }

    private var value: Int { mask.value == 0 ? number : 0 }
    static func == (left: Key, right: Key) -> Bool { left.value == right.value }
    /// All alike, so that the place in a table does not depend on the seed of the process.
    func hash(into hasher: inout Hasher) {}
  }

  private struct Row: Identifiable, Sendable, Equatable, CustomStringConvertible {
    let id: Key
    var title = ""
    var description: String { "row \(id.number)" }
  }

  @Test func `an id whose equality changes`() async {
    let mask = Counter()
    let rows: Entities<Row> = [
      Row(id: Key(1, mask), title: "a"), Row(id: Key(2, mask), title: "b"),
    ]
    mask.increment()
    let heard = await issues { expectLawful([rows]) }
    #expect(
      heard == [
        """
        Entities of Row breaks a law: each id is there once.
          entities: [row 1, row 2]
          result: expected 2, is 1
        """,
        """
        Entities of Row breaks a law: an element that is removed and put back changes nothing.
          entities: [row 1, row 2]
          element: row 1
          result: expected [row 1, row 2], is [row 2]
        """,
        """
        Entities of Row breaks a law: an id leads to the place of its element.
          entities: [row 1, row 2]
          element: row 2
          result: expected 1, is 0
        """,
        """
        Entities of Row breaks a law: an id leads to its element.
          entities: [row 1, row 2]
          element: row 2
          title: expected "b", is "a"
        """,
      ])
  }

  @Test func `an element that equals nothing`() async {
    struct Odd: Identifiable, Sendable, Equatable, CustomStringConvertible {
      let id: Int
      var description: String { "odd \(id)" }
      static func == (left: Odd, right: Odd) -> Bool { false }
    }
    let rows: Entities<Odd> = [Odd(id: 1)]
    let heard = await issues { expectLawful([rows]) }
    #expect(
      heard == [
        """
        Entities of Odd breaks a law: an element that is removed and put back changes nothing.
          entities: [odd 1]
          element: odd 1
          result: expected [odd 1], is another one that prints alike
        """
      ])
  }

  @Test func `a lens that writes another thing each time`() async {
    let calls = Counter()
    let lens = Lens<Desk, Int>(
      name: "count", get: { $0.count },
      set: { desk, count in
        calls.increment()
        return Desk(count: count, title: desk.title, notes: [calls.value])
      })
    let heard = await issues { expectLawful(lens, over: [Desk()], writing: [1]) }
    #expect(
      heard == [
        """
        The lens `count` breaks a law: writing what was read changes nothing.
          root: LensedTestSupport.Desk(count: 0, title: "", notes: [])
          notes: expected [], is [1]
        """,
        """
        The lens `count` breaks a law: editing in place does what reading and writing does.
          root: LensedTestSupport.Desk(count: 0, title: "", notes: [])
          written: 0
          notes: expected [2], is [3]
        """,
        """
        The lens `count` breaks a law: of two writes the last one counts.
          root: LensedTestSupport.Desk(count: 0, title: "", notes: [])
          written: 0
          then written: 0
          notes: expected [4], is [5]
        """,
      ])
  }

  @Test func `a prism that edits something else`() async {
    let prism = Prism<Int?, Int>(
      embed: { $0 }, extract: { $0 },
      modify: { root, edit in
        var value = (root ?? 0) + 1
        edit(&value)
        root = value + 1
      })
    let heard = await issues { expectLawful(prism, over: [nil, 3], embedding: [5]) }
    #expect(
      heard == [
        """
        The prism from Optional<Int> to Int breaks a law: editing leaves a root alone from which nothing is extracted.
          root: nil
          written: 3
          result: expected nil, is Optional(4)
        """,
        """
        The prism from Optional<Int> to Int breaks a law: editing does what embedding does.
          root: Optional(3)
          written: 3
          result: expected 3, is 4
        """,
      ])
  }
}
