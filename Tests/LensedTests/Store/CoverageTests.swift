import Lensed
import LensedTestSupport
import Testing

@Suite("Coverage: complete means every stored property that reflection shows")
struct CoverageTests {
  private func missing<State: Sendable>(
    in state: State, @StoreBuilder<State> _ parts: () -> [StorePart<State>]
  ) -> [String] {
    do {
      _ = try Store(initialState: state, parts: parts)
      return []
    } catch {
      return error.faults.map { fault in
        if case .noReducer(let property) = fault { property } else { "\(fault)" }
      }
    }
  }

  private static func zero<State>(_ lens: Lens<State, Int>) -> Mutator<State, Int> {
    Mutator(lens: lens) { (number: inout Int, _: ClearAction) in number = 0 }
  }

  @Test func `a let is a property too`() {
    struct Fixed: Sendable {
      let version = 1
      var count = 0
    }
    #expect(missing(in: Fixed()) { Self.zero(Lens(\.count)) } == ["version"])
    #expect(
      missing(in: Fixed()) {
        Self.zero(Lens(\.count))
        Constant(\.version)
      } == [])
  }

  @Test func `a computed property is none`() {
    #expect(
      missing(in: Desk()) {
        Desk.countMutator
        Desk.titleMutator
        Desk.notesMutator
      } == [])
  }

  @Test func `a property of no size needs no reducer and conflicts with none`() throws {
    struct Mark: Sendable {}
    struct Marked: Sendable {
      var before = Mark()
      var count = 0
      var after = Mark()
    }
    #expect(missing(in: Marked()) { Self.zero(Lens(\.count)) } == [])
    let store = try Store(initialState: Marked()) {
      Self.zero(Lens(\.count))
      Mutator(\.before) { (_: inout Mark, _: ClearAction) in }
      Mutator(\.after) { (_: inout Mark, _: ClearAction) in }
    }
    store.dispatch(ClearAction())
    #expect(store.count == 0)
  }

  @Test func `nested mutators that together cover a struct cover it`() {
    struct Inner: Sendable {
      var left = 0
      var right = 0
    }
    struct Outer: Sendable {
      var inner = Inner()
      var other = 0
    }
    #expect(
      missing(in: Outer()) {
        Self.zero(Lens(\.inner.left))
        Self.zero(Lens(\.inner.right))
        Self.zero(Lens(\.other))
      } == [])
    #expect(
      missing(in: Outer()) {
        Self.zero(Lens(\.inner.left))
        Self.zero(Lens(\.other))
      } == ["inner.right"])
    #expect(
      missing(in: Outer()) {
        Self.zero(Lens(\Outer.inner).appending(path: \.left))
        Constant(\.inner.right)
      } == ["other"])
  }

  private enum Light: Sendable, Equatable { case red, green }

  @Test func `an enum root is claimed by self`() throws {
    let light = try Store(initialState: Light.red) {
      Mutator(\.self) { (light: inout Light, _: ClearAction) in light = .green }
    }
    light.dispatch(ClearAction())
    #expect(light.state == .green)
    #expect(missing(in: Light.red) {} == ["\\.self"])
  }

  @Test func `an optional root is claimed by the identity lens`() throws {
    let number = try Store(initialState: Int?.none) {
      Mutator(lens: Lens.identity) { (number: inout Int?, action: CountAction) in
        if case .add(let amount) = action { number = (number ?? 0) + amount }
      }
    }
    number.dispatch(CountAction.add(2))
    #expect(number.state == 2)
    #expect(missing(in: Int?.some(1)) {} == ["\\.self"])
  }

  @Test(.warnsOnPurpose) func `a scalar root is claimed by either`() throws {
    let first = try Store(initialState: 0) { Self.zero(Lens(\.self)) }
    let second = try Store(initialState: 0) { Self.zero(.identity) }
    let third = try Store(initialState: 0) { Constant(\.self) }
    for store in [first, second, third] {
      store.replaceState(5)
      store.dispatch(ClearAction())
    }
    #expect([first.state, second.state, third.state] == [0, 0, 5])
    #expect(missing(in: 0) {} == ["\\.self"])
  }

  @propertyWrapper private struct Clamped: Sendable {
    private var value: Int
    init(wrappedValue: Int) { value = min(wrappedValue, 10) }
    var wrappedValue: Int {
      get { value }
      set { value = min(newValue, 10) }
    }
  }

  private struct Special: Sendable {
    @Clamped var wrapped = 1
    lazy var late = 5
    var observed = 0 { didSet { writes += 1 } }
    var writes = 0
  }

  @Test func `wrapped, lazy and observed properties are claimed by name`() throws {
    let late = Lens<Special, Int>(
      name: "late",
      get: { special in
        var copy = special
        return copy.late
      },
      modify: { special, edit in edit(&special.late) })
    let store = try Store(initialState: Special()) {
      Mutator(lens: Lens(name: "wrapped", \.wrapped)) { (number: inout Int, action: CountAction) in
        if case .add(let amount) = action { number += amount }
      }
      Self.zero(late)
      Mutator(lens: Lens(name: "observed", \.observed)) { (number: inout Int, _: ClearAction) in
        number = 7
      }
      Constant(\.writes)
    }
    store.dispatch(CountAction.add(20))
    store.dispatch(ClearAction())
    #expect(store.wrapped == 10)
    #expect(store[late] == 0)
    #expect(store.observed == 7)
    #expect(store.writes == 1)
  }

  @Test func `unclaimed ones are missing by name, a wrapped one as reflection shows it`() {
    #expect(missing(in: Special()) { Constant(\.writes) } == ["_wrapped", "late", "observed"])
  }

  @Test func `a wrapped property without a name cannot be seen`() throws {
    let error = try #require(throws: RegistrationError.self) {
      _ = try Store(initialState: Special()) { Self.zero(Lens(\.wrapped)) }
    }
    #expect(error.faults.contains(.unnamedLens(valueType: "Int")))
  }

  @Test func `an empty list is no dispatch, and needs no reducers yet`() throws {
    let store = Store(initialState: Desk())
    let inner: [any Action] = [[CountAction](), ActionList([]), [[CountAction]()]]
    store.dispatch([CountAction]())
    store.dispatch([[CountAction]()])
    store.dispatch([any Action]())
    store.dispatch(nil)
    store.dispatch(ActionList([]))
    store.dispatch(inner)
    store.dispatch([CountAction]().tagged(Desk.self))
    store.dispatch(ElementAction(id: 1, action: [CountAction]()))
    #expect(store.state == Desk())
  }
}
