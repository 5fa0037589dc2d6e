#if os(macOS) || os(Linux)
  import LensedTestSupport
  import Testing

  @Suite(
    "What must not compile does not", .timeLimit(.minutes(30)))
  struct NotCompilingTests {
    private struct Attempt {
      let promise: String
      let code: String
      /// What stands in the error, in the words that all compilers share.
      let complaint: String

      init(_ promise: String, _ code: String, _ complaint: String) {
        (self.promise, self.code, self.complaint) = (promise, code, complaint)
      }
    }

    private static let setting = """
      import Lensed

      struct AppState: Sendable, Equatable {
        var counter = 0
        var title = ""
        let fixed = 1
      }
      struct OtherState: Sendable { var counter = 0 }
      struct Opaque: Sendable { var number = 0 }
      struct PlainState: Sendable { var opaque = Opaque(), counter = 0 }
      enum CounterAction: Action { case increase }
      final class Box { var number = 0 }
      let opaque = Derived(\\PlainState.counter) { (counter: Int) in Opaque(number: counter) }
      let doubled = Derived(\\PlainState.counter) { (counter: Int) in 2 * counter }
      let counter = Mutator(\\AppState.counter) { (counter: inout Int, _: CounterAction) in
        counter += 1
      }
      let foreign = Mutator(\\OtherState.counter) { (counter: inout Int, _: CounterAction) in
        counter += 1
      }
      enum Search {
        struct Typed: Action { var text = "" }
        private struct Found: Action { var titles: [String] = [] }
        static let feature = Feature<AppState> {
          Mutator(\\.title) { (title: inout String, found: Found) in title = "\\(found.titles)" }
          Effect(on: Typed.self) { typed, _ in Found(titles: [typed.text]) }
          Constant(\\.counter)
          Constant(\\.fixed)
        }
      }
      """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

    private static let attempts = [
      Attempt("the state is read-only", "store.state = AppState()", "get-only"),
      Attempt("a part of the state is read-only", "store.state.counter = 1", "get-only"),
      Attempt("a property is read-only", "store.counter = 1", "cannot assign"),
      Attempt("what a lens reads is read-only", "store[Lens(\\.counter)] = 1", "get-only"),
      Attempt("a scope's state is read-only", "store.scope(\\.title).state = \"\"", "get-only"),
      Attempt(
        "a mutator of another state is not registered", "try store.register(foreign)",
        "requires the types 'AppState' and 'OtherState' be equivalent"),
      Attempt(
        "a mutator of another state is no part",
        "_ = Feature<AppState> { foreign }",
        "requires the types 'AppState' and 'OtherState' be equivalent"),
      Attempt(
        "a mutator of another state is no part of a store",
        "_ = try Store(initialState: AppState(), coverage: .partial) { foreign }",
        "requires the types 'AppState' and 'OtherState' be equivalent"),
      Attempt("a number is no action", "store.dispatch(5)", "'Int'"),
      Attempt("an array of numbers is no action", "store.dispatch([1, 2])", "'Action'"),
      Attempt(
        "a list with a number is no action", "store.dispatch([CounterAction.increase, 2])",
        "'Action'"),
      Attempt(
        "a sequence of numbers is no action", "store.dispatch(AsyncStream<Int> { _ in })",
        "'AsyncStream<Int>'"),
      Attempt(
        "a state is Sendable",
        "struct Bad { var box = Box() }; _ = Store(initialState: Bad(), coverage: .partial)",
        "Sendable"),
      Attempt("an action is Sendable", "struct Bad: Action { var box: Box }", "non-Sendable"),
      Attempt(
        "a reducer fits its property",
        "_ = Mutator(\\AppState.counter) { (counter: inout String, _: CounterAction) in }",
        "inout String"),
      Attempt(
        "a constant has no mutator",
        "_ = Mutator(\\AppState.fixed) { (fixed: inout Int, _: CounterAction) in }",
        "WritableKeyPath"),
      Attempt(
        "a reducer writes nothing but its part",
        "var n = 0; _ = Mutator(\\AppState.counter) { (_: inout Int, _: CounterAction) in n += 1 }",
        "captured var 'n'"),
      Attempt(
        "a callback shares nothing that is not Sendable",
        "let box = Box(); _ = store.states.subscribe { _ in box.number += 1 }", "non-Sendable"),
      Attempt(
        "a property of another state is not observed", "_ = store.states(\\OtherState.counter)",
        "OtherState"),
      Attempt(
        "values that cannot be compared have no duplicates to remove",
        "func f(_ plain: Store<PlainState>) { _ = plain.states(\\.opaque, repeats: .removed) }",
        "'states(_:repeats:)' requires that 'Opaque' conform to 'Equatable'"),
      Attempt(
        "nor have those that a lens focuses on",
        "func f(_ plain: Store<PlainState>) { _ = plain.states(Lens(\\.opaque), repeats: .kept) }",
        "'states(_:repeats:)' requires that 'Opaque' conform to 'Equatable'"),
      Attempt(
        "nor have derived ones",
        "func f(_ plain: Store<PlainState>) { _ = plain.states(opaque, repeats: .kept) }",
        "its type does not conform to 'Equatable'"),
      Attempt(
        "an outcome is one of this state",
        "_ = store.dispatch(CounterAction.increase, focusingOn: \\OtherState.counter)",
        "OtherState"),
      // A parent is no better than anybody else: it cannot name what a feature keeps to itself.
      Attempt(
        "a private action is not sent", "store.dispatch(Search.Found())",
        "'Found' is inaccessible due to 'private' protection level"),
      Attempt(
        "a private action is not sent to a feature",
        "store.dispatch(ElementAction(id: 1, action: Search.Found()))",
        "'Found' is inaccessible due to 'private' protection level"),
      Attempt(
        "a private action has no other reducer",
        "_ = Mutator(\\AppState.counter) { (n: inout Int, _: Search.Found) in n += 1 }",
        "'Found' is inaccessible due to 'private' protection level"),
      Attempt(
        "a private action sets off no effect of others",
        "_ = Effect<AppState>(on: Search.Found.self) { _, _ in }",
        "'Found' is inaccessible due to 'private' protection level"),
      Attempt(
        "a private action is not waited for",
        "Task { try await store.dispatch(Search.Typed()).finish() }; _ = Search.Found.self",
        "'Found' is inaccessible due to 'private' protection level"),
      Attempt(
        "what is sent elsewhere is dispatched here", "store.send(CounterAction.increase)",
        "'send' has been renamed to 'dispatch(_:)'"),
      Attempt(
        "a scope, too, dispatches", "store.scope(\\.title).send(CounterAction.increase)",
        "'send' has been renamed to 'dispatch(_:)'"),
      Attempt(
        "a reducer of several statements names its action",
        "_ = Mutator(\\AppState.counter) { n, action in n += 1; n += 2 }",
        "cannot infer type of closure parameter 'action' without a type annotation"),
      Attempt(
        "in a feature, too",
        "_ = Feature<AppState> { Mutator(\\.counter) { n, action in if n > 1 { n = 0 }; n += 2 } }",
        "cannot infer type of closure parameter 'action' without a type annotation"),
      Attempt(
        "what is said of an effect is said before it is lifted",
        "_ = Effect<AppState>(on: CounterAction.self) { _, _ in }.tagged(Int.self).ended { _, _ in nil }",
        "'Feature<AppState>' has no member 'ended'"),
      Attempt(
        "another state replaces nothing", "store.replaceState(OtherState())", "'OtherState'"),
    ]

    @Test func `every one of these lines has its error`() throws {
      let head = Self.setting.count
      let lines = Self.attempts.enumerated().map { number, attempt in
        "func attempt\(number)(_ store: Store<AppState>) throws { \(attempt.code) }"
      }
      let errors = try SwiftCompiler().errors(in: Self.setting + lines)
      for (number, attempt) in Self.attempts.enumerated() {
        let said = errors.filter { $0.line == head + number + 1 }.map(\.text)
        #expect(
          said.contains { $0.contains(attempt.complaint) }, "\(attempt.promise): \(attempt.code)")
      }
      #expect(errors.filter { $0.line <= head } == [])
    }

    /// A mistake, and the first line that the compiler says about it.
    private static let firstLines: [(code: String, message: String)] = [
      (
        "_ = Mutator(\\AppState.countr) { (n: inout Int, _: CounterAction) in n += 1 }",
        "value of type 'AppState' has no member 'countr'"
      ),
      (
        "let _: Mutator<AppState, Int> = Mutator(\\.countr) { (n: inout Int, _: CounterAction) in }",
        "value of type 'AppState' has no member 'countr'"
      ),
      (
        "_ = Mutator(\\AppState.countr, Reducer { (n: inout Int, _: CounterAction) in n += 1 })",
        "value of type 'AppState' has no member 'countr'"
      ),
      (
        "_ = Mutator(\\AppState.fixed) { (n: inout Int, _: CounterAction) in n += 1 }",
        "'init(_:_:)' is unavailable: a mutator needs a WritableKeyPath; this one only reads"
      ),
      (
        """
        _ = AsyncMutator(\\AppState.titel) { (old: String, _: CounterAction) in \
        AsyncResult(value: old) }
        """, "value of type 'AppState' has no member 'titel'"
      ),
      ("_ = store.states(\\.countr)", "value of type 'AppState' has no member 'countr'"),
      (
        "_ = store.states(\\.countr, repeats: .kept)",
        "value of type 'AppState' has no member 'countr'"
      ),
      (
        "for await number in store.states(\\.countr) { print(number) }",
        "value of type 'AppState' has no member 'countr'"
      ),
      (
        "_ = Effect<AppState>(whenChanged: \\.titel) { title, context in }",
        "value of type 'AppState' has no member 'titel'"
      ),
      (
        "_ = Effect<AppState>(whenChanged: \\.titel, .latest) { _, _ in CounterAction.increase }",
        "value of type 'AppState' has no member 'titel'"
      ),
      ("_ = store.unregister(\\.countr)", "value of type 'AppState' has no member 'countr'"),
      ("_ = Constant<AppState>(\\.countr)", "value of type 'AppState' has no member 'countr'"),
      (
        "for await change in store.changes() { _ = change.touches(\\.countr) }",
        "value of type 'AppState' has no member 'countr'"
      ),
      (
        "for await change in store.changes() { _ = change.didChange(\\.countr) }",
        "value of type 'AppState' has no member 'countr'"
      ),
      (
        "_ = store.dispatch(CounterAction.increase, focusingOn: \\.countr)",
        "value of type 'AppState' has no member 'countr'"
      ),
      (
        "_ = Effect<AppState>(on: Int.self) { _, _ in }",
        """
        initializer 'init(on:_:per:when:catch:fileID:line:_:)' requires that 'Int' conform to 'Action'
        """
      ),
      (
        "_ = try Store(initialState: AppState()) { 5 }",
        "static method 'buildExpression' requires that 'Int' conform to 'StorePartConvertible'"
      ),
      (
        "_ = try Store(initialState: AppState()) { error in print(error) }",
        """
        contextual closure type '() -> [StorePart<AppState>]' expects 0 arguments, but 1 was used in closure body
        """
      ),
    ]

    @Test func `the first line of an error names the misspelled property`() throws {
      let setting = Self.setting
      let lines = Self.firstLines.enumerated().map { number, line in
        "func attempt\(number)(_ store: Store<AppState>) async throws { \(line.code) }"
      }
      let errors = try SwiftCompiler().errors(in: setting + lines)
      for (number, line) in Self.firstLines.enumerated() {
        let first = errors.first { $0.line == setting.count + number + 1 }
        #expect(first?.text == line.message, "\(line.code)")
      }
    }

    /// Reducers that name no type of action, and what the compiler says first.
    private static let untyped: [(code: String, message: String)] = [
      ("_ = Mutator(\\AppState.counter, Reducer { n, _ in n += 1 })", everyAction),
      ("_ = Mutator(\\AppState.counter) { n, _ in n += 1 }", untypedParameter),
      ("_ = Reducer<Int>.identity.on(CounterAction.self) { n, _ in n += 1 }", ""),
      ("_ = AsyncMutator(\\AppState.counter) { n, _ in AsyncResult(value: n) }", untypedParameter),
      ("_ = Reducer<Int>(everyAction: { n, _ in n += 1 })", ""),
    ]

    private static let untypedParameter =
      "cannot infer type of closure parameter '_' without a type annotation"
    private static let everyAction = """
      'init(_:)' is deprecated: This reducer runs for every action. Name the type of the action, as in { \
      (state: inout State, action: CounterAction) in … }, or write Reducer(everyAction: { … }).
      """

    @Test func `a reducer that names no type of action is no reducer of every one unawares`() throws
    {
      let setting = Self.setting
      let lines = Self.untyped.enumerated().map { number, line in
        "func attempt\(number)() { \(line.code) }"
      }
      let found = try SwiftCompiler().errors(in: setting + lines, andWarnings: true)
      for (number, line) in Self.untyped.enumerated() {
        let first = found.first { $0.line == setting.count + number + 1 }?.text ?? ""
        let isSaid = line.message.isEmpty ? first.isEmpty : first.hasPrefix(line.message)
        #expect(isSaid, "\(line.code): \(first)")
      }
    }

    @Test func `what may compile does`() throws {
      let allowed = """
        func use(_ store: Store<AppState>) throws {
          try store.register(counter)
          store.dispatch(CounterAction.increase)
          store.dispatch([CounterAction.increase, .increase])
          store.dispatch(AsyncStream<CounterAction> { _ in })
          store.replaceState(AppState())
          _ = (store.state, store.counter, store[Lens(\\.counter)], store.scope(\\.title).state)
          _ = store.states(\\.fixed)
          _ = (store.states(\\.counter, repeats: .kept), store.states(Lens(\\.counter)))
          _ = store.states(\\.counter, repeats: .removed)
          let plain = Store(initialState: PlainState(), coverage: .partial)
          _ = (plain.states(\\.opaque), plain.states(Lens(\\.opaque)), plain.states(\\.opaque.number))
          _ = (plain.states(opaque), plain.states(doubled), plain.states(doubled, repeats: .kept))
          _ = store.dispatch(CounterAction.increase, focusingOn: \\.counter)
          let searching = try Store(initialState: AppState(), Search.feature)
          searching.dispatch(Search.Typed(text: "a"))
        }
        """
      let errors = try SwiftCompiler().errors(
        in: Self.setting + allowed.split(separator: "\n").map(String.init))
      #expect(errors == [])
    }
  }
#endif
