import Lensed
import LensedTestSupport
import Testing

@Suite("A derived value that comes out equal again and again is reported", .timeLimit(.minutes(30)))
struct DerivedWarningTests {
  private static func makeStore(_ warnings: Recorder<StoreWarning>) throws -> Store<Desk> {
    try Store(initialState: Desk(), onWarning: { warnings.append($0) }) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
    }
  }

  @Test func `after eight times in a row, once, with its place`() throws {
    let warnings = Recorder<StoreWarning>()
    let store = try Self.makeStore(warnings)
    let (sign, line) = (Derived(\Desk.count) { $0 >= 0 }, #line)
    let half = Derived(\Desk.count) { $0 / 2 }
    for step in 0..<30 {
      _ = (store[sign], store[half])
      // The first computation has nothing to be equal to.
      #expect(warnings.count == (step < 8 ? 0 : 1))
      store.dispatch(CountAction.add(1))
    }
    #expect(warnings.values.map(\.kind) == [.uselessDerived])
    #expect(
      warnings.last?.description
        == "Lensed: the derived `Bool` made at \(#fileID):\(line) was computed eight "
        + "times in a row and came out equal each time. Derive it from a smaller part of the state, or "
        + "from a derived value that changes less often.")
  }

  @Test func `not if another is derived from it, which it spares`() throws {
    let warnings = Recorder<StoreWarning>()
    let store = try Self.makeStore(warnings)
    let computed = Recorder<Bool>()
    let sign = Derived(\Desk.count) { $0 >= 0 }
    let mark = Derived(sign) { sign in
      computed.append(sign)
      return sign ? "+" : "-"
    }
    for _ in 0..<30 {
      _ = store[mark]
      store.dispatch(CountAction.add(1))
    }
    #expect(computed.values == [true])
    #expect(warnings.count == 0)
  }

  @Test func `not if it changes once in a while`() throws {
    let warnings = Recorder<StoreWarning>()
    let store = try Self.makeStore(warnings)
    let eighth = Derived(\Desk.count) { $0 / 8 }
    for _ in 0..<60 {
      _ = store[eighth]
      store.dispatch(CountAction.add(1))
    }
    #expect(warnings.count == 0)
  }
}
