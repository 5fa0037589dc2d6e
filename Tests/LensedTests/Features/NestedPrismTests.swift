import Lensed
import LensedTestSupport
import Testing

/// One child, reached by several ways: prisms that were appended to each other, or lifts by one after the other.
@Suite(
  "Features of a case in a case, by whatever way they come there", .warnsOnPurpose,
  .timeLimit(.minutes(30)))
struct NestedPrismTests {
  private enum Inner: Sendable, Equatable {
    case leaf(Int)
    case text(String)
  }
  private enum Outer: Sendable, Equatable {
    case inner(Inner)
    case number(Int)
  }
  private struct App: Sendable, Equatable {
    var page = Outer.inner(.leaf(0))
  }

  private static let inner = Prism(Outer.inner) {
    if case .inner(let inner) = $0 { inner } else { nil }
  }
  private static let number = Prism(Outer.number) {
    if case .number(let number) = $0 { number } else { nil }
  }
  private static let leaf = Prism(Inner.leaf) { if case .leaf(let leaf) = $0 { leaf } else { nil } }
  private static let text = Prism(Inner.text) { if case .text(let text) = $0 { text } else { nil } }

  private static func counting() -> Feature<Int> {
    Feature { Mutator(\Int.self) { (count: inout Int, _: CountAction) in count += 1 } }
  }

  /// Lifts a feature of the leaf to the page.
  private enum Way: CaseIterable {
    case appended, lifted, identityInside, identityBetween, identityOutside, identityAppended

    func lift(_ feature: Feature<Int>) -> Feature<Outer> {
      switch self {
      case .appended: feature.matching(inner.appending(leaf))
      case .lifted: feature.matching(leaf).matching(inner)
      case .identityInside:
        feature.matching(Prism<Int, Int>.identity).matching(leaf).matching(inner)
      case .identityBetween:
        feature.matching(leaf).matching(Prism<Inner, Inner>.identity).matching(inner)
      case .identityOutside:
        feature.matching(leaf).matching(inner).matching(Prism<Outer, Outer>.identity)
      case .identityAppended:
        feature.matching(Prism<Outer, Outer>.identity.appending(inner).appending(leaf))
      }
    }
  }

  private func faults(
    @StoreBuilder<App> _ parts: () -> [StorePart<App>]
  ) -> [RegistrationError.Fault] {
    do {
      _ = try Store(initialState: App(), parts: parts)
      return []
    } catch {
      return error.faults
    }
  }

  @Test(arguments: Way.allCases, Way.allCases)
  private func `two of one child are refused`(first: Way, second: Way) {
    let found = faults {
      first.lift(Self.counting()).lifted(\.page)
      second.lift(Self.counting()).lifted(\.page)
    }
    #expect(found == [.twoFeatures(property: "page")])
  }

  @Test(arguments: Way.allCases)
  private func `one of a child, and one of what is in it, are refused`(way: Way) {
    let whole = Feature<Inner> {
      Mutator(\Inner.self) { (inner: inout Inner, _: CountAction) in inner = .text("") }
    }
    let found = faults {
      way.lift(Self.counting()).lifted(\.page)
      whole.matching(Self.inner).lifted(\.page)
    }
    #expect(found == [.twoFeatures(property: "page")])
  }

  @Test func `those of two cases stand beside each other, however deep`() throws {
    let store = try Store(initialState: App()) {
      Self.counting().matching(Self.inner.appending(Self.leaf)).lifted(\.page)
      Self.counting().matching(Self.number).lifted(\.page)
      Feature<String> {
        Mutator(\String.self) { (text: inout String, _: CountAction) in text += "!" }
      }
      .matching(Self.inner.appending(Self.text)).lifted(\.page)
    }
    for page in [Outer.inner(.leaf(0)), .number(0), .inner(.text(""))] {
      store.replaceState(App(page: page))
      store.dispatch(CountAction.add(1))
    }
    #expect(store.page == .inner(.text("!")))
  }

  @Test(arguments: [Way.appended, .lifted, .identityAppended])
  private func `a feature of effects alone is refused that comes there by two ways`(way: Way) {
    let effects = Feature<Int> { Effect(on: CountAction.self) { _, _ -> Void in } }
    for second in [Way.appended, .lifted, .identityAppended] {
      let found = faults {
        Constant(\.page)
        way.lift(effects).lifted(\.page)
        second.lift(effects).lifted(\.page)
      }
      #expect(found.count == 1)
      guard case .doubledFeature? = found.first else {
        Issue.record("\(way), \(second): \(found)")
        continue
      }
    }
  }

  @Test func `a scope of the child knows what is given there, by whatever way it leads there`()
    throws
  {
    struct Settings: Sendable, Equatable { var factor = 3 }
    struct Given: Sendable, Equatable {
      var page = Outer.inner(.leaf(1))
      var settings = Settings()
    }
    let product = Derived(\Int.self, .given(Settings.self)) { $0 * $1.factor }
    let counting = Self.counting()
    let store = try Store(initialState: Given()) {
      counting.matching(Self.leaf).matching(Self.inner).lifted(\.page, giving: \.settings)
      Constant(\.settings)
    }
    let scope = try #require(store.scope(\.page, matching: Self.inner.appending(Self.leaf)))
    #expect(scope[product] == 3)
  }
}
