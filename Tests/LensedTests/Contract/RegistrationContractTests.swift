import Lensed
import LensedTestSupport
import Testing

private struct Profile: Sendable, Equatable {
  var name = ""
  var age = 0
}

private struct App: Sendable, Equatable {
  var profile = Profile()
  var count = 0
  var other = 0
  @Fenced var wrapped = 0
  var observed = 0 {
    didSet { _ = oldValue }
  }
  let constant = 0
  var nothing: Void = ()

  static func == (left: App, right: App) -> Bool {
    left.profile == right.profile && left.count == right.count
  }
}

private enum Switch: Sendable, Equatable {
  case off
  case on
}

private struct TouchAction: Action {}

@Suite("RegistrationError names every fault at once")
struct RegistrationContractTests {
  private static func touch<Value>(_ lens: Lens<App, Value>) -> Mutator<App, Value> {
    Mutator(lens: lens, reducer: { (_: inout Value, _: TouchAction) in })
  }

  private static func faults(
    _ coverage: Coverage, @StoreBuilder<App> _ parts: () -> [StorePart<App>]
  ) -> [RegistrationError.Fault] {
    do throws(RegistrationError) {
      _ = try Store(initialState: App(), coverage: coverage, parts: parts)
      return []
    } catch {
      return error.faults
    }
  }

  @Test func `doubled, overlapping and missing properties, all together`() {
    let faults = Self.faults(.complete) {
      Self.touch(Lens(\.count))
      Self.touch(Lens(\.count))
      Self.touch(Lens(\.profile))
      Self.touch(Lens(\.profile.name))
      Constant(\.constant)
    }
    #expect(
      faults == [
        .twoReducers(property: "count"), .overlap(property: "profile", other: "profile.name"),
        .noReducer(property: "other"), .noReducer(property: "_wrapped"),
        .noReducer(property: "observed"),
      ])
  }

  @Test func `it prints as sentences a person can act on`() {
    let error = #expect(throws: RegistrationError.self) {
      try Store(initialState: App()) {
        Self.touch(Lens(\.count))
        Self.touch(Lens(\.count))
        Self.touch(Lens(get: { $0.other }, set: { app, _ in app }))
      }
    }
    let sentences = "\(error.map(String.init(describing:)) ?? "")"
    #expect(sentences.contains("`count` has two reducers."))
    #expect(sentences.contains("`Lens(name: \"…\", …)`"))
    #expect(sentences.contains("`profile` has no reducer."))
  }

  @Test func `a closure lens without a name is a fault where coverage is complete`() {
    let unnamed = Lens<App, Int>(get: { $0.other }, set: { app, _ in app })
    #expect(Self.faults(.partial) { Self.touch(unnamed) } == [])
    #expect(
      Self.faults(.complete) { Self.touch(unnamed) }.first == .unnamedLens(valueType: "Int"))
    #expect(
      Self.faults(.partial) {
        Self.touch(unnamed)
        Self.touch(Lens(get: { $0.count }, set: { app, _ in app }))
      } == [.indistinctLenses(valueType: "Int")])
  }

  @Test func `a name claims a property, wrapped and observed ones too`() {
    let faults = Self.faults(.complete) {
      Self.touch(Lens(\.profile.name))
      Self.touch(Lens(\.profile.age))
      Self.touch(Lens(\.count))
      Self.touch(Lens(name: "other", get: { $0.other }, set: { app, _ in app }))
      Self.touch(Lens(name: "wrapped", \.wrapped))
      Self.touch(Lens(name: "observed", \.observed))
      Constant(\.constant)
    }
    #expect(faults == [], "nested ones cover their struct, and what has no size needs none")
  }

  @Test func `nested mutators that leave a gap are told which`() {
    let faults = Self.faults(.complete) {
      Self.touch(Lens(\.profile.name))
      Self.touch(Lens(\.count))
      Self.touch(Lens(\.other))
      Self.touch(Lens(name: "wrapped", \.wrapped))
      Self.touch(Lens(name: "observed", \.observed))
    }
    #expect(faults == [.noReducer(property: "profile.age"), .noReducer(property: "constant")])
  }

  @Test func `an enum, an optional and a scalar are claimed as a whole`() throws {
    let flip = Reducer { (state: inout Switch, _: TouchAction) in state = .on }
    let whole = try Store(initialState: Switch.off) { Mutator(\.self, flip) }
    whole.dispatch(TouchAction())
    #expect(whole.state == .on)
    let optional = try Store(initialState: Int?.none) {
      Mutator(lens: Lens.identity, reducer: { (state: inout Int?, _: TouchAction) in state = 1 })
    }
    optional.dispatch(TouchAction())
    #expect(optional.state == 1)
    let scalar = try Store(initialState: 1) {
      Mutator(\.self) { (state: inout Int, _: TouchAction) in state += 1 }
    }
    scalar.dispatch(TouchAction())
    #expect(scalar.state == 2)
  }

  @Test func `a rejected register changes nothing`() throws {
    let store = Store(initialState: App(), coverage: .partial)
    let adding = Mutator(\App.count) { (count: inout Int, _: TouchAction) in count += 1 }
    try store.register(adding)
    let error = #expect(throws: RegistrationError.self) { try store.register(adding) }
    #expect(error?.faults == [.twoReducers(property: "count")])
    #expect(throws: RegistrationError.self) {
      try store.register(
        Feature {
          Mutator(\.other) { (other: inout Int, _: TouchAction) in other += 1 }
          adding
        })
    }
    store.dispatch(TouchAction())
    #expect(store.count == 1)
    #expect(store.other == 0, "a feature is registered whole or not at all")
  }

  @Test func `a store that is complete but unmet traps on its first dispatch`() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let store = Store(initialState: App())
        try store.register(Mutator(\.count) { (count: inout Int, _: TouchAction) in count += 1 })
        store.dispatch(TouchAction())
      })
    #expect(result.message.contains("`TouchAction`"))
    for name in ["profile", "other", "_wrapped", "observed", "constant"] {
      #expect(result.message.contains("`\(name)` has no reducer"))
    }
    #expect(result.message.contains("RegistrationContractTests.swift"))
    #expect(!result.message.contains("`count`"))
  }

  @Test func `a state property named like a member of the store is reached through state`() throws {
    struct Shadow: Sendable {
      var state = 1
      var states = [2]
    }
    let store = try Store(initialState: Shadow()) {
      Constant(\.state)
      Constant(\.states)
    }
    #expect(store.state.state == 1)
    #expect(store[Lens(\.states)] == [2])
  }
}
