import Lensed
import LensedTestSupport
import Testing

@Suite("Effects: a tie is to somebody", .timeLimit(.minutes(30)))
struct EffectTieIdentityTests {
  private struct Screen: Sendable, Identifiable {
    let id: Int
    var title = ""
  }

  private struct App: Sendable {
    var screen: Screen?
    var rooms: [String: Screen] = [:]
  }

  private enum Go: Action {
    case open(Int)
    case close
    case retitle(String)
  }

  private struct Fill: Action { let room: Screen? }

  /// What has begun and what has ended, by the number of the screen.
  private final class Log: Sendable {
    let begun = Recorder<Int>()
    let ended = Recorder<Int>()
  }

  private func makeStore(_ parts: (Effect<App>) -> Effect<App>, _ log: Log) throws -> Store<App> {
    try Store(initialState: App(), coverage: .partial) {
      Mutator(\.screen) { (screen: inout Screen?, action: Go) in
        switch action {
        case .open(let id): screen = Screen(id: id)
        case .close: screen = nil
        case .retitle(let title): screen?.title = title
        }
      }
      Mutator(\.rooms) { (rooms: inout [String: Screen], action: Fill) in rooms["a"] = action.room }
      parts(
        Effect<App>(on: Go.self) { action, _ -> Void in
          guard case .open(let id) = action else { return }
          log.begun.append(id)
          do { try await Gate().wait() } catch { log.ended.append(id) }
        })
    }
  }

  @Test func `a screen that takes the place of another ends the runs of that one alone`()
    async throws
  {
    let log = Log()
    let store = try makeStore({ $0.tied(to: \.screen) }, log)
    store.dispatch(Go.open(1))
    await log.begun.waitForCount(1)
    store.dispatch(Go.open(2))
    #expect(await log.ended.waitForCount(1) == [1])
    #expect(await log.begun.waitForCount(2) == [1, 2])
    store.dispatch(Go.close)
    #expect(await log.ended.waitForCount(2) == [1, 2])
  }

  @Test func `so it is when the other comes in the same array as the end of the first`()
    async throws
  {
    let log = Log()
    let store = try makeStore({ $0.tied(to: \.screen) }, log)
    store.dispatch(Go.open(1))
    await log.begun.waitForCount(1)
    store.dispatch([Go.close, Go.open(2)])
    #expect(await log.ended.waitForCount(1) == [1])
    #expect(await log.begun.waitForCount(2) == [1, 2])
    store.dispatch(Go.retitle("still the second"))
    store.dispatch(Go.close)
    #expect(await log.ended.waitForCount(2) == [1, 2])
  }

  @Test func `any part that can be compared serves as the identity`() async throws {
    let log = Log()
    let store = try makeStore({ $0.tied(to: \.screen, by: \.title) }, log)
    store.dispatch(Go.open(1))
    await log.begun.waitForCount(1)
    store.dispatch(Go.open(2))
    await log.begun.waitForCount(2)
    #expect(log.ended.values == [], "both have the same title")
    store.dispatch(Go.retitle("another"))
    #expect(await log.ended.waitForCount(2).sorted() == [1, 2])
  }

  @Test func `an entry of a dictionary is tied to who is in it`() async throws {
    let log = Log()
    let store = try makeStore({ $0.tied(to: \.rooms, id: "a") }, log)
    store.dispatch([Fill(room: Screen(id: 7)), Go.open(1)])
    await log.begun.waitForCount(1)
    store.dispatch(Fill(room: Screen(id: 7, title: "the same guest")))
    #expect(log.ended.values == [])
    store.dispatch(Fill(room: Screen(id: 8)))
    #expect(await log.ended.waitForCount(1) == [1])
  }

  /// The collections whose rows an effect can be tied to.
  private struct Rows: Sendable {
    var entities: Entities<Screen> = []
    var array: [Screen] = []
    var dictionary: [Int: Screen] = [:]
    var texts: [Int: String] = [:]

