import Lensed
import LensedTestSupport
import Testing

@Suite("What a feature pays for its actions in its own terms", .timeLimit(.minutes(30)))
struct FeatureActionCostTests {
  private struct Item: Sendable, Equatable { var count = 0 }
  private struct App: Sendable, Equatable { var item = Item() }
  private enum Left {}
  private enum Right {}

  /// The allocations of a dispatch that an effect looks at which never begins.
  private static func cost(_ effect: Effect<Item>, isTagged: Bool) throws -> UInt64 {
    let count = Mutator(\Item.count) { (count: inout Int, _: ClearAction) in count = 0 }
    let feature = Feature<Item> {
      count
      effect
    }
    let whole = Lens(\App.item)
    let lifted =
      isTagged
      ? feature.tagged(Left.self).lifted(whole).tagged(Right.self) : feature.lifted(whole)
    let store = try Store(initialState: App()) { lifted }
    let action = ClearAction()
    return isTagged
      ? allocations { store.dispatch(action.tagged(Left.self).tagged(Right.self)) }
      : allocations { store.dispatch(action) }
  }

  /// Each commit makes the change for its value, and nobody reads the action.
  @Test(.enabled(if: countsAllocations))
  func `nothing for an effect of a changed value that does not read the action`() async {
    await #expect(processExitsWith: .success) {
      func effect() -> Effect<Item> { Effect<Item>(whenChanged: { _ in 0 }) { _, _ in } }
      let tagged = try FeatureActionCostTests.cost(effect(), isTagged: true)
      let plain = try FeatureActionCostTests.cost(effect(), isTagged: false)
      #expect(tagged == plain)
    }
  }

  @Test(.enabled(if: countsAllocations))
  func `nothing for a condition that does not read it`() async {
    await #expect(processExitsWith: .success) {
      let (values, asked) = (Counter(), Counter())
      func effect() -> Effect<Item> {
        Effect<Item>(
          // Another one after each commit, so that the condition is asked.
          whenChanged: { _ in
            values.increment()
            return values.value
          },
          when: { _, change in
            asked.increment()
            return change.state.count > 0
          }
        ) { _, _ in }
      }
      let tagged = try FeatureActionCostTests.cost(effect(), isTagged: true)
      let plain = try FeatureActionCostTests.cost(effect(), isTagged: false)
      #expect(tagged == plain)
      #expect(asked.value == 440)
    }
  }

  @Test(.enabled(if: countsAllocations))
  func `what is read is translated, and paid for then`() async {
    await #expect(processExitsWith: .success) {
      let own = Counter()
      func effect(_ isRead: Bool) -> Effect<Item> {
        Effect<Item>(
          on: ClearAction.self,
          when: { _, change in
            if isRead, change.action is ClearAction { own.increment() }
            return false
          }
        ) { _, _ in }
      }
      _ = try FeatureActionCostTests.cost(effect(false), isTagged: true)
      #expect(own.value == 0)
      _ = try FeatureActionCostTests.cost(effect(true), isTagged: true)
      #expect(own.value == 220)
    }
  }
}
