import Lensed
import LensedTestSupport
import Testing

/// An object that an action may carry.
private final class Cargo: Sendable {
  let weight: Int

  init(_ weight: Int) {
    self.weight = weight
  }
}

private struct EmptyAction: Action {}

private struct ByteAction: Action {
  var weight: UInt8
}

private struct WideAction: Action {
  var (a, b, c, d, e) = (1, 2, 3, 4, "five")
  var (f, g, h): (UInt8, Double, [Int]) = (6, 7, [8])
  var (i, j, k, l) = (9, 10, 11, 12)

  var weight: Int { a + b + c + d + e.count + Int(f) + Int(g) + h[0] + i + j + k + l }
}

private struct ShipAction: Action {
  let cargo: Cargo
}

private struct GenericAction<Value: Sendable>: Action {
  let value: Value
}

private enum CaseAction: Action {
  case none
  case small(UInt8)
  case large(String, Int, Cargo)
}

private let ledger = Reducer { (log: inout [String], _: EmptyAction) in log.append("empty") }
  .on(ByteAction.self) { log, action in log.append("byte \(action.weight)") }
  .on(WideAction.self) { log, action in log.append("wide \(action.weight)") }
  .on(ShipAction.self) { log, action in log.append("ship \(action.cargo.weight)") }
  .on(GenericAction<Int>.self) { log, action in log.append("int \(action.value)") }
  .on(GenericAction<String>.self) { log, action in log.append("string \(action.value)") }
  .on(CaseAction.self) { log, action in
    switch action {
    case .none: log.append("none")
    case .small(let weight): log.append("small \(weight)")
    case .large(let name, let count, let cargo): log.append("\(name) \(count) \(cargo.weight)")
    }
  }

@Suite("Actions of every shape arrive as they were sent", .timeLimit(.minutes(30)))
struct ActionShapeTests {
  private static func send<A: Action>(_ action: A, expecting line: String) async throws {
    let store = try Store(initialState: [String]()) { Mutator(\.self, ledger) }
    let nested = ElementAction(id: "wide enough not to fit", action: action)
    store.dispatch(action)
    store.dispatch(action)
    let erased: any Action = action
    store.dispatch(erased)
    store.dispatch([action, action, action])
    store.dispatch([action, EmptyAction(), action] as [any Action])
    store.dispatch(ActionList([[action], [[action, action]]]))
    store.dispatchEach([action, action])
    try await store.dispatch(ScriptedActions(giving: action, action)).finish()
    try await store.dispatch(ScriptedActions<any Action>(giving: action, [action])).finish()
    #expect(store.state.filter { $0 == line }.count >= 17, "\(A.self)")
    #expect(Set(store.state) == [line, "empty"], "\(A.self)")
    let keyed = try Store(initialState: [nested.id: [String]()]) {
      Mutator(\.self, ledger.tagged(Int.self).keyed())
    }
    keyed.dispatch(ElementAction(id: nested.id, action: action.tagged(Int.self)))
    keyed.dispatch(ElementAction(id: nested.id, action: [action, action].tagged(Int.self)))
    #expect(keyed.state == [nested.id: [line, line, line]], "\(A.self)")
    var log: [String] = []
    ledger.reduce(&log, action)
    ledger.reduce(&log, [action])
    #expect(log == [line, line])
  }

  @Test func `of no size, small, wide, with references`() async throws {
    try await Self.send(EmptyAction(), expecting: "empty")
    try await Self.send(ByteAction(weight: 200), expecting: "byte 200")
    try await Self.send(WideAction(), expecting: "wide 77")
    try await Self.send(ShipAction(cargo: Cargo(5)), expecting: "ship 5")
  }

  @Test func `an enum is an action`() async throws {
    try await Self.send(CaseAction.none, expecting: "none")
    try await Self.send(CaseAction.small(7), expecting: "small 7")
    try await Self.send(CaseAction.large("x", 3, Cargo(5)), expecting: "x 3 5")
  }

  @Test func `generic ones, each instance a type of its own`() async throws {
    try await Self.send(GenericAction(value: 4), expecting: "int 4")
    try await Self.send(GenericAction(value: "four"), expecting: "string four")
    var log: [String] = []
    ledger.reduce(&log, GenericAction(value: 4.0))
    #expect(log == [])
  }

  @Test func `what an action refers to is let go when it has been reduced`() async throws {
    let store = try Store(initialState: [String]()) { Mutator(\.self, ledger) }
    weak var watched: Cargo?
    func ship(_ send: (ShipAction) -> Void) {
      let cargo = Cargo(1)
      watched = cargo
      send(ShipAction(cargo: cargo))
    }
    ship { store.dispatch($0) }
    #expect(watched == nil)
    ship { store.dispatch([$0, $0]) }
    #expect(watched == nil)
    ship { store.dispatch([$0, EmptyAction()] as [any Action]) }
    #expect(watched == nil)
    #expect(store.state.count == 5)
  }
}
