import Foundation
import LensedTestSupport
import Testing

@testable import Lensed
import LensedPresenters

@Suite("Equatable, Hashable, Codable: their laws, for every public type that conforms")
struct LawTests {
  private struct Named: Action, Hashable, Codable { var name: String }
  private enum Tag {}
  private enum Other {}

  @Test func `actions that hold others`() throws {
    func laws<ID: Hashable & Codable & Sendable>(_ one: ID, _ two: ID) throws {
      let elements = [
        ElementAction(id: one, action: Named(name: "a")), .init(id: two, action: Named(name: "a")),
        .init(id: one, action: Named(name: "")),
      ]
      Laws.hold(elements.map { [$0, $0] })
      try Laws.roundTrip(elements)
    }
    try laws(1, -1)
    try laws("", "é")
    try laws([Int](), [1])
    try laws(0.5, 1e300)
    try laws(Int?.none, 5)
    let tagged = [Named(name: "a"), Named(name: "b")].map { $0.tagged(Tag.self) }
    Laws.hold(tagged.map { [$0, $0] })
    try Laws.roundTrip(tagged)
    let twice = tagged.map { $0.tagged(Other.self) }
    Laws.hold(twice.map { [$0, $0] })
    try Laws.roundTrip(twice)
  }

  @Test func `what is compared by an id of any type`() {
    class Base: Hashable, @unchecked Sendable {
      static func == (left: Base, right: Base) -> Bool { true }
      func hash(into hasher: inout Hasher) {}
    }
    final class Derived: Base, @unchecked Sendable {}
    func groups<Value>(_ make: (any Hashable & Sendable) -> Value) -> [[Value]] {
      let ids: [any Hashable & Sendable] = [
        5, 5 as Int?, 5 as Int??, 5 as Int8, 5.0, "5", [5], [] as [Int], [] as [String],
        Set<Int>(), [:] as [Int: Int], nil as Int?, nil as String?, Base(), Derived(),
        ObjectIdentifier(Base.self), true,
      ]
      return ids.map { id in [make(id), make(id)] }
    }
    func command(_ id: some Hashable & Sendable) -> Command { Command(id) {} }
    func with(_ id: some Hashable & Sendable) -> CommandWith<Int> { CommandWith(id) { _ in } }
    func sending(_ id: some Hashable & Sendable) -> Sending<Int> {
      .action(id) { _ in CountAction.keep }
    }
    Laws.hold(groups { command($0) } + [[Command {}], [.nothing, .nothing]])
    Laws.hold(groups { with($0) } + [[CommandWith { _ in }]])
    Laws.hold(groups { with($0).with(3) } + groups { with($0).with(4) })
    Laws.hold(groups { sending($0) } + [[.action { _ in CountAction.keep }]])
    Laws.equality(
      [[Reaction.none], [.props]] + groups { Reaction.command(command($0)) }
        + groups { Reaction.route(command($0)) })
  }

  @Test func `where actions go`() throws {
    enum Left {}
    let (store, other) = (try Desk.makeStore(), try Desk.makeStore())
    Laws.equality([
      [store.dispatchTarget, store.asScope.dispatchTarget, store.scope(\.count).dispatchTarget],
      [
        store.scope(\.count, actions: .tagged(Left.self)).dispatchTarget,
        store.scope(\.title, actions: .tagged(Left.self)).dispatchTarget,
      ], [other.dispatchTarget],
    ])
  }

  @Test func `what says how`() throws {
    Laws.hold([[Coverage.complete, .complete], [.partial]])
    Laws.hold([[DispatchTask.Extent.applied], [.everything]])
    Laws.hold([[Repeats.removed], [.kept]])
    Laws.hold([[CommitCause.action], [.asyncResult], [.placeholder], [.replacement]])
    try Laws.roundTrip([CommitCause.action, .asyncResult, .placeholder, .replacement])
    Laws.hold([
      [CommitOrigin.dispatch], [.effect("a"), .effect("a")], [.effect("b")], [.sequence],
      [.asyncResult], [.placeholder], [.replacement],
    ])
    Laws.hold([[ChangeBuffering.End.oldest], [.newest]])
    Laws.hold([
      [ChangeBuffering.unbounded, .unbounded],
      [.bounded(1, dropping: .oldest), .bounded(1, dropping: .oldest)],
      [.bounded(1, dropping: .newest)], [.bounded(.max, dropping: .oldest)],
      [.bounded(0, dropping: .oldest)],
    ])
    Laws.hold([
      [EffectPolicy.concurrent], [.latest], [.first], [.serial], [.limited(1), .limited(1)],
      [.limited(.max)], [.limited(.min)],
    ])
  }

