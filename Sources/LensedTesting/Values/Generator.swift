public import Lensed

/// Makes random values, the same ones for the same seed.
///
/// Generators are values that are put together:
///
/// ```swift
/// let number = Generator.int(in: -5...5)
/// let actions = Generator.any(
///   number.map(CounterAction.increase), .always(CounterAction.reset),
///   Generator.string(of: "abc", count: 0...3).map { UserAction.rename($0) })
/// var random = SeededGenerator(seed: 7)
/// actions.next(&random)     // any Action
/// ```
public struct Generator<Value: Sendable>: Sendable {
  private let make: @Sendable (inout SeededGenerator) -> Value

  /// A generator that a function of random numbers makes.
  public init(_ make: @escaping @Sendable (inout SeededGenerator) -> Value) {
    self.make = make
  }

  /// The next value.
  public func next(_ random: inout SeededGenerator) -> Value { make(&random) }

  /// The values of this generator, transformed.
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Other
  ) -> Generator<Other> {
    Generator<Other> { transform(make(&$0)) }
  }

  /// The values of the generators that `transform` makes of the values of this one.
  public func flatMap<Other: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Generator<Other>
  ) -> Generator<Other> {
    Generator<Other> { transform(make(&$0)).next(&$0) }
  }

  /// The pairs of a value of this generator and one of another.
  public func with<Other: Sendable>(_ other: Generator<Other>) -> Generator<(Value, Other)> {
    Generator<(Value, Other)> { (make(&$0), other.next(&$0)) }
  }

  /// An array of values; traps for a count below zero.
  public func array(count: ClosedRange<Int>) -> Generator<[Value]> {
    if count.lowerBound < 0 {
      fatalError(
        "Lensed: a generator of arrays with \(count) elements. No array has fewer than 0 elements.")
    }
    return Generator<[Value]> { random in
      (0..<Int.random(in: count, using: &random)).map { _ in make(&random) }
    }
  }

  /// A value, or nil one time in four.
  public func optional() -> Generator<Value?> {
    Generator<Value?> { random in
      Int.random(in: 0..<4, using: &random) == 0 ? nil : make(&random)
    }
  }
}

extension Generator {
  /// Always the same value.
  public static func always(_ value: Value) -> Generator { Generator { _ in value } }

  /// One of some values, each as often as the others; traps for none.
  public static func one(of values: [Value]) -> Generator {
    if values.isEmpty {
      fatalError("Lensed: a generator of one of no values can make none. Give it some values.")
    }
    return Generator { values[Int.random(in: values.indices, using: &$0)] }
  }

  /// A value of one of some generators, each as often as the others; traps for none.
  public static func choice(_ generators: Generator...) -> Generator {
    Generator<Generator>.one(of: generators).flatMap { $0 }
  }

  /// A value of one of some generators, as often as its weight says.
  ///
  /// A weight below zero counts as zero. It traps without a positive weight, and where the weights add up to more than
  /// `Int.max`.
  public static func weighted(_ generators: (weight: Int, generator: Generator)...) -> Generator {
    let total = generators.reduce(0) { sum, next in
      let (total, isTooLarge) = sum.addingReportingOverflow(max(0, next.weight))
      if isTooLarge {
        fatalError(
          "Lensed: the weights of a generator add up to more than `Int.max`. Make them smaller.")
      }
      return total
    }
    if total == 0 {
      fatalError("Lensed: a weighted generator needs a weight above zero.")
    }
    return Generator { random in
      var rest = Int.random(in: 0..<total, using: &random)
      for (weight, generator) in generators where weight > 0 {
        if rest < weight { return generator.next(&random) }
        rest -= weight
      }
      return generators[0].generator.next(&random)
    }
  }
}

extension Generator where Value: CaseIterable {
  /// One of all cases.
  public static var anyCase: Generator { one(of: Array(Value.allCases)) }
}

// MARK: Of standard types

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

// MARK: Their random numbers

/// Random numbers that a seed repeats to the digit (SplitMix64).
///
/// Name the seed in every failure message, so that the run can be had again.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The numbers that `seed` stands for.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
