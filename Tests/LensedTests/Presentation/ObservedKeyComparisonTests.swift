import Lensed
import LensedTestSupport
import Testing

/// Each test runs in a process of its own: accesses that overlap would trap.
@Suite("A key's == may read the observed store that keeps the key", .timeLimit(.minutes(30)))
@MainActor
struct ObservedKeyComparisonTests {
  /// Reads the observed store wherever it is compared; all of them have one hash.
  fileprivate struct Curious: Hashable, Sendable {
    let number: Int
    let read: @Sendable () -> Void

    static func == (left: Curious, right: Curious) -> Bool {
      left.read()
      return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {}
  }

  fileprivate struct Page: Sendable, Equatable {
    var count = 0

    subscript(key: Curious) -> Int { count + key.number }
  }

  nonisolated private static let doubled = Derived(\Page.count) { 2 * $0 }

  @Test func `as key paths with one hash are read, one after another`() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let store = try Store(initialState: Page()) {
        Mutator(\.count) { (count: inout Int, _: CountAction) in count += 1 }
      }
      let observed = ObservedStore(store)
      let compared = Counter()
      let read: @Sendable () -> Void = { [weak observed] in
        compared.increment()
        MainActor.assumeIsolated { _ = observed?[Self.doubled] }
      }
      for number in 0..<20 {
        let key = Curious(number: number, read: read)
        try #require(observed[\.[key]] == number)
      }
      observed.dispatch(CountAction.add(1))
      for number in 0..<20 {
        let key = Curious(number: number, read: read)
        try #require(observed[\.[key]] == number + 1)
      }
      try #require(compared.value > 20)
    }
  }
}
