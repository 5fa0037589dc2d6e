import Lensed
import LensedTestSupport
import Testing

/// An enum whose payloads prisms lead to.
private enum Weather: Equatable, Sendable {
  case dry
  case rain([Int])
  case storm(Storm)
}

private enum Storm: Equatable, Sendable {
  case thunder([Int])
  case hail(Int)
}

private struct BuiltPrism<Root, Value>: Sendable, CustomStringConvertible {
  let way: String
  let prism: Prism<Root, Value>

  var description: String { way }
}

extension Weather {
  static let storm = Prism<Weather, Storm>(
    embed: Weather.storm, extract: { if case .storm(let storm) = $0 { storm } else { nil } })

  /// Takes the payload out while it is edited, so that nothing else refers to it.
  static let stormInPlace = Prism<Weather, Storm>(
    embed: Weather.storm, extract: { if case .storm(let storm) = $0 { storm } else { nil } },
    modify: { weather, edit in
      guard case .storm(var storm) = weather else { return }
      weather = .dry
      edit(&storm)
      weather = .storm(storm)
    })

  static let rain = Prism<Weather, [Int]>(
    embed: Weather.rain, extract: { if case .rain(let drops) = $0 { drops } else { nil } })

  static let rainInPlace = Prism<Weather, [Int]>(
    embed: Weather.rain, extract: { if case .rain(let drops) = $0 { drops } else { nil } },
    modify: { weather, edit in
      guard case .rain(var drops) = weather else { return }
      weather = .dry
      edit(&drops)
      weather = .rain(drops)
    })

  static func random(using generator: inout SeededGenerator) -> Weather {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: .dry
    case 1: .rain(.random(using: &generator))
    case 2: .storm(.thunder(.random(using: &generator)))
    default: .storm(.hail(Int.random(in: 0..<9, using: &generator)))
    }
  }
}

extension Weather {
  fileprivate var drops: [Int]? { if case .rain(let drops) = self { drops } else { nil } }
}

extension Storm {
  static let thunder = Prism<Storm, [Int]>(
    embed: Storm.thunder, extract: { if case .thunder(let bolts) = $0 { bolts } else { nil } })

  static let thunderInPlace = Prism<Storm, [Int]>(
    embed: Storm.thunder, extract: { if case .thunder(let bolts) = $0 { bolts } else { nil } },
    modify: { storm, edit in
      guard case .thunder(var bolts) = storm else { return }
      storm = .hail(0)
      edit(&bolts)
      storm = .thunder(bolts)
    })
}

@Suite("Prism laws")
struct PrismTests {
  private static let built: [BuiltPrism<Weather, [Int]>] = [
    BuiltPrism(way: "plain", prism: Weather.rain),
    BuiltPrism(way: "modify", prism: Weather.rainInPlace),
    BuiltPrism(way: "plain + plain", prism: Weather.storm.appending(Storm.thunder)),
    BuiltPrism(way: "plain + modify", prism: Weather.storm.appending(Storm.thunderInPlace)),
    BuiltPrism(way: "modify + plain", prism: Weather.stormInPlace.appending(Storm.thunder)),
    BuiltPrism(way: "modify + modify", prism: Weather.stormInPlace.appending(Storm.thunderInPlace)),
    BuiltPrism(way: "identity + plain", prism: Prism.identity.appending(Weather.rain)),
    BuiltPrism(way: "plain + identity", prism: Weather.rain.appending(.identity)),
  ]

  @Test(arguments: Self.built)
  private func `what was embedded is what is extracted`(_ built: BuiltPrism<Weather, [Int]>) {
    for seed: UInt64 in 0..<50 {
      var generator = SeededGenerator(seed: seed)
      let part = [Int].random(using: &generator)
      let root = built.prism.embed(part)
      #expect(built.prism.extract(root) == part, "\(built), seed \(seed)")
    }
  }

  @Test(arguments: Self.built)
  private func `embedding what was extracted gives the root back`(
    _ built: BuiltPrism<Weather, [Int]>
  ) {
    var matches = 0
    for seed: UInt64 in 0..<50 {
      var generator = SeededGenerator(seed: seed)
      let root = Weather.random(using: &generator)
      guard let part = built.prism.extract(root) else { continue }
      matches += 1
      #expect(built.prism.embed(part) == root, "\(built), seed \(seed)")
    }
    #expect(matches > 0)
  }

  @Test(arguments: Self.built)
  private func `modify agrees with extract and embed, and runs only on a match`(
    _ built: BuiltPrism<Weather, [Int]>
  ) {
    for seed: UInt64 in 0..<50 {
      var generator = SeededGenerator(seed: seed)
      let root = Weather.random(using: &generator)
      let part = built.prism.extract(root)
      var edited = root
      let seen = built.prism.modify(&edited) { part in
        defer { part.append(7) }
        return part
      }
      let expected = part.map { built.prism.embed($0 + [7]) } ?? root
      #expect(seen == part, "\(built), seed \(seed)")
      #expect(edited == expected, "\(built), seed \(seed)")
    }
  }

  @Test func `a case and a property of its payload make a prism`() {
    let rain = Prism(Weather.rain, \.drops)
    #expect(rain.extract(.rain([1])) == [1])
    #expect(rain.extract(.dry) == nil)
    #expect(rain.embed([2]) == .rain([2]))
  }

  @Test func `a prism that does not match gives nil`() {
    #expect(Weather.rain.extract(.dry) == nil)
    #expect(Weather.storm.appending(Storm.thunder).extract(.rain([1])) == nil)
    #expect(Weather.storm.appending(Storm.thunder).extract(.storm(.hail(1))) == nil)
  }

  @Test func `the identity always matches`() {
    var weather = Weather.dry
    #expect(Prism<Weather, Weather>.identity.extract(.dry) == .dry)
    #expect(Prism<Weather, Weather>.identity.embed(.rain([1])) == .rain([1]))
    #expect(Prism<Weather, Weather>.identity.modify(&weather) { $0 = .rain([2]) } != nil)
    #expect(weather == .rain([2]))
  }
}

@Suite("Prism: payloads edited in place")
struct PrismPlaceTests {
  @Test func `modify: does not copy the payload, alone or appended`() {
    var rain = Weather.rain(Array(0..<1000).map { $0 + 1 })
    let before = rain.payloadAddress
    Weather.rainInPlace.modify(&rain) { $0[0] = -1 }
    #expect(rain.payloadAddress == before)
    #expect(Weather.rain.extract(rain)?.first == -1)

    var storm = Weather.storm(.thunder(Array(0..<1000).map { $0 + 1 }))
    let stormBefore = storm.payloadAddress
    Weather.stormInPlace.appending(Storm.thunderInPlace).modify(&storm) { $0[0] = -1 }
    #expect(storm.payloadAddress == stormBefore)
  }
}

extension Weather {
  /// Where the elements of the payload lie.
  fileprivate var payloadAddress: UInt? {
    switch self {
    case .rain(let drops): drops.address
    case .storm(.thunder(let bolts)): bolts.address
    case .dry, .storm(.hail): nil
    }
  }
}
