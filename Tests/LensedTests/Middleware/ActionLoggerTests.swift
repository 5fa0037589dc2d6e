import Lensed
import LensedTestSupport
import Testing

private enum Tick: Action { case tick }
private struct Secret: Action, NotLogged { var text = "" }

@Suite(
  "The log says every action, where it came from, and what changed", .timeLimit(.minutes(30)))
struct ActionLoggerTests {
  private struct App: Sendable, Equatable {
    var count = 0
    var profile = Profile()
    struct Profile: Sendable, Equatable {
      var name = "a"
      var tags: [String] = []
    }
  }

  private func store(_ log: Recorder<String>) -> Store<App> {
    let logger = ActionLogger<App>(excluding: [Tick.self]) { log.append($0) }
    let store = Store(initialState: App(), coverage: .partial, middleware: [logger])
    try? store.register(
      Feature {
        Mutator(\App.count) { (count: inout Int, action: CountAction) in
          if case .add(let amount) = action { count += amount }
        }
        .on(Tick.self) { count, _ in count += 1 }
        .on(Secret.self) { count, _ in count += 1 }
        Mutator(\App.profile) { (profile: inout App.Profile, action: TitleAction) in
          if case .rename(let text) = action {
            profile.name = text
            profile.tags.append(text)
          }
        }
      })
    return store
  }

  @Test func `an action, its place, and each field that changed`() {
    let log = Recorder<String>()
    let store = store(log)
    store.dispatch(CountAction.add(2), fileID: "Shop/Cart.swift", function: "buy()", line: 7)
    store.dispatch(TitleAction.rename("b"), fileID: "Shop/Cart.swift", function: "name()", line: 9)
    #expect(
      log.values == [
        "#1 CountAction.add(2) at Shop/Cart.swift:7 in buy()\n  count: 0 → 2",
        """
        #2 TitleAction.rename("b") at Shop/Cart.swift:9 in name()
          profile.name: "a" → "b"
          profile.tags: [] → ["b"]
        """,
      ])
  }

  @Test func `an action that wrote what was there, and why nothing shows`() {
    let log = Recorder<String>()
    let store = store(log)
    store.dispatch(CountAction.add(0), fileID: "Shop/Cart.swift", function: "buy()", line: 7)
    #expect(
      log.values == [
        """
        #1 CountAction.add(0) at Shop/Cart.swift:7 in buy()
          nothing changed: the reducer of `count` writes what was there
        """
      ])
  }

  @Test(.warnsOnPurpose) func `a list, member by member`() {
    let log = Recorder<String>()
    let store = store(log)
    store.dispatch(
      [CountAction.add(1), Tick.tick, TitleAction.rename("a")], fileID: "A/B.swift",
      function: "f()",
      line: 1)
    #expect(
      log.values.first?.split(separator: "\n").prefix(2).map(String.init) == [
        "#1 CountAction.add(1) at A/B.swift:1 in f()",
        "#1 TitleAction.rename(\"a\") at A/B.swift:1 in f()",
      ])
  }

  @Test func `an effect without a name is called by its place, which is said once`() async throws {
    let log = Recorder<String>()
    let store = store(log)
    let line = #line + 1
    let installed = store.install(Effect(on: TitleAction.self) { _, _ in CountAction.add(1) })
    try await store.dispatch(
      TitleAction.rename("b"), fileID: "Shop/Cart.swift", function: "name()", line: 9
    ).finish()
    #expect(
      log.values.last == """
        #2 CountAction.add(1) by the effect of `TitleAction` at LensedTests/ActionLoggerTests.swift:\(line), set off by #1
          count: 0 → 1
        """)
    installed.cancel()
  }

  @Test func `excluded types and what is not to be logged are left out`() {
    let log = Recorder<String>()
    let store = store(log)
    store.dispatch(Tick.tick)
    store.dispatch(Secret(text: "password"))
    #expect(store.count == 2)
    #expect(log.values == [])
  }

  @Test(.warnsOnPurpose) func `a replacement, and an action that nobody handles`() {
    let log = Recorder<String>()
    let store = store(log)
    store.replaceState(App(count: 5))
    store.dispatch(NoteAction.append(1), fileID: "A/B.swift", function: "f()", line: 1)
    #expect(
      log.values == [
        "#1 state replaced\n  count: 0 → 5",
        "#2 NoteAction.append(1) at A/B.swift:1 in f()\n  no reducer handles it",
      ])
  }
}
