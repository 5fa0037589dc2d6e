import Lensed
import LensedTestSupport
import Testing

private struct Tick: Action {}
private struct Half: Sendable, Equatable { var count = 0 }
private struct Halves: Sendable, Equatable { var left = Half(), right = Half() }
private struct Holder: Sendable, Equatable { var both = Halves(), other = Half() }
private struct Pair: Sendable, Equatable { var first = Halves(), second = Halves() }
private enum Left {}
private enum Right {}
private enum HalfChoice: Sendable, Equatable {
  case first(Half), second(Half)

  static let ifFirst = Prism(HalfChoice.first) {
    if case .first(let half) = $0 { half } else { nil }
  }
  static let ifSecond = Prism(HalfChoice.second) {
    if case .second(let half) = $0 { half } else { nil }
  }
}

@Suite("A feature that is lifted to two places", .timeLimit(.minutes(30)))
struct SharedFeatureTests {
  private static func feature() -> Feature<Half> {
    Feature { Mutator(\.count) { (count: inout Int, _: Tick) in count += 1 } }
  }

  private static func warnings<State: Sendable>(
    _ state: State, @StoreBuilder<State> _ parts: () -> [StorePart<State>]
  ) throws -> [String] {
    let warnings = Recorder<String>()
    _ = try Store(
      initialState: state, coverage: .partial, onWarning: { warnings.append("\($0)") },
      parts: parts)
    return warnings.values
  }

  @Test func `without a tag, both places are named`() throws {
    let half = Self.feature()
    let warnings = try Self.warnings(Halves()) {
      half.lifted(\.left)
      half.lifted(\.right)
    }
    #expect(
      warnings == [
        "Lensed: one feature was lifted to two parts of the state without a tag, `left`, `right`: both handle "
          + "each of its actions. Tell them apart with `tagged(_:)`, or say that it is meant: "
          + #"`lifted(\.right, sharing: .meant)`."#
      ])
  }

  @Test func `also inside of another feature, and beside one`() throws {
    let half = Self.feature()
    let both = Feature<Halves> {
      half.lifted(Lens(\.left))
      half.lifted(Lens(\.right), sharing: .meant)
    }
    #expect(try Self.warnings(Holder()) { both.lifted(\.both) }.isEmpty)
    let warnings = try Self.warnings(Holder()) {
      both.lifted(\.both)
      half.lifted(\.other)
    }
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("`other`, `both.left`") == true)
  }

  @Test func `of a feature and those inside of it, the outermost alone`() throws {
    let half = Self.feature()
    let whole = Feature<Halves> { half.lifted(\.left) }
    let warnings = try Self.warnings(Pair()) {
      whole.lifted(\.first)
      whole.lifted(\.second)
    }
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("`first`, `second`") == true)
  }

  @Test func `also where the second one is registered later, and no more once the first has left`()
    throws
  {
    let (half, warnings) = (Self.feature(), Recorder<StoreWarning.Kind>())
    let store = try Store(
      initialState: Halves(), coverage: .partial, onWarning: { warnings.append($0.kind) }
    ) { half.lifted(\.left) }
    #expect(store.unregister(\.left.count))
    try store.register(half.lifted(\.right))
    #expect(warnings.values == [])
    try store.register(half.lifted(\.left))
    #expect(warnings.values == [.sharedFeature])
  }

  @Test func `no warning: tags, meaning it, two features, two cases, one without actions`() throws {
    let half = Self.feature()
    #expect(
      try Self.warnings(Halves()) {
        half.tagged(Left.self).lifted(\.left)
        half.lifted(\.right)
      }.isEmpty)
    #expect(
      try Self.warnings(Halves()) {
        half.tagged(Left.self).lifted(\.left)
        half.lifted(\.right).tagged(Right.self)
      }.isEmpty)
    #expect(
      try Self.warnings(Halves()) {
        half.lifted(\.left)
        half.lifted(\.right, sharing: .meant)
      }.isEmpty)
    #expect(
      try Self.warnings(Halves()) {
        Self.feature().lifted(\.left)
        Self.feature().lifted(\.right)
      }.isEmpty)
    #expect(
      try Self.warnings(HalfChoice.first(Half())) {
        half.matching(HalfChoice.ifFirst)
        half.matching(HalfChoice.ifSecond)
      }.isEmpty)
    let quiet = Feature<Half> { Constant(\.count) }
    #expect(
      try Self.warnings(Halves()) {
        quiet.lifted(\.left)
        quiet.lifted(\.right)
      }.isEmpty)
  }
}
