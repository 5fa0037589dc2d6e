import Foundation
import Lensed
import LensedPersistence
import Testing

@testable import LensedTesting

@Suite(.timeLimit(.minutes(30)))
struct `The session of a test without a registry` {
  enum One { enum Act: Action, Codable { case go } }
  enum Other {
    struct Act: Action, Codable {
      var amount = 1.0
    }
  }
  struct Sum: Sendable, Codable, Equatable {
    var value = 0.0
    var most = Double.infinity
  }
  struct Fragile: Codable, Sendable {
    var isBroken = false

    func encode(to encoder: any Encoder) throws {
      if isBroken { throw CancellationError() }
    }
  }

  private func makeStore() throws -> Store<Sum> {
    try Store(initialState: Sum(), coverage: .partial) {
      Mutator(\.value) { (value: inout Double, _: One.Act) in value += 1 }
        .on(Other.Act.self) { value, act in value += act.amount }
    }
  }

  @Test func `holds nested types of one name, and numbers that are not finite`() throws {
    let (log, store) = (CommitLog<Sum>(), try makeStore())
    let initial = log.begin(in: store)
    store.dispatch(One.Act.go)
    store.dispatch(Other.Act(amount: .infinity))
    let data = try SessionFile<Sum>(registry: nil).data(of: log.take(), from: initial)
    let names = TypeName.distinct([One.Act.self, Other.Act.self])
    #expect(names.values.allSatisfy { $0.hasSuffix("One.Act") || $0.hasSuffix("Other.Act") })
    let registry = ActionRegistry(.json)
      .adding(One.Act.self, named: names[ObjectIdentifier(One.Act.self)])
      .adding(Other.Act.self, named: names[ObjectIdentifier(Other.Act.self)])
    let replayed = try makeStore()
    try replay(data, registry, in: replayed)
    #expect(replayed.state == Sum(value: .infinity))
  }

  @Test func `shows a state that could not be encoded as text, and does not replay`() throws {
    struct Plain: Sendable { var text = "plain" }
    let plain = try SessionFile<Plain>(registry: nil).data(of: [], from: Plain())
    #expect(String(decoding: plain, as: UTF8.self).contains("plain"))
    let fragile = try SessionFile<Fragile>(registry: nil)
      .data(of: [], from: Fragile(isBroken: true))
    #expect(throws: SessionError.self) {
      try replay(
        fragile, ActionRegistry(.json), in: Store(initialState: Fragile(), coverage: .partial))
    }
  }
}