    init(_ rows: [Screen] = []) {
      entities = Entities(rows, uniquingIDsWith: { $1 })
      array = rows
      dictionary = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
      texts = dictionary.mapValues(\.title)
    }
  }
  private struct Put: Action { let rows: [Screen] }
  private struct Begin: Action {}

  @Test(arguments: ["entities", "array", "dictionary", "texts", "lifted"])
  func `a row of any collection: the effect begins while it is there, and ends with it`(
    _ kind: String
  ) async throws {
    struct Root: Sendable { var rows = Rows() }
    let (begun, ended) = (Recorder<Int>(), Recorder<Int>())
    let effect = Effect<Rows>(on: Begin.self) { _, _ -> Void in
      begun.append(1)
      do { try await Gate().wait() } catch { ended.append(1) }
    }
    let tied =
      switch kind {
      case "entities", "lifted": effect.tied(to: \.entities, id: 7)
      case "array": effect.tied(to: \.array, id: 7)
      case "dictionary": effect.tied(to: \.dictionary, id: 7)
      default: effect.tied(to: \.texts, id: 7)
      }
    let store = try Store(initialState: Root(), coverage: .partial) {
      Mutator(\.rows) { (rows: inout Rows, put: Put) in rows = Rows(put.rows) }
      tied.lifted(Lens(\Root.rows))
    }
    try await store.dispatch([Put(rows: [Screen(id: 8)]), Begin()] as [any Action]).finish()
    #expect(begun.count == 0)
    store.dispatch([Put(rows: [Screen(id: 8), Screen(id: 7)]), Begin()] as [any Action])
    await begun.waitForCount(1)
    store.dispatch(Put(rows: [Screen(id: 7, title: "moved"), Screen(id: 8)]))
    store.dispatch(Put(rows: [Screen(id: 7)]))
    #expect(ended.values == [])
    store.dispatch(Put(rows: [Screen(id: 8)]))
    try await store.settled()
    #expect(ended.count == 1)
    #expect(begun.count == 1)
  }

  @Test(arguments: ["entities", "array", "dictionary"])
  func `a row by any part of it that can be compared`(_ kind: String) async throws {
    let (begun, ended) = (Recorder<Int>(), Recorder<Int>())
    let effect = Effect<Rows>(on: Begin.self) { _, _ -> Void in
      begun.append(1)
      do { try await Gate().wait() } catch { ended.append(1) }
    }
    let tied =
      switch kind {
      case "entities": effect.tied(to: \.entities, id: 7, by: \.title)
      case "array": effect.tied(to: \.array, id: 7, by: \.title)
      default: effect.tied(to: \.dictionary, id: 7, by: \.title)
      }
    let store = try Store(
      initialState: Rows([Screen(id: 7), Screen(id: 8)]), coverage: .partial
    ) {
      Mutator(\.self) { (rows: inout Rows, put: Put) in rows = Rows(put.rows) }
      tied
    }
    store.dispatch(Begin())
    await begun.waitForCount(1)
    store.dispatch(Put(rows: [Screen(id: 7), Screen(id: 8, title: "other")]))
    #expect(ended.values == [])
    store.dispatch(Put(rows: [Screen(id: 7, title: "other")]))
    try await store.settled()
    #expect(ended.count == 1)
  }

  @Test func `a lifted tie is to the same`() async throws {
    struct Root: Sendable { var app = App() }
    let log = Log()
    let effect = Effect<App>(on: Go.self) { action, _ -> Void in
      guard case .open(let id) = action else { return }
      log.begun.append(id)
      do { try await Gate().wait() } catch { log.ended.append(id) }
    }
    let store = try Store(initialState: Root(), coverage: .partial) {
      Mutator(\.app.screen) { (screen: inout Screen?, action: Go) in
        if case .open(let id) = action { screen = Screen(id: id) }
      }
      effect.tied(to: \.screen).lifted(Lens(\Root.app))
    }
    store.dispatch(Go.open(1))
    await log.begun.waitForCount(1)
    store.dispatch(Go.open(2))
    #expect(await log.ended.waitForCount(1) == [1])
  }
}
