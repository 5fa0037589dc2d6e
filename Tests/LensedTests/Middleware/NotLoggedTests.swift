import Lensed
import LensedTestSupport
import Testing

@Suite("What nobody is to read is in no text of the log", .timeLimit(.minutes(30)))
struct NotLoggedTests {
  private struct Password: Sendable, Equatable, NotLogged { var text = "" }
  private struct Login: Sendable, Equatable {
    var name = ""
    var password = Password()
  }
  private struct App: Sendable, Equatable {
    var login = Login()
    var last: Login?
    var logins: [Login] = []
    var byName: [String: Login] = [:]
  }
  private enum LoginAction: Action { case enter(Login), forget }

  @Test func `wherever in an action or in the state it is`() throws {
    let texts = Recorder<String>()
    let (logger, history) = (ActionLogger<App> { texts.append($0) }, History<App>())
    let store = try Store(initialState: App(), middleware: [logger, history]) {
      Mutator(lens: Lens<App, App>.identity) { (app: inout App, action: LoginAction) in
        guard case .enter(let login) = action else { return app = App() }
        app.login = login
        app.last = login
        app.logins.append(login)
        app.byName[login.name] = login
      }
    }
    for text in ["swordfish", "swordfish too"] {
      store.dispatch(
        LoginAction.enter(Login(name: "Ada", password: Password(text: text))))
    }
    let why = "\(try #require(history.why(\.login)))"
    store.dispatch(LoginAction.forget)
    let log = texts.values.joined(separator: "\n")
    #expect(!log.contains("swordfish") && !why.contains("swordfish"))
    // That it has changed is said.
    #expect(log.contains("#1 LoginAction at"))
    #expect(log.contains("login.name: \"\" → \"Ada\""))
    #expect(log.contains("login.password: Password → another one, which is not logged"))
    #expect(log.contains("logins: 0 → 1 elements"))
    #expect(why.hasPrefix("`login` is Login since #2, `LoginAction` dispatched at "))
  }

  private struct Email: Hashable, Sendable, NotLogged { var text = "swordfish" }
  private struct Account: Sendable, Equatable, Identifiable {
    var id = Email()
    var visits = 0
  }
  private struct Bank: Sendable, Equatable {
    var rows: Entities<Account> = [Account()]
    var list = [Account()]
    var byEmail: [Email?: Account] = [Email(): Account()]
    var sheet: Account? = Account()
  }
  private struct Visit: Action {}
  private struct Close: Action {}
  private struct Refused: Error {}
  private enum Listed {}
  private enum Keyed {}
  private enum Shown {}

  @Test func `also where it is the id of an element that an effect or a warning is about`()
    async throws
  {
    let texts = Recorder<String>()
    let account = Feature<Account> {
      Mutator(\.visits) { (visits: inout Int, _: Visit) in visits += 1 }
      Effect(on: Visit.self, .serial) { _, context in
        if context.visits > 1 { throw Refused() }
        do { try await context.dispatch(Visit()).finish() } catch { texts.append("\(error)") }
      }
    }
    let (logger, history) = (ActionLogger<Bank> { texts.append($0) }, History<Bank>())
    let store = try Store(
      initialState: Bank(), coverage: .partial, middleware: [logger, history],
      onEffectError: { texts.append("\($0)") }, onWarning: { texts.append("\($0)") }
    ) {
      Mutator(\.rows) { (rows: inout Entities<Account>, _: Close) in rows = [] }
      Mutator(\.sheet) { (sheet: inout Account?, _: Close) in
        sheet = Account(id: Email(text: "swordfish too"))
      }
      account.identified().lifted(\.rows)
      account.tagged(Listed.self).identified().lifted(\.list)
      account.tagged(Keyed.self).keyed().lifted(\.byEmail)
      account.tagged(Shown.self).optional().lifted(\.sheet)
    }
    let scope = try #require(store.scope(\.rows, id: Email()))
    let sheet = try #require(store.scope(\.sheet, actions: .tagged(Shown.self)))
    for visit: any Action in [
      Visit().element(Email()), Visit().tagged(Listed.self).element(Email()),
      Visit().tagged(Keyed.self).element(Email() as Email?), Visit().tagged(Shown.self),
    ] {
      try await store.dispatch(visit).finish()
    }
    let reasons = [
      history.why(\.rows), history.why(\.list), history.why(\.byEmail), history.why(\.sheet),
    ]
    for reason in reasons { texts.append("\(try #require(reason))") }
    store.dispatch(Close())
    store.dispatch(Visit().element(Email()))
    scope.dispatch(Visit())
    sheet.dispatch(Visit())
    #expect(throws: DuplicateIDError.self) {
      do { _ = try Entities([Account(), Account()]) } catch {
        texts.append("\(error)")
        throw error
      }
    }
    let log = texts.values.joined(separator: "\n")
    #expect(!log.contains("swordfish"), "\(texts.values.filter { $0.contains("swordfish") })")
    // Where it was, and of which type the id is, is said.
    for place in ["rows[Email]", "list[Email]", "byEmail[Email]", "no element Email"] {
      #expect(log.contains(place), "\(place)")
    }
  }
}