  @Test func `what went wrong`() {
    let faults: [RegistrationError.Fault] = [
      .twoReducers(property: "a"), .twoReducers(property: "b"), .noReducer(property: "a"),
      .overlap(property: "a", other: "b"), .overlap(property: "b", other: "a"),
      .unnamedLens(valueType: "a"), .indistinctLenses(valueType: "a"),
      .listReducer(property: "a", action: "b"), .everyActionOverElements(property: "a"),
    ]
    Laws.hold(faults.map { [$0, $0] })
    Laws.equality(
      [[RegistrationError([])], [RegistrationError(faults.map { FoundFault($0) })]]
        + faults.map { fault in
          // What was asked for, and where the mutators are written, makes no difference.
          [
            RegistrationError([FoundFault(fault)]),
            RegistrationError([FoundFault(fault, at: [CallSite()])]),
            RegistrationError([FoundFault(fault)], .registering),
            RegistrationError([FoundFault(fault)], .replacing),
          ]
        })
    Laws.hold(StoreWarning.Kind.allCases.map { [$0, $0] })
    Laws.hold([[DispatchTask.ThrownErrors.own], [.effects]])
    Laws.hold([
      [EffectTriggers([])], [.installation], [.replacement], [[.installation, .replacement]],
    ])
    Laws.hold([
      [DispatchDeadlock(.effect("a"), waitsFor: .effect("b"))],
      [DispatchDeadlock(.effect("b"), waitsFor: .effect("a"))],
    ])
    Laws.hold([
      [EffectTimeout(effect: "a", limit: .zero)], [EffectTimeout(effect: "a", limit: .seconds(1))],
      [EffectTimeout(effect: "b", limit: .zero)],
    ])
    Laws.hold([
      [ChangesDropped(effect: "a", count: 1)], [ChangesDropped(effect: "a", count: 2)],
      [ChangesDropped(effect: "b", count: 1)],
    ])
  }

  @Test func `the steps of a way`() {
    func row(_ id: Int, _ bytes: Range<Int>?) -> Way.Step {
      .row(Way.Row(id, in: [Int].self, at: bytes))
    }
    let prisms: (PrismID, PrismID) = ([makeUniqueNumber()], [makeUniqueNumber()])
    Laws.hold([
      [Way.Step.property("a"), .property("a")], [.property("b")],
      [.keyPath(\Desk.count), .keyPath(\Desk.count)], [.keyPath(\Desk.title)],
      [.unnamed, .unnamed], [.function(1), .function(1)], [.function(2)], [.optional, .optional],
      [.matching(prisms.0), .matching(prisms.0)], [.matching(prisms.1)],
      [.element(byOffset: true)], [.element(byOffset: false)],
      [row(1, nil), row(1, nil)], [row(2, nil)], [.elements([AnyID(1)]), .elements([AnyID(1)])],
      [.elements([AnyID(1), AnyID(2)])],
    ])
  }

  @Test func `who owns what`() throws {
    let few = try Store(initialState: Desk(), coverage: .partial) {
      Desk.countMutator
      Effect(on: CountAction.self) { _, _ in }.named("a")
      Effect(on: CountAction.self, .latest) { _, _ in }.named("a")
    }
    let wirings = [try Desk.makeStore().wiring, few.wiring]
    Laws.hold(wirings.map { [$0, $0] })
    try Laws.roundTrip(wirings)
    Laws.hold(wirings[0].parts.map { [$0, $0] })
    try Laws.roundTrip(wirings[0].parts)
    Laws.hold(wirings[1].effects.map { [$0, $0] })
    try Laws.roundTrip(wirings[1].effects)
    let owners: [StoreWiring.Part.Owner] = [.mutator, .asyncMutator, .constant, .children]
    Laws.hold(owners.map { [$0, $0] })
    try Laws.roundTrip(owners)
    Laws.hold([[EffectChangesBeginning.trigger], [.run]])
    Laws.hold([
      [RequestError.unanswered(request: "A", answer: "B")],
      [.unanswered(request: "B", answer: "A")],
    ])
  }

