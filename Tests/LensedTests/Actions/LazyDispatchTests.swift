import Lensed
import LensedTestSupport
import Testing

@Suite("A lazy sequence of actions")
struct LazyDispatchTests {
  @Test func `is dispatched where it compiles`() throws {
    let store = try Desk.makeStore()
    let numbers = [1, 2, 3]
    store.dispatch(numbers.lazy.map { CountAction.add($0) })
    #expect(store.count == 6)
    store.dispatch(numbers.lazy.filter { $0 > 1 }.map { CountAction.add($0) })
    #expect(store.count == 11)
    store.dispatch(Set(numbers).lazy.map { CountAction.add($0) })
    #expect(store.count == 17)
  }
}
