import LensedTestSupport
import LensedTesting
import Testing

@Suite(.timeLimit(.minutes(30)))
struct `A generator of numbers at their ends` {
  @Test(arguments: [
    0...Double.infinity, -Double.infinity...0, -Double.infinity...Double.infinity,
    -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude,
    Double.infinity...Double.infinity, -Double.infinity...(-Double.infinity), 1.5...1.5,
  ]) func `makes numbers of any range`(range: ClosedRange<Double>) {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<100 {
      let number = Generator.double(in: range).next(&random)
      #expect(range.contains(number))
    }
  }

  @Test(arguments: [Int.min...Int.max, 0...0, Int.max...Int.max])
  func `makes whole numbers of any range`(range: ClosedRange<Int>) {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<100 { #expect(range.contains(Generator.int(in: range).next(&random))) }
  }

  @Test func `traps with a sentence for an array of fewer than no elements`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Generator.bool.array(count: -2...2)
    }
    #expect(result?.message.contains("Lensed: a generator of arrays with -2...2") == true)
  }

  @Test func `traps with a sentence for a text of fewer than no characters`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Generator.string(count: Int.min...0)
    }
    #expect(result?.message.contains(" elements. No array has fewer than 0 elements.") == true)
  }

  @Test func `traps with a sentence for weights without a sum`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Generator<Int>.weighted((.max, .always(1)), (.max, .always(2)))
    }
    #expect(
      result?.message.contains(
        "Lensed: the weights of a generator add up to more than `Int.max`. Make them smaller.")
        == true)
  }

  @Test func `takes a weight of any size that has a sum`() {
    var random = SeededGenerator(seed: 1)
    let generator = Generator<Int>.weighted(
      (.min, .always(1)), (.max, .always(2)), (0, .always(3)))
    for _ in 0..<20 { #expect(generator.next(&random) == 2) }
  }
}
