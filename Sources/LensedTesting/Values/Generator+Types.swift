public import Lensed

extension Generator where Value == Int {
  /// A whole number; every fifth is an end of the range, or zero where that is in it.
  public static func int(in range: ClosedRange<Int>) -> Generator {
    withEnds(of: range) { Int.random(in: range, using: &$0) }
  }
}

extension Generator where Value == Double {
  /// A number; every fifth is an end of the range, or zero where that is in it.
  ///
  /// Of the numbers that are infinite, only an end of the range is made.
  public static func double(in range: ClosedRange<Double>) -> Generator {
    if range.lowerBound == range.upperBound { return always(range.lowerBound) }
    let most = Double.greatestFiniteMagnitude
    let lower = min(max(range.lowerBound, -most), most)
    let upper = min(max(range.upperBound, -most), most)
    // The width of a range around zero can be too large for a number.
    if (upper - lower).isFinite {
      return withEnds(of: range) { Double.random(in: lower...upper, using: &$0) }
    }
    return withEnds(of: range) { random in
      Bool.random(using: &random)
        ? Double.random(in: lower...0, using: &random)
        : Double.random(in: 0...upper, using: &random)
    }
  }
}

extension Generator where Value: Comparable & ExpressibleByIntegerLiteral {
  /// The numbers of a function; every fifth is an end of the range, or zero where that is in it.
  fileprivate static func withEnds(
    of range: ClosedRange<Value>, _ make: @escaping @Sendable (inout SeededGenerator) -> Value
  ) -> Generator {
    let special = [range.lowerBound, range.upperBound] + (range.contains(0) ? [0] : [])
    return Generator { random in
      Int.random(in: 0..<5, using: &random) == 0
        ? special[Int.random(in: special.indices, using: &random)] : make(&random)
    }
  }
}

extension Generator where Value == Bool {
  /// True or false.
  public static var bool: Generator { Generator { Bool.random(using: &$0) } }
}

extension Generator where Value == String {
  /// A text of some characters; without any given, of letters, a space, and what is hard to handle.
  public static func string(
    of characters: String = "abcz Zé🙂\n\"", count: ClosedRange<Int> = 0...8
  ) -> Generator {
    Generator<Character>.one(of: Array(characters)).array(count: count).map { String($0) }
  }
}

extension Generator where Value: Action {
  /// The same actions, as `any Action`.
  public var erased: Generator<any Action> { map { $0 as any Action } }
}

extension Generator where Value == any Action {
  /// An action of one of some generators, each as often as the others.
  ///
  /// Write it as `Generator.any(…)`.
  public static func any<each A: Action>(_ generators: repeat Generator<each A>) -> Generator {
    var all: [Generator] = []
    for generator in repeat each generators { all.append(generator.erased) }
    return Generator<Generator>.one(of: all).flatMap { $0 }
  }
}
