import Testing

@testable import Lensed

@Suite("SmallList: an array that needs no memory for one")
struct InlineListTests {
  @Test(arguments: 0..<5)
  func `it means what an array means`(count: Int) {
    let array = Array(0..<count)
    var list = InlineList<Int>()
    for element in array { list.append(element) }
    #expect(list.all == array)
    #expect(list.isEmpty == array.isEmpty)
    #expect(list.map { $0 * 2 }.all == array.map { $0 * 2 })
    var visited: [Int] = []
    list.forEach { visited.append($0) }
    #expect(visited == array)
  }
}
