import Lensed
import LensedTestSupport
import Testing

/// What the guide for those who come from Mobius shows, word for word.
@Suite("Contract: the code of the guide from Mobius", .timeLimit(.minutes(30)))
struct ComingFromMobiusTests {
  protocol Server: Sendable {
    func logIn(_ user: String) async throws
  }

  // GUIDE: The feature
  struct Login: Sendable, Equatable {
    var user = ""
    var isBusy = false
    var failure: String?
  }
  struct UserTyped: Action { let user: String }
  struct LoginTapped: Action {}
  struct LoginCancelled: Action {}
  enum LoginResult: Action, Hashable { case succeeded, failed(String), cancelled }

  func login(
    _ server: any Server, openHome: @escaping @Sendable () async -> Void
  ) -> Feature<Login> {
    Feature {
      Mutator(\.user) { (user: inout String, action: UserTyped) in user = action.user }
      Mutator(\.isBusy) { (isBusy: inout Bool, _: LoginTapped) in isBusy = true }
        .on(LoginResult.self) { isBusy, _ in isBusy = false }
      Mutator(\.failure) { (failure: inout String?, result: LoginResult) in
        failure = if case .failed(let reason) = result { reason } else { nil }
      }
      Effect(
        on: LoginTapped.self, .first,
        catch: { error, context in context.dispatch(LoginResult.failed("\(error)")) }
      ) { _, context in
        try await server.logIn(context.user)
        return LoginResult.succeeded
      }
      .cancelled(on: LoginCancelled.self)
      .ended { end, _ in
        if case .cancelled = end { LoginResult.cancelled } else { nil }
      }
      Effect(on: LoginResult.self) { result, _ in
        if result == .succeeded { await openHome() }
      }
    }
  }
  // GUIDE: end

  private struct GatedServer: Server {
    var gate: Gate?

    func logIn(_ user: String) async throws {
      try await gate?.wait()
      if user.isEmpty { throw Refused() }
    }
  }
  private struct Refused: Error, CustomStringConvertible {
    var description: String { "Who are you?" }
  }
  private func slowServer(_ gate: Gate) -> any Server { GatedServer(gate: gate) }

  @Test func `a second tap starts nothing`() async throws {
    let opened = Recorder<String>()
    // GUIDE: Its test
    let gate = Gate()
    let test = try TestStore(
      initialState: Login(user: "Ann"), login(slowServer(gate)) { opened.append("home") })
    await test.dispatch(LoginTapped()) { $0.isBusy = true }
    await test.dispatch(LoginTapped())
    gate.open()
    await test.receive(LoginResult.succeeded) { $0.isBusy = false }
    await test.finish()
    #expect(opened.values == ["home"])
    // GUIDE: end
  }

  @Test func `a refusal is shown`() async throws {
    let test = try TestStore(initialState: Login(), login(GatedServer()) {})
    await test.dispatch(LoginTapped()) { $0.isBusy = true }
    await test.receive(LoginResult.self) {
      $0.isBusy = false
      $0.failure = "Who are you?"
    }
    await test.finish()
  }

  @Test func `a cancelled login is not busy`() async throws {
    let gate = Gate()
    let test = try TestStore(initialState: Login(user: "Ann"), login(slowServer(gate)) {})
    await test.dispatch(LoginTapped()) { $0.isBusy = true }
    await test.dispatch(LoginCancelled())
    await test.receive(LoginResult.cancelled) { $0.isBusy = false }
    await test.finish()
  }

  /// Stands for that of Mobius.
  struct Next<Model: Sendable, Work: Sendable>: Sendable {
    var model: Model?
    var effects: [Work] = []
  }

  // GUIDE: Both in one app
  func moving<Model: Sendable, Event: Action, Work: Sendable>(
    _ update: @escaping @Sendable (Model, Event) -> Next<Model, Work>,
    _ run: @escaping @Sendable (Work) async throws -> Event?
  ) -> Feature<Model> {
    Feature {
      Mutator(
        lens: Lens<Model, Model>.identity,
        reducer: Reducer { (model: inout Model, event: Event) in
          if let next = update(model, event).model { model = next }
        })
      Effect(on: Event.self, .concurrent) { event, context in
        guard let before = context.change.previous else { return }
        for work in update(before, event).effects {
          if let answer = try await run(work) { context.dispatch(answer) }
        }
      }
      .keepingPrevious()
    }
  }
  // GUIDE: end

  private struct App: Sendable, Equatable {
    var login = Login()
    var visits = 0
  }
  private enum Event: Action { case typed(String), tapped, succeeded }
  private enum Work: Sendable, Hashable { case logIn(String), note }

  @Test func `an update function runs in a store, with its effects`() async throws {
    let worked = Recorder<Work>()
    let feature: Feature<Login> = moving(
      { (model: Login, event: Event) -> Next<Login, Work> in
        var model = model
        switch event {
        case .typed(let user):
          model.user = user
          return Next(model: model)
        case .tapped:
          if model.isBusy { return Next() }
          model.isBusy = true
          return Next(model: model, effects: [.note, .logIn(model.user)])
        case .succeeded:
          model.isBusy = false
          return Next(model: model)
        }
      },
      { work in
        worked.append(work)
        return work == .note ? nil : .succeeded
      })
    let store = try Store(initialState: App()) {
      feature.lifted(\.login)
      Mutator(\.visits) { (visits: inout Int, _: UserTyped) in visits += 1 }
    }
    store.dispatch(Event.typed("Ann"))
    let tapped = store.dispatch(Event.tapped)
    try await tapped.finish()
    #expect(worked.values == [.note, .logIn("Ann")])
    #expect(store.login == Login(user: "Ann"))
  }

  @Test func `the guide shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 3)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "ComingFromMobius") == marked)
  }
}
