#if os(macOS) || os(Linux)
  import Foundation
  import Lensed
  import LensedTestSupport
  import Testing

  @testable import LensedTesting

  // What follows up to the next such line is compiled with what exploration prints.
  // ---
  enum PasteOuter {
    enum Inner: Action {
      case add(Int), opt(Int?), twice(Int??), named(x: Int, y: String), text(String), one(of: Int)
      case number(Double), small(Float), byte(UInt8), mode(PasteOuter.Mode), character(Character)
      case wait(Duration), table([String: Int]), members(Set<Int>), list([Int]), range(
        ClosedRange<Int>)
      case half(Range<Double>), id(UUID), url(URL), date(Date), flag(Bool), `default`
      case done(Void), ended(by: Void), saved(Result<Void, PasteFailed>), asked(`inout`: Int)
      case `init`(Int), `self`, `Type`(Int), `Protocol`, `Self`, `1`, `a case`(`a label`: Int)
    }
    enum Mode: Sendable { case dark, light(Int) }
    struct Act: Action {
      var n = 1
      var mode = Mode.dark
    }
    enum Left {}
  }
  struct PasteGeneric<T: Sendable>: Action { var value: T }
  struct PasteDescribed: Action, CustomStringConvertible {
    var n: Int
    var description: String { "described \(n)" }
  }
  enum PasteNamed: String, Action, CustomStringConvertible {
    case one
    var description: String { "the one" }
  }
  private enum PastePrivate: Action { case go(PastePrivateMode) }
  private enum PastePrivateMode: Sendable { case fast(Int) }
  struct PasteEmpty: Action {}
  struct PasteFailed: Error {}
  struct `Paste, as it is`: Action { var `an n` = 1, `inout` = 2 }
  @propertyWrapper struct PasteClamped: Sendable {
    private var number: Int
    init(wrappedValue: Int) { number = min(max(wrappedValue, 0), 9) }
    var wrappedValue: Int {
      get { number }
      set { number = min(max(newValue, 0), 9) }
    }
  }
  @propertyWrapper struct PasteNoted: Sendable {
    var wrappedValue: String
    private(set) var isNoted = false
    init(wrappedValue: String) { self.wrappedValue = wrappedValue }
  }
  struct PasteWrapped: Action {
    @PasteClamped var number = 3
    @PasteNoted var text = "a"
    let mode: PasteOuter.Mode
  }
  struct PasteFixed: Action {
    let unit = "pieces"
    let amount: Int
  }
  extension PasteFixed: SwiftExpressible {
    var swiftExpression: String { "PasteFixed(amount: \(amount))" }
  }
  @propertyWrapper struct PasteBounded: Sendable {
    private var number: Int
    private let limit: Int
    init(wrappedValue: Int, limit: Int) { (number, self.limit) = (wrappedValue, limit) }
    var wrappedValue: Int {
      get { number }
      set { number = min(newValue, limit) }
    }
  }
  struct PasteHidden: Action { @PasteBounded(limit: 9) var number = 3 }
  struct PasteSaid: Action { @PasteBounded(limit: 9) var number = 3 }
  extension PasteSaid: SwiftExpressible {
    var swiftExpression: String { "PasteSaid(number: \(number))" }
  }
  struct PasteSum: Sendable, Equatable { var sum = 0 }
  // ---

  @Suite(.timeLimit(.minutes(30)))
  struct `The test that a failed exploration prints` {
    private static let zoo: [any Action] =
      ([
        .add(1), .opt(3), .opt(nil), .twice(.some(nil)), .twice(2),
        .named(x: -1, y: "a\n\"b\" \\(x)"),
        .text("é🙂\0\t"), .one(of: 2), .number(.infinity), .number(-.infinity), .number(.nan),
        .number(1.5e300), .small(.infinity), .small(1.5), .byte(255), .mode(.light(2)),
        .mode(.dark),
        .character("x"), .wait(.seconds(1)), .wait(.milliseconds(1500)), .table(["a": 1]),
        .table([:]),
        .members([1]), .list([]), .list(Array(0..<20)), .range(-2...2), .half(0..<0.5),
        .id(UUID()), .url(URL(filePath: "/a b")), .date(Date(timeIntervalSince1970: 0)),
        .flag(true),
        .default, .text(String(repeating: "x", count: 300)), .done(()), .ended(by: ()),
        .saved(.success(())), .saved(.failure(PasteFailed())), .asked(`inout`: 1),
        .`init`(1), .`self`, .`Type`(1), .`Protocol`, .`Self`, .`1`, .`a case`(`a label`: 1),
      ] as [PasteOuter.Inner]) + [
        PasteOuter.Act(), PasteOuter.Act(n: 2, mode: .light(1)), PasteGeneric(value: 3),
        PasteGeneric<String?>(value: nil), PasteGeneric<[Int: Set<Int>]>(value: [1: [2]]),
        PasteDescribed(n: 3), PasteNamed.one, PastePrivate.go(.fast(1)), PasteEmpty(),
        `Paste, as it is`(), PasteGeneric(value: `Paste, as it is`()),
        PasteEmpty().tagged(PasteOuter.Left.self),
        ElementAction(id: 7, action: PasteOuter.Inner.add(1)),
        ElementAction(id: "k", action: PasteEmpty()), ActionList([PasteEmpty(), PasteNamed.one]),
        [PasteEmpty(), PasteEmpty()], [PasteOuter.Inner](), ActionList([]), [[PasteEmpty()], []],
        NextDeadline(), PasteWrapped(number: 12, text: "b", mode: .light(1)), PasteFixed(amount: 2),
        PasteSaid(number: 5),
        ReplaceState(PasteSum(sum: 3)),
      ] as [any Action]

    private func lines(
      _ promise: String, _ steps: [ExploredStep<Int>], checking checks: ExplorationChecks = .all
    ) -> [String] {
      PastedTest(
        promise: promise, steps: steps, initial: nil, initialName: "initial", form: "replaying",
        checks: checks
      ).lines
    }

    /// What the pasted test is compiled with.
    private func program(_ lines: [String]) throws -> [String] {
      let own = try String(contentsOfFile: #filePath, encoding: .utf8)
      let zoo = own.components(separatedBy: "  // ---\n")[1]
      let stub = """
        import Foundation
        import Lensed
        import LensedTesting
        func explore(
          store: Int, replaying: [any Action], invariants: Int, checking: ExplorationChecks = .all
        ) async {}
        let (makeStore, invariants) = (0, 0)
        """
      let test = lines.map { $0.replacingOccurrences(of: "@Test ", with: "") }
      return stub.components(separatedBy: "\n") + zoo.components(separatedBy: "\n") + test
    }

    @Test func `compiles, whatever the actions`() throws {
      let steps =
        Self.zoo.map { ExploredStep<Int>.dispatch($0) }
        + Self.zoo.map { .replay([PasteEmpty(), $0], from: CallSite()) }
      let lines = lines("holds", steps, checking: [.replay, .undo])
      #expect(!lines.joined().contains("<#"))
      let errors = try SwiftCompiler().errors(in: program(lines))
      #expect(errors == [])
    }

    @Test(
      arguments: [
        "`n` is never\n negative", "a\\b", "", "+", "\u{7}", "“few” notes; {half} of it: 1/2",
        "none 🙂",
      ] as [OneLine]) func `compiles, whatever the promise says`(promise: OneLine) throws
    {
      #expect(try SwiftCompiler().errors(in: program(lines(promise.text, []))) == [])
    }

    @Test func `does not compile where an action cannot be written, and shows it`() throws {
      final class Held: Sendable {}
      struct Opaque: Action, CustomStringConvertible {
        let held = Held()
        var description: String { "held\nby one" }
      }
      let lines = lines("holds", [.dispatch(Opaque())])
      #expect(lines.contains("    <#Opaque#>,  // Opaque.held by one"))
      #expect(try SwiftCompiler().errors(in: program(lines)) != [])
    }

    @Test func `shows a property wrapper that hides what it wraps as what cannot be written`() {
      let text = lines("holds", [.dispatch(PasteHidden(number: 5))]).joined(separator: "\n")
      #expect(text.contains("<#PasteHidden#>,  // "), "\(text)")
      #expect(lines("holds", [.dispatch(PasteSaid(number: 5))]).joined().contains("PasteSaid("))
    }

    /// A store that sums, and what is never to be.
    private static let made = """
      let makeStore: @Sendable () throws -> Store<PasteSum> = {
        try Store(initialState: PasteSum()) {
          Mutator(\\.sum) { (sum: inout Int, action: PasteWrapped) in sum += action.number }
            .on(PasteFixed.self) { sum, action in sum += action.amount }
            .on(PasteGeneric<Int>.self) { sum, action in sum += action.value }
        }
      }
      let invariants = [Invariant<PasteSum>("the sum is small", of: \\.sum) { $0 < 20 }]
      """

    @Test(.disabled(if: Self.isSanitized))
    func `is run, and fails as the exploration did`() async throws {
      let makeStore: @Sendable () throws -> Store<PasteSum> = {
        try Store(initialState: PasteSum()) {
          Mutator(\.sum) { (sum: inout Int, action: PasteWrapped) in sum += action.number }
            .on(PasteFixed.self) { sum, action in sum += action.amount }
            .on(PasteGeneric<Int>.self) { sum, action in sum += action.value }
        }
      }
      let invariants = [Invariant<PasteSum>("the sum is small", of: \.sum) { $0 < 20 }]
      let session = RecordedSession(
        initial: PasteSum(),
        steps: [
          .actions([PasteGeneric(value: 1)], from: nil), .state(PasteSum(sum: 9)),
          .actions([PasteWrapped(number: 7, text: "b", mode: .light(1))], from: nil),
          .actions([PasteGeneric(value: 0)], from: nil),
          .actions([PasteFixed(amount: 3)], from: nil),
          .actions([PasteGeneric(value: 1)], from: nil),
        ])
      let heard = await issues {
        await explore(store: makeStore, session: session, invariants: invariants)
      }
      let issue = try #require(heard.first)
      let printed = issue.split(separator: "\n").drop { !$0.contains("@Test") }
      let test = printed.map {
        String($0.dropFirst(2)).replacingOccurrences(of: "@Test ", with: "")
      }
      let own = try String(contentsOfFile: #filePath, encoding: .utf8)
      let program =
        ["import Foundation", "import Lensed", "import LensedTesting", "import Testing"]
        + own.components(separatedBy: "  // ---\n")[1].components(separatedBy: "\n")
        + Self.made.components(separatedBy: "\n") + test + ["await `the sum is small`()"]
      let (status, said) = try SwiftCompiler().run(program)
      #expect(status != 0)
      // Outside of a test it traps with its message, which has the test that it prints again.
      #expect(
        said.contains("“the sum is small” does not hold after 4 steps. 4 steps are enough"),
        "\(said)")
      for line in printed { #expect(said.contains(line), "\(line): \(said)") }
    }

    /// Object files that were compiled for a sanitizer cannot be linked without it.
    private static var isSanitized: Bool {
      #if ASAN || TSAN
        true
      #else
        false
      #endif
    }

    @Test func `says its checks, where these are not all`() {
      func call(_ checks: ExplorationChecks) -> String {
        lines("holds", [], checking: checks).dropLast().last ?? ""
      }
      #expect(call(.all).hasSuffix("invariants: invariants)"))
      #expect(call([]).hasSuffix("invariants: invariants, checking: [])"))
      #expect(call(.undo).hasSuffix("invariants: invariants, checking: .undo)"))
      #expect(call([.replay, .paths]).hasSuffix("checking: [.replay, .paths])"))
    }
  }
#endif
