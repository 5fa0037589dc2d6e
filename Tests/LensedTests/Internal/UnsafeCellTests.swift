import LensedTestSupport
import Testing

@testable import Lensed

@Suite("UnsafeCell: a value in an object, at an address that stays")
struct UnsafeCellTests {
  /// Writes through the value and reads through the address, and the other way round.
  private static func exercise<Value: Equatable>(_ first: Value, _ second: Value) {
    let cells = (0..<16).map { _ in UnsafeCell(first) }
    for cell in cells {
      let address = cell.place
      #expect(address.bits % UInt(MemoryLayout<Value>.alignment) == 0)
      #expect(address.read(Value.self) == first)
      cell.value = second
      #expect(address.read(Value.self) == second)
      address.write(first)
      #expect(cell.value == first)
      #expect(cell.place.bits == address.bits)
    }
  }

  private static func exercise(whateverTypeItIs first: some Equatable, _ second: any Equatable) {
    func known<Value: Equatable>(_ first: Value) {
      if let second = second as? Value { exercise(first, second) }
    }
    known(first)
  }

  @Test func `of every alignment`() {
    Self.exercise(UInt8(1), 2)
    Self.exercise(Int32(1), 2)
    Self.exercise("a", "b")
    Self.exercise([1], [2])
    Self.exercise(SIMD4<Float>(repeating: 1), SIMD4(repeating: 2))
    Self.exercise(SIMD8<Double>(repeating: 1), SIMD8(repeating: 2))
    Self.exercise(SIMD16<Double>(repeating: 1), SIMD16(repeating: 2))
    Self.exercise(Int?.none, 1)
  }

  @Test func `where the compiler does not know the type`() {
    let values: [(any Equatable, any Equatable)] = [
      (UInt8(1), UInt8(2)), ("a", "b"), (Desk(count: 1), Desk(count: 2)),
      (SIMD4<Float>(repeating: 1), SIMD4<Float>(repeating: 2)),
      (SIMD16<Double>(repeating: 1), SIMD16<Double>(repeating: 2)),
    ]
    for (first, second) in values { Self.exercise(whateverTypeItIs: first, second) }
  }

  @Test func `it releases its value once, when it goes or is given another`() {
    let live = LiveCount()
    var cell: UnsafeCell<[LiveCount.Token]>? = UnsafeCell([live.token(), live.token()])
    #expect(live.value == 2)
    cell?.value.append(live.token())
    #expect(live.value == 3)
    cell?.value = [live.token()]
    #expect(live.value == 1)
    cell = nil
    #expect(live.value == 0)
  }
}
