import LensedTestSupport
import Testing

@testable import Lensed

@Suite("An idle entry of a table of keys is removed, whoever looks at it", .timeLimit(.minutes(30)))
struct KeyedTableTests {
  private final class Entry: KeyedEntry {
    let hash = 1
    var isIdle: Bool { true }
  }

  private let table = KeyedTable<Entry>()

  private func hold() -> Entry {
    table.hold(1, where: { _ in true }, orMake: { _ in Entry() })
  }

  @Test func `by its release, where no other thread looks`() {
    let entry = hold()
    #expect(!table.isEmpty)
    table.release(entry)
    #expect(table.isEmpty)
  }

  @Test func `by a sweep, if it became idle while it was pinned`() {
    let entry = hold()
    let isSweepDue = table.forEach { table.release($0) }
    #expect(isSweepDue)
    #expect(!table.isEmpty)
    withExtendedLifetime(entry) { table.sweep() }
    #expect(table.isEmpty)
  }

  @Test func `by its release, also while another thread inspects the table`() async {
    let isNoneLeft = await Threads.apart { [table] in
      let isOver = Counter()
      let looker = Threads.start { while isOver.value == 0 { table.inspect { _ in } } }
      defer {
        isOver.increment()
        looker.wait()
      }
      return (0..<5_000).allSatisfy { _ in
        table.release(hold())
        return table.isEmpty
      }
    }
    #expect(isNoneLeft)
  }
}