  @Test func `entities`() throws {
    struct Row: Identifiable, Hashable, Codable, Sendable {
      var id: Int
      var title = ""
    }
    let groups: [Entities<Row>] = [
      [], [Row(id: 1)], [Row(id: 1, title: "a")], [Row(id: 1), Row(id: 2)],
      [Row(id: 2), Row(id: 1)],
    ]
    Laws.hold(groups.map { [$0, $0] })
    try Laws.roundTrip(groups)
    let sorted = groups.dropLast().map { rows in rows.sorted { $0.id < $1.id } }
    Laws.hold(sorted.map { [$0, $0] })
    let byTitle = groups.map { $0.grouped(by: \.title) }
    Laws.hold([
      [byTitle[1][id: ""], byTitle[1][id: ""]], [byTitle[2][id: "a"]], [byTitle[3][id: ""]],
    ])
    let differences = groups.map { $0.difference(from: groups[3]) }
    Laws.hold(differences.map { [$0, $0] })
    Laws.hold([
      [DuplicateIDError(id: "1", element: "Row", position: 1)],
      [DuplicateIDError(id: "1", element: "Row", position: 2)],
    ])
  }

  @Test func `the difference of a replay`() {
    func difference(_ commit: Int, _ properties: [String], _ lastAlike: Int?) -> ReplayDifference {
      let mark = SessionMarks.Mark(commits: commit, state: StateFingerprint(of: 0, limit: 1))
      return ReplayDifference(mark, properties, lastAlike: lastAlike)
    }
    Laws.hold([
      [difference(1, ["a"], nil), difference(1, ["a"], nil)], [difference(2, ["a"], nil)],
      [difference(1, ["b"], nil)], [difference(1, ["a"], 0)],
    ])
  }

  @Test func `subscriptions`() throws {
    let store = try Desk.makeStore()
    let one = store.states(\.count).subscribe { _ in }
    let two = store.states(\.count).subscribe { _ in }
    Laws.hold([[one, one], [two]])
  }

  /// So that a type that conforms tomorrow is held to its laws too.
  @Test func `no public type that conforms is left out`() throws {
    let conformance = /\b(Equatable|Hashable|Codable|Encodable|Decodable)\b/
    let declaration =
      /^ *(?:public (?:final )?(?:struct|enum|class)|extension) (?<name>[A-Za-z.]+)(?:<[^>]*>)?: (?<list>[^{]*)/
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources").standardizedFileURL
    let files = try #require(FileManager.default.subpaths(atPath: folder.path()))
    var found: Set<String> = []
    let libraries = ["Lensed/", "LensedPresenters/"]
    for file in files
    where file.hasSuffix(".swift") && libraries.contains(where: file.hasPrefix) {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      let code = SourceText.code(in: text)
      for line in code.split(separator: "\n") {
        guard let match = line.firstMatch(of: declaration) else { continue }
        let conforms = String(match.output.list).components(separatedBy: " where ")[0]
        if conforms.firstMatch(of: conformance) != nil { found.insert(String(match.output.name)) }
      }
    }
    let held: Set<String> = [
      "ElementAction", "Tagged", "CommandWith", "DispatchTarget", "Sending", "Reaction", "Coverage",
      "Extent", "Repeats", "CommitCause", "End", "ChangeBuffering", "EffectPolicy",
      "RegistrationError", "Fault", "DispatchDeadlock", "EffectTimeout",
      "StoreSubscription", "Entities", "SortedEntities", "EntitiesDifference",
      "DuplicateIDError", "EntityGroup", "CommitOrigin", "ReplayDifference", "Kind",
      "EffectTriggers", "ThrownErrors", "ChangesDropped", "StoreWiring", "Part", "Owner",
      "WiredEffect", "RequestError", "EffectChangesBeginning", "Way.Step",
    ]
    #expect(found.subtracting(held) == [], "Hold these to their laws, above.")
    #expect(held.subtracting(found) == [], "These conform no more.")
  }
}
