import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import Testing

/// A replay that comes to another state says where it left the session.
@Suite("A replay that comes to another state", .timeLimit(.minutes(30)))
struct ReplayDifferenceTests {
  struct State: Sendable, Codable {
    var count = 0
    var ids: [UUID] = []
    var seen: [String: Int] = [:]
    var made = Date(timeIntervalSinceReferenceDate: 0)
  }
  struct Add: Action, Codable {}
  struct Make: Action, Codable {}
  struct See: Action, Codable { let name: String }
  struct At: Action, Codable { let date: Date }

  private func makeStore(
    _ middleware: [any Middleware<State>] = [], onWarning: StoreWarningHandler? = { _ in }
  ) throws -> Store<State> {
    try StoreBlueprint<State> {
      Mutator(\.count) { (count: inout Int, _: Add) in count += 1 }
      Mutator(\.ids) { (ids: inout [UUID], _: Make) in ids.append(UUID()) }
      Mutator(\.seen) { (seen: inout [String: Int], action: See) in
        seen[action.name, default: 0] += 1
      }
      Mutator(\.made) { (made: inout Date, action: At) in made = action.date }
    }
    .makeStore(initialState: State(), middleware: middleware, onWarning: onWarning)
  }

  @Test func `says nothing where it comes to the same one`() throws {
    let recorder = SessionRecorder<State>()
    let store = try makeStore([recorder])
    for number in 0..<300 {
      store.dispatch(Add())
      store.dispatch(See(name: "\(number % 40)"))
    }
    let session = try #require(recorder.session)
    let warnings = Recorder<StoreWarning>()
    #expect(try makeStore(onWarning: { warnings.append($0) }).replay(session) == nil)
    #expect(warnings.values.isEmpty)
  }

  @Test func `names the first commit and the part that differ`() throws {
    let recorder = SessionRecorder<State>()
    let store = try makeStore([recorder])
    for number in 1...20 { store.dispatch(number == 7 ? Make() as any Action : Add()) }
    let warnings = Recorder<StoreWarning>()
    let fresh = try makeStore(onWarning: { warnings.append($0) })
    let session = try #require(recorder.session)
    let difference = try #require(fresh.replay(session))
    #expect(difference.commit == 7)
    #expect(difference.properties == ["ids"])
    #expect(
      difference.description
        == "the replay left the recorded session in commit 7: `ids` is not what was recorded.")
    #expect(warnings.values.map(\.kind) == [.divergedReplay])
    #expect(warnings.values.first?.property == "`ids`")
  }

  @Test func `says between which commits, in a long session`() throws {
    let recorder = SessionRecorder<State>()
    let store = try makeStore([recorder])
    for number in 1...1_000 { store.dispatch(number == 700 ? Make() as any Action : Add()) }
    let session = try #require(recorder.session)
    let difference = try #require(try makeStore().replay(session))
    #expect(difference.commit >= 700)
    let last = try #require(difference.lastAlike)
    #expect(last < 700 && difference.commit - last <= 32)
  }

  @Test func `finds what a last commit did, though it has no mark of its own`() throws {
    let recorder = SessionRecorder<State>()
    let store = try makeStore([recorder])
    for _ in 1...1_001 { store.dispatch(Add()) }
    store.dispatch(Make())
    let session = try #require(recorder.session)
    #expect(try makeStore().replay(session)?.commit == 1_002)
  }

  @Test(arguments: [true, false])
  func `finds what a file has lost`(isWrittenAfterwards: Bool) throws {
    let coder = ActionCoder(
      encode: { value in
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return String(decoding: try encoder.encode(value), as: UTF8.self)
      },
      decode: { type, text in
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: Data(text.utf8))
      })
    let registry = ActionRegistry(coder).adding(Add.self).adding(At.self)
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).lensed")
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder: SessionRecorder<State> =
      isWrittenAfterwards ? SessionRecorder() : try SessionRecorder(to: file, registry)
    let store = try makeStore([recorder])
    store.dispatch(Add())
    store.dispatch(At(date: Date(timeIntervalSinceReferenceDate: 7.25)))
    try recorder.session?.write(to: file, registry)
    let session = try RecordedSession<State>(reading: file, registry)
    let difference = try #require(try makeStore().replay(session))
    #expect(difference.commit == 2)
    #expect(difference.properties == ["made"])
  }

  /// A collection of one's own that keeps a set, and so has another order in each store.
  private struct Tags: Sendable, Equatable, Collection {
    var names: Set<String> = []

    var startIndex: Set<String>.Index { names.startIndex }
    var endIndex: Set<String>.Index { names.endIndex }

    func index(after index: Set<String>.Index) -> Set<String>.Index { names.index(after: index) }
    subscript(index: Set<String>.Index) -> String { names[index] }
  }

  private struct Sums<Value> {
    let value: Value
  }

  private static func sums(_ state: Any) -> [String] {
    SessionMarks.Mark(state, after: 0).state.parts.map { "\($0.name) \($0.sum)" }
  }

  /// Two states that are equal, or of which both are no number, in another form.
  static let alike: [@Sendable () -> (Any, Any)] = [
    {
      let names = (0..<12).map { "\($0)" }
      var roomy = Set<String>(minimumCapacity: 1_000)
      roomy.formUnion(names.reversed())
      return (Sums(value: Tags(names: Set(names))), Sums(value: Tags(names: roomy)))
    },
    { (Tags(names: ["a", "b", "c", "d"]), Tags(names: ["d", "c", "b", "a"])) },
    { (Sums(value: Double.nan), Sums(value: -Double.nan)) },
    { (Sums(value: [Float.nan]), Sums(value: [-Float.nan])) },
    { (Sums(value: 0.0), Sums(value: -0.0)) },
    { (Data([1, 2, 3]), Data([0, 1, 2, 3]).dropFirst()) },
    { (Data(repeating: 7, count: 100), Data((0..<100).map { _ in 7 })) },
    { ([1, 2, 3] as ArraySlice<Int>, [0, 1, 2, 3].dropFirst()) },
  ]

  @Test(arguments: 0..<alike.count)
  func `equal states have one fingerprint, however they are kept`(number: Int) {
    let (one, other) = Self.alike[number]()
    #expect(Self.sums(one) == Self.sums(other), "\(one)")
  }

  @Test func `states that differ have two fingerprints`() {
    #expect(Self.sums(Tags(names: ["a"])) != Self.sums(Tags(names: ["b"])))
    #expect(Self.sums(Sums(value: 0.0)) != Self.sums(Sums(value: Double.nan)))
    #expect(Self.sums(Data([1, 2, 3])) != Self.sums(Data([1, 3, 2])))
    #expect(Self.sums(Sums(value: Data([1, 2]))) != Self.sums(Sums(value: Data([2, 1]))))
  }

  @Test func `a history's session is compared as well`() throws {
    let history = History<State>()
    let store = try makeStore([history])
    store.dispatch(Add())
    store.dispatch(Make())
    let session = try #require(RecordedSession(history))
    #expect(try makeStore().replay(session)?.commit == 2)
  }
}
