#if os(macOS) || os(Linux)
  import Foundation
  import LensedTestSupport
  import Testing

  @Suite(
    "What an effect returns is dispatched, or does not compile",
    .timeLimit(.minutes(30)))
  struct EffectReturnTests {
    private static let setting = """
      import Lensed

      struct AppState: Sendable {
        var text = ""
        var rows = Entities<Row>()
      }
      struct Row: Sendable, Equatable, Identifiable { let id: Int }
      enum Trigger: Action { case go, stop }
      enum A: Action { case reset, add(Int) }
      struct Loaded: Action { var number = 0 }
      protocol AppAction: Action {}
      struct Bump: AppAction {}
      struct Found { var text = "" }
      struct Failed: Error {}
      let length = Derived(\\AppState.text) { (text: String) in text.count }
      final class Log: Sendable { func write(_ number: Int) {} }
      let shared = Log()
      let maybe: Log? = shared
      func later() async throws -> Int { 5 }
      func log() async {}
      func action() async -> Loaded { Loaded() }
      func anyAction() async -> any Action { Loaded() }
      func optionalAction() async -> Loaded? { nil }
      func found() async -> Found { Found() }
      func stream() -> AsyncStream<A> { AsyncStream { $0.finish() } }
      func makeStream<E: Sendable>(_ element: E) -> AsyncStream<E> { AsyncStream { $0.finish() } }
      func mixedStream() -> AsyncStream<any Action> { AsyncStream { $0.finish() } }
      @discardableResult func number() -> Int { 5 }
      let (n, some, one) = (1, [Loaded(), Bump()] as [any Action], Loaded() as any Action)
      """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

    /// All initialisers of an effect; `BODY` is the code.
    private static let initialisers = [
      "Effect<AppState>(on: Trigger.self) BODY",
      "Effect<AppState>(on: Trigger.self, .latest, when: { _, _ in true }) BODY",
      "Effect<AppState>(on: Trigger.self, matching: { $0 == .go ? 1 : nil }, .latest) BODY",
      "Effect<AppState>(ofEveryAction: .serial) BODY",
      "Effect<AppState>(on: Bump.self) { _, _ in }.on(Trigger.self) BODY",
      "Effect<AppState>(whenChanged: \\.text, .latest) BODY",
      "Effect<AppState>(whenChanged: Lens(\\.text)) BODY",
      "Effect<AppState>(whenChanged: length, .latest) BODY",
      "Effect<AppState>(whenChanged: \\.rows, id: 7) BODY",
      "Effect<AppState>(whenChanged: { $0.text.count }, .latest) BODY",
      "Feature<AppState> { Effect(on: Trigger.self, .latest) BODY; Effect(whenChanged: \\.text) BODY }",
    ]

    /// Code that compiles, whatever triggers the effect.
    private static let good = [
      "{ _, _ in }",
      "{ _, context in context.dispatch(Loaded()) }",
      "{ _, context in context.dispatch(Loaded()); context.dispatch(Bump()) }",
      "{ _, _ in await log() }",
      "{ _, context in guard context.text != \"\" else { return }; context.dispatch(Bump()) }",
      "{ _, context in if n > 1 { context.dispatch(Loaded()) } }",
      "{ _, context in if n > 1 { context.dispatch(Loaded()) } else { await log() } }",
      "{ _, context in for _ in 1...3 { context.dispatch(Loaded()) } }",
      "{ _, context in do { context.dispatch(A.add(try await later())) } catch { context.dispatch(Bump()) } }",
      "{ _, context -> Void in context.dispatch(Loaded()) }",
      "{ _, context in try await context.dispatch(Loaded()).finish() }",
      "{ _, _ in try? await Task.sleep(for: .seconds(1)) }",
      "{ _, context in [context].first?.dispatch(Loaded()); return }",
      "{ _, _ in throw Failed() }",
      "{ _, _ in fatalError() }",
      "{ _, _ in shared.write(1) }",
      "{ _, _ in maybe?.write(1) }",
      "{ _, _ in let isOpen = n > 1; if isOpen { shared.write(1) } }",
      "{ _, _ in switch n { case 1: shared.write(1); default: break } }",
      "{ _, context in switch n { case 1: context.dispatch(A.reset); default: context.dispatch(Loaded()) } }",

      "{ _, _ in Loaded() }",
      "{ _, _ in return Loaded() }",
      "{ _, _ in await action() }",
      "{ _, _ in try await Task.sleep(for: .seconds(1)); return Loaded() }",
      "{ _, _ in n > 1 ? A.reset : .add(1) }",
      "{ _, _ in if n > 1 { A.reset } else { A.add(1) } }",
      "{ _, _ in switch n { case 1: A.reset; default: A.add(1) } }",
      "{ _, _ in if n > 1 { return A.reset } else { return A.add(1) } }",
      "{ _, _ in do { return A.add(try await later()) } catch { return A.reset } }",
      "{ _, _ in ActionList([A.reset, Loaded()]) }",

      "{ _, _ in nil }",
      "{ _, context in if n > 1 { return nil }; return Loaded() }",
      "{ _, context in if n > 1 { return Loaded() }; return nil }",
      "{ _, _ in await optionalAction() }",
      "{ _, _ in n > 1 ? Loaded() : nil }",
      "{ _, _ in n > 1 ? nil : A.reset }",
      "{ _, _ in n > 1 ? [A.reset] : nil }",
      "{ _, _ in if n > 1 { Loaded() } else { nil } }",
      "{ _, _ in if n > 1 { nil } else { Loaded() } }",
      "{ _, _ in switch n { case 1: return Loaded(); default: return nil } }",
      "{ _, _ in try? await A.add(later()) }",
      "{ _, _ in (try? await later()).map { A.add($0) } }",
      "{ _, _ in (try? await later()).map { A.add($0) } ?? .reset }",
      "{ _, _ in guard let number = try? await later() else { return nil }; return A.add(number) }",
      "{ _, _ -> A? in .reset }",
      "{ _, _ -> [A]? in n > 1 ? [.reset] : nil }",

      "{ _, _ in one }",
      "{ _, _ in await anyAction() }",
      "{ _, _ in if n > 1 { return Bump() }; return Loaded() }",
      "{ _, _ in guard n > 1 else { return nil }; if n > 2 { return A.reset }; return Loaded() }",
      "{ _, _ in do { return A.add(try await later()) } catch { return Bump() } }",
      "{ _, _ in if n > 1 { return await anyAction() }; return Loaded() }",
      "{ _, _ -> (any Action)? in n > 1 ? Loaded() : Bump() }",
      "{ _, _ -> (any Action)? in if n > 1 { Loaded() } else { Bump() } }",

      "{ _, _ in [] }",
      "{ _, _ in [A.reset, .add(1)] }",
      "{ _, _ in (1...3).map { A.add($0) } }",
      "{ _, _ in (1...3).map(A.add) }",
      "{ _, _ in [1, 2].lazy.map { A.add($0) } }",
      "{ _, _ in if n > 1 { return [] }; return [A.reset] }",
      "{ _, _ -> [A] in [.reset, .add(1)] }",
      "{ _, _ in [A.reset, Loaded()] }",
      "{ _, _ in return [A.reset, Loaded()] }",
      "{ _, _ in let number = try await later(); return [A.add(number), Loaded(number: number)] }",
      "{ _, _ in [A.reset, [Loaded(), Loaded()]] }",
      "{ _, _ in if n > 1 { return [] }; return [A.reset, Loaded()] }",
      "{ _, _ in some }",
      "{ _, _ -> [any Action] in [Loaded()] }",
      "{ _, _ -> [any Action]? in nil }",

      "{ _, _ in stream() }",
      "{ _, _ in mixedStream() }",
      "{ _, _ in makeStream(Loaded()) }",
      "{ _, _ in stream().map { _ in Loaded() } }",
      "{ _, _ in AsyncActions(stream()) }",
    ]

    /// Code that returns what is no action, and the type that the error names; nil where it names none.
    private static let bad: [(code: String, type: String?)] = [
      ("{ _, _ in Found(text: \"\") }", "NotAnAction<Found>"),
      ("{ _, _ in return Found(text: \"\") }", "NotAnAction<Found>"),
      ("{ _, _ in await found() }", "NotAnAction<Found>"),
      (
        "{ _, _ in let number = try await later(); return Found(text: \"\\(number)\") }",
        "NotAnAction<Found>"
      ),
      ("{ _, _ -> Found in Found() }", "NotAnAction<Found>"),
      ("{ _, _ in n > 1 ? Found() : nil }", "NotAnAction<Found>"),
      ("{ _, _ in return 5 }", "NotAnAction<Int>"),
      ("{ _, _ in 5 }", "NotAnAction<Int>"),
      ("{ _, _ in n }", "NotAnAction<Int>"),
      ("{ _, _ in number() }", "NotAnAction<Int>"),
      ("{ _, _ in \"text\" }", "NotAnAction<String>"),
      ("{ _, _ in [\"a\", \"b\"] }", "NotAnAction<[String]>"),
      ("{ _, _ in [Found(), Found()] }", "NotAnAction<[Found]>"),
      ("{ _, _ in [A.reset, Found()] }", "NotAnAction<[Any]>"),
      ("{ _, _ in [A.reset, nil] }", "NotAnAction<[A?]>"),
      ("{ _, _ in [A.reset][...] }", "NotAnAction<ArraySlice<A>>"),
      ("{ _, _ in [Bump()] as [any AppAction] }", "NotAnAction<[any AppAction]>"),
      ("{ _, _ in (A.reset, Loaded()) }", "NotAnAction<(A, Loaded)>"),
      ("{ _, _ in AsyncStream<Int> { _ in } }", "NotAnAction<AsyncStream<Int>>"),
      ("{ _, _ in A.self }", "NotAnAction<A.Type>"),
      ("{ _, _ in A.add }", "(Int) -> A>"),
      ("{ _, _ in { A.reset } }", "() -> A>"),
      ("{ _, _ in Task {} }", "NotAnAction<Task<(), Never>>"),
      ("{ _, _ in n > 1 ? Loaded() : Bump() }", "mismatching types 'Loaded' and 'Bump'"),
      ("{ _, context in context.dispatch(Found()) }", "'Found'"),
      ("{ _, context in context.dispatch(Found()); return nil }", "'Found'"),
      ("{ _, _ in if n > 1 { return nil }; return Found() }", nil),
      ("{ _, _ in if n > 1 { return A.reset }; return Found() }", nil),
      ("{ _, _ in if n > 1 { Found() } else { nil } }", "NotAnAction<Found>"),
    ]

    /// One attempt: its line, whether it compiles, and else what the error says.
    private struct Attempt {
      let line: String
      let complaint: String?
    }

    /// Each code in some of the initialisers, in turn, or in all of them in long runs; every other one with a list
    /// of what it captures.
    private static var attempts: [Attempt] {
      let complaints = bad.map { $0.type ?? "not all that the effect returns conforms to 'Action'" }
      let codes = good.map { ($0, nil) } + zip(bad.map(\.code), complaints.map(Optional.some))
      let width = min(initialisers.count, VerificationLength.factor)
      return codes.enumerated().flatMap { number, code in
        (0..<width).map { step in
          let turn = number * width + step
          let text =
            (turn + turn / initialisers.count).isMultiple(of: 2)
            ? code.0 : code.0.replacing("{ _,", with: "{ [n] _,", maxReplacements: 1)
          let initialiser = initialisers[turn % initialisers.count]
          return Attempt(
            line: "_ = \(initialiser.replacing("BODY", with: text))", complaint: code.1)
        }
      }
    }

    @Test func `each code in each initialiser compiles, or is refused by its type`() throws {
      let attempts = Self.attempts
      let functions = attempts.enumerated().map { "func attempt\($0)() { \($1.line) }" }
      let errors = try SwiftCompiler().errors(in: Self.setting + functions)
      #expect(errors.filter { $0.line <= Self.setting.count } == [])
      let byLine = Dictionary(grouping: errors, by: \.line)
      for (number, attempt) in attempts.enumerated() {
        let said = byLine[Self.setting.count + number + 1, default: []].map(\.text)
        if let complaint = attempt.complaint {
          #expect(
            !said.isEmpty && said.allSatisfy { $0.contains(complaint) }, "\(attempt.line): \(said)")
        } else {
          #expect(said == [], "\(attempt.line)")
        }
      }
    }

    @Test func `the initialisers are as they were generated`() throws {
      let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/Lensed/Effects")
      for (name, text) in EffectFormsText.files {
        let file = folder.appending(path: name)
        if ProcessInfo.processInfo.environment["LENSED_WRITES_FORMS"] != nil {
          try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text, "\(name)")
      }
    }
  }
#endif
