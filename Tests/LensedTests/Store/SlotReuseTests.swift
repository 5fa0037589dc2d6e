import LensedTestSupport
import Testing

@testable import Lensed

@Suite("Sub-states that lost their owner are reclaimed", .timeLimit(.minutes(30)))
struct SlotReuseTests {
  private func footprint(_ name: String) -> Footprint {
    Lens<Desk, Int>(name: name, get: { $0.count }, modify: { $1(&$0.count) }).footprint
  }

  @Test func `names that come and go take no more places than there are at once`() throws {
    let store = Store(initialState: Desk(), coverage: .partial)
    for round in 0..<2_000 {
      let lens = Lens<Desk, Int>(
        name: "counter\(round)", get: { $0.count }, modify: { $1(&$0.count) })
      try store.register(
        Mutator(lens: lens, reducer: { (count: inout Int, _: CountAction) in count += 1 }))
      store.dispatch(CountAction.keep)
      #expect(store.unregister(lens))
    }
    #expect(store.count == 2_000)
    let (slots, departed) = store.view.core.withTable { ($0.slots.count, $0.departed.count) }
    #expect(slots == 1)
    #expect(departed <= ObserverTable.rememberedCount)
  }

  @Test(arguments: [1, ObserverTable.rememberedCount, ObserverTable.rememberedCount + 9])
  func `a reader that lags still gets the last value of each`(count: Int) async throws {
    let store = Store(initialState: Desk(), coverage: .partial)
    let lenses = (0..<count).map { number in
      Lens<Desk, Int>(name: "part\(number)", get: { $0.count }, modify: { $1(&$0.count) })
    }
    var readers = lenses.map { store.states($0, repeats: .kept).makeAsyncIterator() }
    for index in readers.indices { #expect(await readers[index].next() == 0) }
    for (number, lens) in lenses.enumerated() {
      try store.register(
        Mutator(
          lens: lens,
          reducer: { (count: inout Int, action: NoteAction) in
            if case .append(let note) = action, note == number { count += 1 }
          }))
      store.dispatch(NoteAction.append(number))
      store.unregister(lens)
    }
    for index in readers.indices { #expect(await readers[index].next() == count) }
  }

  @Test func `who owns a place now is not taken for who owned it before`() {
    var table = ObserverTable(memory: StateStorage(UnsafeCell(Desk())))
    let first = table.addSlot(footprint("first"))
    let epoch = table.epoch(of: first)
    table.removeSlot(first)
    let left = table.epoch(of: first)
    let second = table.addSlot(footprint("second"))
    let next = table.epoch(of: second)
    #expect(first == second)
    #expect(epoch != left && epoch != next)
  }
}
