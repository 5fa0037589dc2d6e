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
}
