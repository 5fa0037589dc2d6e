import LensedTestSupport
import Testing

@testable import Lensed

@Suite("Ring: a queue over one buffer")
struct RingBufferTests {
  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func `it gives what an array gives, whatever the order of calls`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var ring = RingBuffer<Int>()
    var model: [Int] = []
    for step in 0..<4_000 {
      // Long stretches that grow and long stretches that shrink, so that the head goes round.
      if Int.random(in: 0..<10, using: &random) < (step / 400 % 2 == 0 ? 7 : 3) {
        ring.append(step)
        model.append(step)
      } else if Int.random(in: 0..<4, using: &random) == 0 {
        let (expected, popped) = (model.popLast(), ring.popLast())
        #expect(popped == expected, "seed \(seed), step \(step)")
      } else {
        let expected = model.isEmpty ? nil : model.removeFirst()
        let popped = ring.popFirst()
        #expect(popped == expected, "seed \(seed), step \(step)")
      }
      let place = Int.random(in: -1...model.count, using: &random)
      let edited = ring.edit(place) { value in
        defer { value &+= 1 }
        return value
      }
      #expect(edited == (model.indices.contains(place) ? model[place] : nil), "step \(step)")
      if model.indices.contains(place) { model[place] &+= 1 }
      #expect(ring.count == model.count, "seed \(seed), step \(step)")
      #expect(ring.isEmpty == model.isEmpty, "seed \(seed), step \(step)")
      #expect(ring.first == model.first, "seed \(seed), step \(step)")
    }
  }

  @Test func `growing keeps the order when the head stands in the middle`() {
    var ring = RingBuffer<Int>()
    for value in 0..<4 { ring.append(value) }
    let early = [ring.popFirst(), ring.popFirst()]
    #expect(early == [0, 1])
    for value in 4..<20 { ring.append(value) }
    var rest: [Int] = []
    while let value = ring.popFirst() { rest.append(value) }
    #expect(rest == Array(2..<20))
  }

  @Test func `the buffer is reused while the queue stays within its largest size`() {
    var ring = RingBuffer<Int>()
    for value in 0..<8 { ring.append(value) }
    let size = ring.buffer.count
    for value in 8..<10_000 {
      _ = ring.popFirst()
      ring.append(value)
    }
    #expect(ring.buffer.count == size)
    #expect(ring.first == 9_992)
  }

  @Test(arguments: [1, 7, 1_000, 100_000])
  func `a burst that is over gives its memory back`(size: Int) {
    var ring = RingBuffer<Int>()
    for _ in 0..<3 {
      for value in 0..<size { ring.append(value) }
      while ring.popFirst() != nil {}
      #expect(ring.buffer.count <= RingBuffer<Int>.lasting)
    }
    for value in 0..<size { ring.append(value) }
    while ring.count > 10 { _ = ring.popFirst() }
    #expect(ring.buffer.count <= Swift.max(RingBuffer<Int>.lasting, 64), "a few are left")
    #expect(ring.first == Swift.max(0, size - 10))
  }

  @Test func `what waits at times stays at its size, and a big element keeps room for a few`() {
    var ring = RingBuffer<Int>()
    for value in 0..<100 { ring.append(value) }
    let size = ring.buffer.count
    for _ in 0..<100 {
      while ring.popFirst() != nil {}
      #expect(ring.buffer.count == size)
      for value in 0..<100 { ring.append(value) }
      #expect(ring.buffer.count == size)
    }
    #expect(RingBuffer<WideState>.lasting == 4)
  }

  @Test func `growing and giving back copy few elements for each that passes`() {
    var (ring, moved, size) = (RingBuffer<Int>(), 0, 0)
    var random = SeededGenerator(seed: 5)
    let (steps, most) = (200_000, 30_000)
    for step in 0..<steps {
      let rises = step / 20_000 % 2 == 0
      if Int.random(in: 0..<10, using: &random) < (rises ? 8 : 2), ring.count < most {
        ring.append(step)
      } else {
        _ = ring.popFirst()
      }
      if ring.buffer.count != size {
        moved += ring.count
        size = ring.buffer.count
      }
    }
    #expect(moved < steps)
  }

  @Test func `a popped element is let go`() {
    var ring = RingBuffer<AnyObject>()
    var token: Token? = Token()
    weak let seen = token
    if let token { ring.append(token) }
    token = nil
    #expect(seen != nil)
    _ = ring.popFirst()
    #expect(seen == nil)
  }

  private final class Token {}
}
